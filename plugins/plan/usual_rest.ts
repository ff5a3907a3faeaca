/**
 * What an entity says beyond its header, read without the plugin's parser where its
 * text has the usual form; that parser takes twenty times as long.
 *
 * @module
 */

import { plainFence } from "../../src/io/markdown.ts";
import type { EntityType } from "../../src/project/entities.ts";
import type { Resolution, ScopedRef } from "./entity.ts";

/** What is read of an entity of the usual form, beside its header and its criteria. */
export interface UsualRest {
  /** The ids that it refers to. */
  readonly refs: readonly string[];
  /** The same with their sections. */
  readonly scopedRefs: readonly ScopedRef[];
  /** The canonical names of the sections that it has. */
  readonly knownSectionsPresent: readonly string[];
  /** Its resolution. */
  readonly resolution: Resolution | undefined;
}

/** Tells the canonical name of a section by the line of its heading; `undefined` for others. */
export type SectionOf = (type: EntityType, line: string) => string | undefined;

/** What ends a line for some patterns alone. */
const ODD_ENDS = /[\r\0\u2028\u2029]/;
const HEADING = /^(#{1,6})(?:[ \t]|$)/;
/** A heading of a section that may stand in the entity itself, or in a list of it. */
const INDENTED_HEADING = /^[ \t]+##(?:[ \t]|$)/;
/** The only tag that the usual form has inside of an entity. */
const REF = /\{% (?:ref|xref) "([^"\\{}%\n]+)" \/%\}/g;
const CODE = /`[^`]*`/g;
/** In a block with tags, these make it doubtful where code, links and images begin and end. */
const DOUBTFUL = /\\|``|!\[|\]:|\]\((?![^\s()<>"'`{]*\))/;
/** What may begin an item, a quotation or a tag of its own: code does not go on across it. */
const BEGINNING = /\n(?=[ \t]*(?:[-*+>]|\d+[.)]|\{%))/;
/** The line below the head of a table: what has too many cells loses some. */
const TABLE_RULE = /^[ \t>]*[-:|][-:| \t]*$/m;
/** So much may stand before a reference in its line: no lists within many others. */
const MOST_BEFORE = 60;
/** The longest line of a heading that is looked up. */
const MOST_HEADING = 120;

/**
 * Reads the rest of an entity.
 *
 * @param text A text whose header is of the usual form, with plain line ends.
 * @param sectionOf Knows the sections of the entity's type.
 * @returns `undefined` where the text is not of the usual form: the parser has to read it.
 */
export function usualRest(
  text: string,
  type: EntityType,
  sectionOf: SectionOf,
): UsualRest | undefined {
  if (ODD_ENDS.test(text)) return undefined;
  const lines = text.split("\n");
  const end = lines.lastIndexOf(`{% /${type} %}`);
  if (end < 1 || lines.slice(end + 1).some((line) => line.trim() !== "")) return undefined;
  const found = readBody(lines, end, type, sectionOf);
  return found && { ...found, resolution: resolutionOf(lines, end) };
}

function readBody(
  lines: readonly string[],
  end: number,
  type: EntityType,
  sectionOf: SectionOf,
): Omit<UsualRest, "resolution"> | undefined {
  const refs = new Set<string>();
  const scoped = new Map<string, ScopedRef>();
  const sections = new Set<string>();
  let section: string | undefined;
  let fence: string | undefined;
  let codeEnd = 0;
  let block: string[] = [];
  const endBlock = () => {
    const ids = block.length === 0 ? [] : refsOf(block.join("\n"));
    block = [];
    for (const id of ids ?? []) {
      refs.add(id);
      const key = `${id}:${section ?? ""}`;
      if (!scoped.has(key)) scoped.set(key, section === undefined ? { id } : { id, section });
    }
    return ids !== undefined;
  };
  for (let at = 1; at < end; at++) {
    const line = lines[at]!;
    if (fence !== undefined) {
      if (endsFence(line, fence)) fence = undefined;
      else if (line.trimStart().startsWith(fence)) return undefined;
      continue;
    }
    const opening = plainFence(line);
    const heading = line.startsWith("#") ? HEADING.exec(line) : null;
    if (opening !== undefined || heading !== null || isBlank(line)) {
      // A heading below a table might be one of its rows, for some parsers.
      if (heading !== null && block.at(-1)?.includes("|")) return undefined;
      if (!endBlock()) return undefined;
      fence = opening;
      if (heading?.[1] === "##") {
        if (line.length > MOST_HEADING) return undefined;
        section = sectionOf(type, line);
        if (section !== undefined) sections.add(section);
      }
      if (heading !== null) block.push(line);
      if (!endBlock()) return undefined;
    } else if (INDENTED_HEADING.test(line)) return undefined;
    else {
      if (at > codeEnd && (line.includes("```") || line.includes("~~~"))) {
        codeEnd = indentedFenceEnd(lines, at, end);
        if (codeEnd < 0) return undefined;
      }
      block.push(line);
    }
  }
  // What stands immediately before the closing tag might have it as a part.
  if (fence !== undefined || block.length > 0) return undefined;
  return {
    refs: [...refs],
    scopedRefs: [...scoped.values()],
    knownSectionsPresent: [...sections],
  };
}

/**
 * The last line of a fence in a list; -1 where that is doubtful. Whether it is one or, for how far
 * it is indented, text: no line of it can be anything that counts.
 */
function indentedFenceEnd(lines: readonly string[], start: number, end: number): number {
  const [indent] = /^ */.exec(lines[start]!)!;
  const fence = plainFence(lines[start]!.slice(indent.length));
  if (indent === "" || fence === undefined || lines[start]!.includes("{%")) return -1;
  for (let at = start + 1; at < end; at++) {
    const line = lines[at]!;
    if (isBlank(line)) continue;
    if (!line.startsWith(indent) || line.includes("{%")) return -1;
    const code = line.slice(indent.length);
    if (endsFence(code, fence)) return at;
    if (code.trimStart().startsWith(fence)) return -1;
  }
  return -1;
}

function endsFence(line: string, fence: string): boolean {
  return line.startsWith(fence) && isBlank(line.slice(/^(?:`+|~+)/.exec(line)![0].length));
}

/** As Markdown has it: any other white space is text. */
function isBlank(line: string): boolean {
  return /^[ \t]*$/.test(line);
}

/** The references in a block, which no blank line parts; `undefined` where it is doubtful. */
function refsOf(block: string): string[] | undefined {
  if (!block.includes("{%")) return [];
  if (DOUBTFUL.test(block)) return undefined;
  const isTable = block.includes("|") && TABLE_RULE.test(block);
  const ids: string[] = [];
  for (const part of block.split(BEGINNING)) {
    // A cell ends within code too.
    const prose = part.replace(CODE, (code) => isTable && /[|\n]/.test(code) ? "`" : "");
    if (prose.includes("`")) return undefined;
    if (!prose.includes("{%")) continue;
    if (isTable || prose.replace(REF, "").includes("{%")) return undefined;
    if (/^[\s>*+.)\d-]*/.exec(part)![0].length > MOST_BEFORE) return undefined;
    for (const [, id] of prose.matchAll(REF)) ids.push(id!);
  }
  return ids;
}

/** The first section of that name, whatever it stands in; as the plugin reads it. */
function resolutionOf(lines: readonly string[], end: number): Resolution | undefined {
  const start = lines.findIndex((line, at) => at < end && /^##\s+Resolution\s*$/.test(line));
  if (start === -1) return undefined;
  const facts: Record<string, string> = {};
  const body: string[] = [];
  for (let at = start + 1; at <= end && !/^##\s+[^#]/.test(lines[at]!); at++) {
    const [, name, value] = /^(Completed|Branch|PR):\s*(.+)$/.exec(lines[at]!) ?? [];
    if (name === undefined) body.push(lines[at]!);
    else if (name === "Completed") facts["date"] = value!.trim();
    else if (name === "Branch") facts["branch"] = value!.trim().replace(/^`|`$/g, "");
    else facts["pr"] = value!.trim();
  }
  return { ...facts, body: body.join("\n").trim() };
}
