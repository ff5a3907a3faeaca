/**
 * The only parser of plan files: turns a text into a {@linkcode Document} with offsets. Every
 * read and every edit of a plan file uses it.
 *
 * It is built on Markdoc's tokenizer, so fences, lists, quotations and tags mean what they mean
 * to Markdoc. HTML comments hide their content, as with Markdoc's option `allowComments`; a
 * comment that does not end within its block hides nothing and leaves the entity `unclosed`.
 */

import { requireParsable } from "../../../src/markdoc/markup_limits.ts";
import { isEntityType } from "./types.ts";
import { criteriaIn, uncountedBoxes } from "./criteria.ts";
import { keyOf } from "./lookup.ts";
import type { ConflictMarkers, Document, Misplaced, Outline, ParsedEntity } from "./model.ts";
import { outlineOf } from "./outline.ts";
import { titleAndSections } from "./sections.ts";
import { openingTag, valuesOf } from "./tag.ts";
import { inlinesIn } from "./tokens.ts";

export * from "./lookup.ts";
export * from "./model.ts";

/** A line that begins with a tag: its indent and name. */
const OPENING = /^([ \t]*)\{%\s*([\w-]+)/;

/**
 * Parses the text of a file.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` if it is too hard to parse.
 */
export function read(source: string): Document {
  requireParsable(source, inlinesIn);
  const text = plainOf(source);
  const outline = outlineOf(text);
  const entity = entityIn(outline);
  const broken = entity === undefined ? brokenIn(outline) : undefined;
  return { ...outline, source, entity, broken, conflict: conflictIn(outline) };
}

/** Normalizes a text to LF line ends without a byte order mark. */
export function plainOf(source: string): string {
  return source.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
}

/** Finds the first line, outside code and comments, that opens an entity with a tag that is not valid. */
function brokenIn({ text, lines: { startOf }, hidden }: Outline): Misplaced | undefined {
  for (const [index, line] of text.split("\n").entries()) {
    const [, indent = "", name = ""] = hidden.has(index) ? [] : OPENING.exec(line) ?? [];
    const start = startOf(index) + indent.length;
    const end = text.indexOf("%}", start);
    if (!isEntityType(name) || end === -1) continue;
    // Where its quotes do not match, Markdoc takes what follows for a part of the tag.
    const { range, errors } = outlineOf(text.slice(start, end + 2));
    const message = errors[0]?.message ?? "its quotes do not match";
    if (range === undefined) return { line: index + 1, start, message };
  }
  return undefined;
}

function entityIn(outline: Outline): ParsedEntity | undefined {
  if (outline.range === undefined) return undefined;
  const { text, lines: { startOf, count }, tokens } = outline;
  const { open, close } = outline.range;
  const token = tokens[open]!;
  const type = token.meta!.tag!;
  if (!isEntityType(type)) return undefined;
  const attributes = valuesOf(token.meta);
  const closing = close === undefined ? [count, count] : tokens[close]!.map!;
  const body = { start: startOf(token.map![1]), end: startOf(closing[close === open ? 1 : 0]!) };
  const end = startOf(closing[1]!);
  const inside = outline.unclosed.filter(({ start }) => start < end);
  // If something inside leaves the entity open, report that instead of the entity.
  const unclosedEntity = inside.find(({ line }) => line === token.map![0] + 1);
  const unclosed = inside.find((unclosed) => unclosed !== unclosedEntity) ??
    (unclosedEntity && { ...unclosedEntity, kind: "entity" as const });
  const range = { from: open + 1, to: close ?? tokens.length, body };
  const { title, sections } = titleAndSections(outline, range, unclosed);
  return {
    type,
    id: attributes["id"] || attributes["name"] || undefined,
    attributes,
    tag: openingTag(text, startOf(token.map![0]), token.nesting === 0),
    body,
    end,
    unclosed,
    title,
    sections,
    criteria: criteriaIn(outline, range, sections),
    uncounted: uncountedBoxes(outline, range),
    resolution: sections.find(({ level, heading }) =>
      level === 2 && keyOf(heading) === "resolution"
    ),
    refs: outline.refs.filter(({ start }) => start >= body.start && start < body.end),
    errors: outline.errors.filter(({ start }) => start < end),
  };
}

/**
 * Returns the first conflict that begins outside code and comments; a side may open a fence. Where
 * both sides have renamed the file, markers are longer than seven characters.
 */
function conflictIn({ text, hidden }: Outline): ConflictMarkers | undefined {
  if (!text.includes("<<<<<<<") || !text.includes(">>>>>>>")) return undefined;
  let first: number | undefined;
  let isSecondSide = false;
  for (const [index, line] of text.split("\n").entries()) {
    if (/^<{7,}(?: |$)/.test(line) && (first !== undefined || !hidden.has(index))) {
      [first, isSecondSide] = [index, false];
    } else if (/^={7,}$/.test(line)) isSecondSide = first !== undefined;
    else if (/^>{7,}(?: |$)/.test(line) && first !== undefined && isSecondSide) {
      return { first: first + 1, last: index + 1 };
    }
  }
  return undefined;
}
