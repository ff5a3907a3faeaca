/**
 * The only parser of plan files: turns a text into a {@linkcode Document} with offsets. Every
 * read and every edit of a plan file uses it.
 *
 * It is built on Markdoc's tokenizer, so fences, lists, quotations and tags mean what they mean
 * to Markdoc. HTML comments hide their content, as with Markdoc's option `allowComments`; a
 * comment that does not end within its block hides nothing and leaves the entity `unclosed`.
 */

import { withEscapes } from "../../../src/plain_text.ts";
import { requireParsable } from "../../../src/markdoc/markup_limits.ts";
import { isEntityType } from "./types.ts";
import { criteriaIn, uncountedBoxes } from "./criteria.ts";
import type { Section, Span, SyntaxProblem } from "./model.ts";
import { isReference, type Outline, outlineOf } from "./outline.ts";
import { titleAndSections } from "./sections.ts";
import { openingTag, valuesOf } from "./tag.ts";
import { inlinesIn } from "./tokens.ts";

export type { Criterion } from "./criteria.ts";
export * from "./model.ts";

/** A line that begins with a tag: its indent and name. */
const OPENING = /^([ \t]*)\{%\s*([\w-]+)/;

/** A file with the offsets of what is in it. */
export type Document = Readonly<ReturnType<typeof read>>;

/** The lines of the first and the last conflict marker. */
export type ConflictMarkers = Readonly<NonNullable<Document["conflict"]>>;

/** An entity. Its body consists of the title and the sections, in order. */
export type ParsedEntity = Readonly<NonNullable<Document["entity"]>>;

/**
 * Parses the text of a file.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` if it is too hard to parse.
 */
export function read(source: string) {
  requireParsable(source, inlinesIn);
  const text = plainOf(source);
  const outline = outlineOf(text);
  const entity = entityIn(outline);
  return {
    ...outline,
    // The text of the file as it is on disk.
    source,
    entity,
    broken: entity === undefined ? brokenIn(outline) : undefined,
    conflict: conflictIn(outline),
  };
}

/** Normalizes a text to LF line ends without a byte order mark. */
export function plainOf(source: string): string {
  return source.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
}

/** Finds the first line, outside code and comments, that opens an entity with a tag that is not valid. */
function brokenIn({ text, lines: { startOf }, hidden }: Outline): SyntaxProblem | undefined {
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

/** Reads the first entity at the top level of a text. */
function entityIn(outline: Outline) {
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
    // A milestone has a name.
    id: attributes["id"] || attributes["name"] || undefined,
    attributes,
    tag: openingTag(text, startOf(token.map![0]), token.nesting === 0),
    // The text between the lines of the opening and the closing tag.
    body,
    // After the closing tag's line; the end of the text without a closing tag.
    end,
    // Why the entity is not closed, so that its sections cannot be edited.
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
function conflictIn({ text, hidden }: Outline) {
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

export function contentOf({ text }: Pick<Document, "text">, { start, end }: Span): string {
  return text.slice(start, end);
}

/**
 * Finds a section by its exact name, else ignoring case, Unicode composition and white space, by
 * its heading as written or as plain text.
 */
export function sectionNamed({ sections }: ParsedEntity, name: string): Section | undefined {
  const wanted = keyOf(name);
  return sections.find((section) => section.name === name) ??
    sections.find((section) => keyOf(section.name) === wanted) ??
    sections.find(({ heading }) => heading !== "" && keyOf(heading) === wanted);
}

/** The headings of level 3, with names that are unique within the entity, and the texts below them. */
export function subsectionsOf({ text, lines: { lineAt }, hidden, entity }: Document) {
  const parts: { heading: string; name: string; lines: string[] }[] = [];
  const lines = text.split("\n");
  let part: string[] | undefined;
  const body = entity?.body ?? { start: 0, end: 0 };
  for (let index = lineAt(body.start); index < lineAt(body.end); index++) {
    const line = lines[index]!;
    const [, marks, name] = hidden.has(index) ? [] : /^(#{1,6})\s+(\S.*?)\s*#*$/.exec(line) ?? [];
    if (marks === undefined || marks.length > 3) part?.push(line);
    else {
      part = marks.length === 3 ? [] : undefined;
      const heading = name!;
      const count = parts.filter((part) => part.heading === heading).length + 1;
      const unique = count === 1 ? heading : `${heading} (${count})`;
      if (part !== undefined) parts.push({ heading, name: unique, lines: part });
    }
  }
  return parts.map(({ lines, ...part }) => ({ ...part, text: lines.join("\n").trim() }));
}

/** Normalizes a heading for comparison. */
export function keyOf(heading: string): string {
  return withEscapes(heading.trim()).normalize("NFC").toLowerCase().replace(/\s+/g, " ");
}

/** Whether a section consists of check boxes only. */
export function hasOnlyCriteria({ text, entity }: Document, section: Section): boolean {
  const { start, end } = section.content;
  let at = start;
  for (const criterion of entity?.criteria ?? []) {
    if (criterion.start < start || criterion.start >= end) continue;
    if (text.slice(at, criterion.start).trim() !== "") return false;
    at = Math.min(criterion.end, end);
    if (text.slice(criterion.words.end, at).trim() !== "") return false;
  }
  return at > start && text.slice(at, end).trim() === "";
}

/** Replaces parts of a text by spaces; offsets and line numbers stay the same. */
export function blanked(text: string, parts: readonly Span[]): string {
  let result = "";
  let at = 0;
  for (const { start, end } of parts) {
    result += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, " ");
    at = end;
  }
  return result + text.slice(at);
}

/** An id such as WORK-001 or a version such as v1.0.0, but no part of a longer one. */
const NAME = /\b(?<!-)(?:[A-Za-z]+-\d+(?!\w|[-.]\d)|v?\d+(?:\.\d+)+(?![\w-]|\.\d))/g;

/** Returns the distinct ids and versions in a text. */
export function idsIn(text: string): string[] {
  return [...new Set(text.match(NAME))];
}

/** Returns a function that replaces an id by another, as a whole word, even in tags and code. */
export function nameChanger(id: string, to: string): (text: string) => string {
  const name = RegExp.escape(id);
  // Underscores around an id are emphasis.
  const word = new RegExp(String.raw`(?<![A-Za-z0-9-]|\w_)${name}(?![A-Za-z0-9]|_\w|[-.]\d)`, "g");
  return (text) => text.replaceAll(word, () => to);
}

/** Converts a text to the line ends of a file, if those are all of one kind. */
export function lineEndsOf(source: string): (text: string) => string {
  const [kind = "\n", ...others] = new Set(source.match(/\r\n?|\n/g));
  return (text) => others.length > 0 ? text : text.replace(/\r?\n/g, () => kind);
}

/** Removes tags that end in their line; a reference becomes its id. */
export function withoutTags(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/\{%(.*?)%\}/g, (_tag, inside: string) => {
    const [name, id = ""] = inside.trim().split(/\s+/, 2);
    return isReference(name) ? id.replaceAll('"', "") : "";
  });
}
