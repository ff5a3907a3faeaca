/**
 * Counts the markup of a text before it is parsed: nothing stops a parser, and some texts take
 * minutes or forever. A text that passes takes well below a second; real documents have less than a
 * third of these numbers. Counting takes one pass, and never counts too little.
 */

import { RefraktError } from "../errors.ts";
import { countAndLimit } from "../plain_text.ts";

/** How much of each kind a text may have. */
const LIMITS = {
  characters: 524_288,
  lines: 20_000,
  tags: 2000,
  "open tags in a paragraph": 95,
  "open tags in all paragraphs": 200,
  "characters in tags": 500_000,
  "attributes in a tag": 2000,
  "levels of brackets in a tag": 50,
  fences: 2000,
  headings: 2000,
  comments: 2000,
  "list items": 5000,
  "levels of lists and quotations in a line": 50,
  "brackets": 10_000,
  "lines to the end of the paragraph, summed over definitions of links": 1_000_000,
  "table cells": 30_000,
  "marks of emphasis, code and HTML": 20_000,
  "levels of emphasis in a paragraph": 500,
} as const;

type Kind = keyof typeof LIMITS;

/** With a hundred, the parser takes forever. */
const OPEN_TAGS = "open tags in a paragraph";

/** Each is nested in earlier ones, and the parser's stack overflows at about four hundred. */
const ALL_OPEN_TAGS = "open tags in all paragraphs";

/** The parser's stack overflows above a thousand; two marks may be two levels. */
const EMPHASIS = "levels of emphasis in a paragraph";

/** At each definition, the parser reads its paragraph to the end. */
const DEFINITIONS = "lines to the end of the paragraph, summed over definitions of links";

/** Returns the inline content of the paragraphs of a text: a parser's blocks, without those of code. */
type InlinesOf = (text: string) => readonly string[];

/**
 * Rejects a text that has too much of something.
 *
 * @param inlinesOf Tells code from paragraphs where there are many tags; without it, code counts too.
 * @throws {RefraktError} `VALIDATION_ERROR` with the count and the limit of what is exceeded most.
 */
export function requireParsable(text: string, inlinesOf?: InlinesOf): void {
  // A text that is too long is rejected anyway.
  const counts = countMarkup(text.slice(0, LIMITS.characters));
  counts.characters = text.length;
  const shareOf = (kind: Kind) => counts[kind] / LIMITS[kind];
  const isOpen = shareOf(OPEN_TAGS) > 1 || shareOf(ALL_OPEN_TAGS) > 1;
  if (isOpen && inlinesOf !== undefined && shareOf("tags") <= 1) {
    counts[OPEN_TAGS] = counts[ALL_OPEN_TAGS] = 0;
    for (const inline of inlinesOf(text)) countOpenTags(inline, counts);
  }
  const kinds = Object.keys(LIMITS) as Kind[];
  const worst = kinds.reduce((most, kind) => shareOf(kind) > shareOf(most) ? kind : most);
  if (shareOf(worst) <= 1) return;
  const excess = countAndLimit(counts[worst], worst, LIMITS[worst]);
  throw new RefraktError("VALIDATION_ERROR", `Markdown is too hard to parse: ${excess}`, {
    hint: "Split the text, or separate its blocks with blank lines.",
  });
}

/** Whether the error comes from these limits: it recurs until the text changes. */
export function isTooHard(error: unknown): boolean {
  return error instanceof RefraktError && error.code === "VALIDATION_ERROR";
}

/** Other spaces are text to the parser. */
const BLANK = /^[ \t]*$/;
/** The first character of the markup of a line, after indents and the marks of lists and quotations. */
const BEGINNING = /(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))*[ \t]*/y;
const ITEM = /[-*+.)](?=[ \t]|$)/g;
/** A bracket that begins no definition of a link, as the parser sees it at first glance. */
const NO_DEFINITION = /\[(?:[^\]]|(?<=\\)\])*(?<!\\)\](?!:)/y;
/** The line between the head and the rows of a table, if it has a hyphen. */
const TABLE_LINE = /^[ \t>:|*+.)\d-]*$/;
const MARKS = /[*_~`<]/g;
/** Two of the same mark are a level; within a word, an underscore is text. */
const EMPHASIS_MARKS = /\*+|~+|_+(?![\p{L}\p{N}])|(?<![\p{L}\p{N}_])_+/gu;
/** An item with text, which ends any paragraph before it. */
const ITEM_LINE = /^ {0,3}[-*+] +\S/;
/** A line that is a tag: it ends a paragraph, if it is not indented. */
const TAG_LINE = /^ {0,3}\{%(?:[^"{}%]|"[^"\\{}%]*")*%\}[ \t]*$/;

type Counts = Record<Kind, number>;

function atLeast(counts: Counts, kind: Kind, count: number): void {
  counts[kind] = Math.max(counts[kind], count);
}

function countMarkup(text: string): Counts {
  const counts = Object.fromEntries(Object.keys(LIMITS).map((kind) => [kind, 0])) as Counts;
  const marks = text.match(MARKS)?.length ?? 0;
  counts["marks of emphasis, code and HTML"] = marks;
  counts.brackets = countOf(text, "[");
  counts.comments = countOf(text, "<!--");
  countTags(text, counts);
  // Most texts have too few marks and tags for one paragraph to exceed its limit.
  const mayEmphasize = marks > LIMITS[EMPHASIS];
  const mayOpenTags = counts.tags > LIMITS[OPEN_TAGS];
  let paragraph: string[] = [];
  let columns = 0;
  let definitions = 0;
  let [openings, closings] = [0, 0];
  const endParagraph = () => {
    countOpenTags(paragraph.join("\n"), counts);
    paragraph = [];
  };
  for (const line of text.split(/\r\n?|\n/)) {
    counts.lines++;
    if (BLANK.test(line)) {
      endParagraph();
      [columns, definitions, openings, closings] = [0, 0, 0, 0];
      continue;
    }
    if (mayEmphasize && ITEM_LINE.test(line)) [openings, closings] = [0, 0];
    for (const { 0: { length }, index } of mayEmphasize ? line.matchAll(EMPHASIS_MARKS) : []) {
      const levels = Math.ceil(length / 2);
      if (/\S/.test(line[index + length] ?? "")) openings += levels;
      if (/\S/.test(line[index - 1] ?? "")) closings += levels;
    }
    atLeast(counts, EMPHASIS, Math.min(openings, closings));
    const rest = matchesAt(BEGINNING, line, 0) ? BEGINNING.lastIndex : 0;
    const beginning = line.slice(0, rest);
    const items = rest === 0 ? 0 : beginning.match(ITEM)?.length ?? 0;
    counts["list items"] += items;
    counts[DEFINITIONS] += definitions;
    atLeast(counts, "levels of lists and quotations in a line", items + countOf(beginning, ">"));
    if (line.startsWith("```", rest) || line.startsWith("~~~", rest)) counts.fences++;
    else if (line[rest] === "#") counts.headings++;
    else if (line[rest] === "[" && !matchesAt(NO_DEFINITION, line, rest)) definitions++;
    if (line.includes("-") && TABLE_LINE.test(line)) {
      columns = Math.max(columns, countOf(line, "|") + 1);
    }
    counts["table cells"] += columns;
    if (mayOpenTags && line.includes("{%")) {
      if (TAG_LINE.test(line)) endParagraph();
      else paragraph.push(line);
    }
  }
  endParagraph();
  return counts;
}

function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at;
  return sticky.test(text);
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

/**
 * Counts the tags and what is in them. For each that begins, the parser searches its end, outside of
 * quotes: that of an open one in the whole text.
 */
function countTags(text: string, counts: Counts): void {
  for (let at = text.indexOf("{%"); at !== -1; at = text.indexOf("{%", at + 2)) {
    counts.tags++;
    if (counts["characters in tags"] > LIMITS["characters in tags"]) continue;
    let end = at + 2;
    let [level, deepest, attributes, isText] = [0, 0, 0, false];
    for (; end < text.length; end++) {
      const character = text[end]!;
      if (isText) {
        if (character === "\\") end++;
        else if (character === '"') isText = false;
      } else if (character === '"') isText = true;
      else if (character === "%" && text[end + 1] === "}") break;
      else if (character === "[" || character === "{" || character === "(") {
        deepest = Math.max(deepest, ++level);
      } else if (character === "]" || character === "}" || character === ")") level--;
      else if (character === "=") attributes++;
    }
    counts["characters in tags"] += end - at;
    // An open tag is text.
    if (end >= text.length) continue;
    atLeast(counts, "levels of brackets in a tag", deepest);
    atLeast(counts, "attributes in a tag", attributes);
  }
}

/** A tag with an unambiguous end. */
const SIMPLE_TAG = /\{%([^"{}%]*(?:"[^"\\{}%]*"[^"{}%]*)*)%\}/y;
const CLOSING = /^\s*\/[\w-]+\s*$/;
/** A variable, a function or attributes of the node around it. */
const NO_TAG = /^\s*(?:[$.#]|[\w-]+[(=])/;

/** An address may have a backquote that opens no code. */
const ODD_BACKQUOTE = /\]\(|<[^\s<>]*`[^\s<>]*>/;

/** In longer paragraphs, in characters, code is not looked for. */
const LONGEST_PARAGRAPH = 50_000;

/** Removes code between backquotes from a paragraph, where it is certain. */
function withoutCode(paragraph: string): string {
  const isLong = paragraph.length > LONGEST_PARAGRAPH || countOf(paragraph, "{%") > LIMITS.tags;
  if (isLong || !paragraph.includes("`") || ODD_BACKQUOTE.test(paragraph)) return paragraph;
  let rest = "";
  let from = 0;
  const parts = /\\[^]|\{%(?:[^"%]|%(?!\})|"(?:[^"\\]|\\[^])*")*%\}|`+/g;
  for (let part = parts.exec(paragraph); part !== null; part = parts.exec(paragraph)) {
    if (!part[0].startsWith("`")) continue;
    // The code ends at the next run of so many backquotes. A pattern made here would be refused:
    // while hooks of packages read files, `new RegExp` has no lookbehind.
    const runs = /`+/g;
    runs.lastIndex = parts.lastIndex;
    let run = runs.exec(paragraph);
    while (run !== null && run[0].length !== part[0].length) run = runs.exec(paragraph);
    if (run === null) continue;
    rest += paragraph.slice(from, part.index);
    from = parts.lastIndex = runs.lastIndex;
  }
  return rest + paragraph.slice(from);
}

/** Counts the tags of a paragraph that are open at once, and that are open at its end. */
function countOpenTags(text: string, counts: Counts): void {
  const paragraph = withoutCode(text);
  let [open, mostOpen, isDoubtful] = [0, 0, false];
  for (let at = paragraph.indexOf("{%"); at !== -1; at = paragraph.indexOf("{%", at + 2)) {
    SIMPLE_TAG.lastIndex = at;
    const inner = SIMPLE_TAG.exec(paragraph)?.[1];
    if (inner !== undefined && NO_TAG.test(inner)) continue;
    // After an ambiguous tag, an apparent closing tag may be part of it.
    isDoubtful ||= inner === undefined;
    if (inner === undefined || !CLOSING.test(inner) && !inner.endsWith("/")) open++;
    else if (!isDoubtful && CLOSING.test(inner)) open = Math.max(0, open - 1);
    mostOpen = Math.max(mostOpen, open);
  }
  atLeast(counts, OPEN_TAGS, mostOpen);
  counts[ALL_OPEN_TAGS] += open;
}
