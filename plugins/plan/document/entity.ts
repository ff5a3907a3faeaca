/**
 * The first entity of a file.
 *
 * @module
 */

import { isEntityType } from "../../../src/project/entities.ts";
import { criteriaOf } from "./criteria.ts";
import type { Entity, Unclosed } from "./model.ts";
import type { Outline } from "./outline.ts";
import { resolutionOf } from "./resolution.ts";
import { partsOf } from "./sections.ts";
import { openingTag, valuesOf } from "./tag.ts";

/** Reads the entity of an outline. */
export function entityOf(outline: Outline): Entity | undefined {
  if (outline.entity === undefined) return undefined;
  const { source, tokens, errors } = outline;
  const { open, close } = outline.entity;
  const token = tokens[open]!;
  const type = token.meta!.tag!;
  if (!isEntityType(type)) return undefined;
  const attributes = valuesOf(token.meta);
  const isSelfClosing = close === open;
  const lastLine = close === undefined ? source.lines : tokens[close]!.map![isSelfClosing ? 1 : 0];
  const body = { start: source.startOf(token.map![1]), end: source.startOf(lastLine) };
  const end = close === undefined ? source.plain.length : source.startOf(tokens[close]!.map![1]);
  const unclosed = unclosedIn(outline, token.map![0], end);
  const range = { from: open + 1, to: close ?? tokens.length };
  const { title, sections } = partsOf(outline, { range, body, unclosed });
  return {
    type,
    id: attributes["id"] || attributes["name"] || undefined,
    attributes,
    tag: openingTag(source, token),
    body: { start: source.at(body.start), end: source.at(body.end) },
    end: source.at(end),
    unclosed,
    title,
    sections,
    criteria: criteriaOf(outline, { range, body, sections }),
    resolution: resolutionOf(source.text, sections),
    errors: errors.filter(({ line }) => source.startOf(line - 1) < end),
  };
}

/** What leaves the entity open: the first thing that is not closed up to its end. */
function unclosedIn({ source, unclosed }: Outline, own: number, end: number): Unclosed | undefined {
  const inside = unclosed.filter(({ line }) => source.startOf(line - 1) < end);
  // Of an entity that something inside leaves open, that is to be named.
  const entity = inside.find(({ line }) => line === own + 1);
  return inside.find((one) => one !== entity) ?? (entity && { ...entity, kind: "entity" });
}
