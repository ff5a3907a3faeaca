/**
 * Reads a plan file; see `../document.ts`.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import { FILE_LIMIT_MS, inTime } from "../../../src/io/time_limit.ts";
import { isEntityType } from "../../../src/project/entities.ts";
import { criteriaOf } from "./criteria.ts";
import type { ConflictMarkers, Document, Entity, Resolution, Section, Unclosed } from "./model.ts";
import { type Outline, outlineOf } from "./outline.ts";
import { partsOf } from "./sections.ts";
import { openingTag, own, valuesOf } from "./tag.ts";

/** A shorter text takes no time, whatever it says. */
const SHORT = 16_384;

/**
 * Reads a text.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for a text that would keep the parser long.
 */
export function read(text: string): Document {
  if (text.length <= SHORT) return readNow(text);
  return inTime(FILE_LIMIT_MS, () => readNow(text), tooHard);
}

function readNow(text: string): Document {
  try {
    const outline = outlineOf(text);
    const { further, entityTags, openFence } = outline;
    const [entity, conflict] = [entityOf(outline), conflictIn(outline)];
    return { text, entity, further, conflict, entityTags, openFence };
  } catch (error) {
    // Containers within containers are parsed by calls within calls.
    if (error instanceof RangeError) throw tooHard("it is nested too deeply");
    throw error;
  }
}

function tooHard(reason: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `Markdown is too hard to parse: ${reason}`, {
    hint: "Split the text, or separate its blocks with blank lines.",
  });
}

/** Reads the entity of an outline. */
function entityOf(outline: Outline): Entity | undefined {
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

const FACT = /^(Completed|Branch|PR):\s*(.+)$/;

/** Takes the first section apart whose heading the plugin knows as that of a resolution. */
function resolutionOf(text: string, sections: readonly Section[]): Resolution | undefined {
  for (const [section, { level, heading, start, end }] of sections.entries()) {
    if (level !== 2 || heading !== "Resolution") continue;
    const [first, ...lines] = text.slice(start, end).split(/\r\n?|\n/);
    if (!/^##\s+Resolution\s*$/.test(first!)) continue;
    const facts: Record<string, string> = {};
    const body: string[] = [];
    for (const line of lines) {
      const [, name, value] = FACT.exec(line) ?? [];
      if (name === undefined) body.push(line);
      else if (name === "Completed") facts["date"] = own(value!.trim());
      else if (name === "Branch") facts["branch"] = own(value!.trim().replace(/^`|`$/g, ""));
      else facts["pr"] = own(value!.trim());
    }
    return { ...facts, body: body.join("\n").trim(), section };
  }
  return undefined;
}

/** The first conflict that begins outside code and comments; one side of it may open a fence. */
function conflictIn({ source, hidden }: Outline): ConflictMarkers | undefined {
  const { plain } = source;
  if (!plain.includes("<<<<<<<") || !plain.includes(">>>>>>>")) return undefined;
  let first: number | undefined;
  let isSecondSide = false;
  for (let line = 0; line < source.lines; line++) {
    const text = source.lineText(line);
    if (/^<{7}(?: |$)/.test(text) && (first !== undefined || !hidden.has(line))) {
      [first, isSecondSide] = [line, false];
    } else if (text === "=======") isSecondSide = first !== undefined;
    else if (/^>{7}(?: |$)/.test(text) && first !== undefined && isSecondSide) {
      return { first: first + 1, last: line + 1 };
    }
  }
  return undefined;
}
