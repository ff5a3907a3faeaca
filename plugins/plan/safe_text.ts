/**
 * Text from a caller that goes into an entity: it may not end the entity, open a
 * tag that nothing closes, or leave a code fence open.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { Fences } from "../../src/io/markdown.ts";
import { isEntityType, linesOf, tagEnd } from "../../src/project/entities.ts";

const MOST_TEXT = 256 * 1024;
const TAG = /^\{%\s*(\/?)\s*([a-zA-Z][\w-]*)((?:[^"]|"(?:[^"\\]|\\.)*")*?)(\/?)\s*%\}$/;

/** A tag in a text. */
interface FoundTag {
  readonly start: number;
  readonly name: string;
  readonly kind: "open" | "close" | "single";
}

/**
 * Makes a text fit for the inside of an entity: line ends become LF, and every `{%`
 * that does not belong to a whole tag is escaped, so that it is shown as it stands.
 * Tags of entities are refused.
 *
 * @param what Names the text in errors, such as `"resolve"`.
 * @throws {RefraktError} `VALIDATION_ERROR` for an open fence, a tag of an entity, control characters, or too much text.
 */
export function safeText(given: string, what: string): string {
  const text = given.replace(/\r\n?/g, "\n");
  if (text.length > MOST_TEXT) {
    throw new RefraktError("VALIDATION_ERROR", `${what} is longer than ${MOST_TEXT} characters`, {
      hint: "Shorten it, or put the text into a file of its own.",
    });
  }
  // deno-lint-ignore no-control-regex -- these are what is looked for
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) {
    throw new RefraktError("VALIDATION_ERROR", `${what} may not hold control characters`, {
      hint: "Give plain text.",
    });
  }
  const open = openFence(text);
  if (open !== undefined) {
    throw new RefraktError(
      "VALIDATION_ERROR",
      `${what} leaves the code fence of its line ${open} open`,
      { hint: "Close the fence with the same marks on a line of their own." },
    );
  }
  refuseEntityTags(text, what);
  return escapeTags(text);
}

/** Refuses tags of entities: an entity cannot stand inside another. */
function refuseEntityTags(text: string, what: string): void {
  for (const line of linesOf(text)) {
    if (line.isFenced) continue;
    for (const place of openingsIn(line.text)) {
      if (line.text[place - 1] === "\\") continue;
      const name = /^\{%\s*\/?\s*([a-z]+)/.exec(line.text.slice(place))?.[1];
      if (name === undefined || !isEntityType(name)) continue;
      throw new RefraktError(
        "VALIDATION_ERROR",
        `${what} may not hold the tags of plan entities: they would break the file`,
        { hint: 'Refer to another entity with {% ref "WORK-001" /%}, or by its bare id.' },
      );
    }
  }
}

/** The number of the line whose fence is still open at the end. */
function openFence(text: string): number | undefined {
  const fences = new Fences();
  let opened = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const wasOpen = fences.isOpen;
    fences.read(line);
    if (!wasOpen && fences.isOpen) opened = index + 1;
  }
  return fences.isOpen ? opened : undefined;
}

function escapeTags(text: string): string {
  if (!text.includes("{%")) return text;
  const kept = keptTags(text);
  let out = "";
  let at = 0;
  for (const line of linesOf(text)) {
    if (line.isFenced) continue;
    for (const place of openingsIn(line.text)) {
      const start = line.start + place;
      if (start < at || kept.has(start) || text[start - 1] === "\\") continue;
      out += `${text.slice(at, start)}\\`;
      at = start;
    }
  }
  return out + text.slice(at);
}

/** Where `{%` stands in a line, outside code spans. */
function* openingsIn(line: string): Generator<number> {
  for (let index = 0; index < line.length; index++) {
    if (line[index] === "`") {
      const run = /^`+/.exec(line.slice(index))![0];
      const close = closingRun(line, index + run.length, run.length);
      index = close === undefined ? index + run.length - 1 : close - 1;
    } else if (line.startsWith("{%", index)) yield index++;
  }
}

/** Where a code span ends that a run of so many back quotes began. */
function closingRun(line: string, from: number, length: number): number | undefined {
  for (const match of line.slice(from).matchAll(/`+/g)) {
    if (match[0].length === length) return from + match.index + length;
  }
  return undefined;
}

/** The places of tags that are whole: they close themselves, or each other. */
function keptTags(text: string): Set<number> {
  const kept = new Set<number>();
  const open: FoundTag[] = [];
  for (const tag of tagsOf(text)) {
    if (tag.kind === "single") kept.add(tag.start);
    else if (tag.kind === "open") open.push(tag);
    else {
      const index = open.findLastIndex(({ name }) => name === tag.name);
      if (index === -1) continue;
      kept.add(open[index]!.start).add(tag.start);
      open.length = index;
    }
  }
  return kept;
}

function* tagsOf(text: string): Generator<FoundTag> {
  let at = 0;
  for (const line of linesOf(text)) {
    if (line.isFenced) continue;
    for (const place of openingsIn(line.text)) {
      const start = line.start + place;
      if (start < at || text[start - 1] === "\\") continue;
      const end = tagEnd(text, start);
      const match = end === undefined ? null : TAG.exec(text.slice(start, end));
      if (match === null || isEntityType(match[2]!)) continue;
      at = end!;
      const kind = match[1] === "/" ? "close" : match[4] === "/" ? "single" : "open";
      yield { start, name: match[2]!, kind };
    }
  }
}
