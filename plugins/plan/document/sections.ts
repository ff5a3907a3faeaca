/**
 * The title and the sections of an entity.
 *
 * @module
 */

import { marksIn } from "./inline.ts";
import { DESCRIPTION, type Section, type Span, type Title, type Unclosed } from "./model.ts";
import { isTagToken, type Outline } from "./outline.ts";
import type { Source } from "./source.ts";
import { own } from "./tag.ts";
import { inlineOf, type Token } from "./tokens.ts";

/** Names what stands before a title that is not at the beginning. */
const BEFORE_TITLE = "(before the title)";
/** Names a section whose heading says nothing. */
const UNTITLED = "(untitled)";

/** The parts of an entity. */
export interface Parts {
  readonly title: Title | undefined;
  readonly sections: readonly Section[];
}

interface Range {
  /** The tokens of the entity. */
  readonly range: { readonly from: number; readonly to: number };
  /** In the text with LF, as all spans here. */
  readonly body: Span;
  readonly unclosed: Unclosed | undefined;
}

/** A part before its end is known. */
interface Begun {
  readonly name: string;
  readonly heading: string;
  readonly level: 0 | 1 | 2;
  readonly start: number;
  readonly bodyStart: number;
}

/** Finds the parts. */
export function partsOf(
  { source, tokens, inlines, unmatched }: Outline,
  { range, body, unclosed }: Range,
): Parts {
  const sections: Section[] = [];
  const names = new Map<string, number>();
  let title: Title | undefined;
  let nestedTitle: number | undefined;
  let part: Begun = {
    name: "",
    heading: "",
    level: 0,
    start: body.start,
    bodyStart: body.start,
  };
  const { at } = source;
  const endPart = (end: number, name: string) => {
    const content = trimmed(source.plain, part.bodyStart, end);
    if (name === BEFORE_TITLE && content.start === content.end) return;
    const holdsTitle = nestedTitle !== undefined && nestedTitle >= part.start;
    if (holdsTitle) nestedTitle = undefined;
    sections.push({
      name: uniqueName(names, name),
      heading: part.heading,
      level: part.level,
      start: at(part.start),
      end: at(end),
      body: { start: at(part.bodyStart), end: at(end) },
      content: { start: at(content.start), end: at(content.end) },
      locked: unclosed?.message ?? (holdsTitle ? "It holds the title of the entity" : undefined),
    });
  };
  let depth = 0;
  for (let index = range.from; index < range.to; index++) {
    const token = tokens[index]!;
    if (token.type === "heading_open") {
      const level = Number(token.tag.slice(1));
      const inline = tokens[index + 1]!;
      const isTitle = level === 1 && title === undefined;
      const [line, after] = token.map!;
      const start = source.startOf(line);
      const isOwn = depth === 0;
      if (isTitle || isOwn && level <= 2) {
        // A heading without markup is one token.
        const inside = inlines.get(index + 1) ?? inlineOf(inline.content);
        const text = textOf(inside, isTitle);
        const name = nameOf(inline.content, inside);
        // A title keeps its annotation.
        const words = isOwn ? wordsOf(source, line, inline.content, name) : undefined;
        const next = source.startOf(after);
        if (isTitle) {
          title = {
            text: own(text),
            words: words && { start: at(words.start), end: at(words.end) },
            line: { start: at(start), end: at(next) },
          };
          if (!isOwn) nestedTitle = start;
        }
        if (isOwn) {
          endPart(start, part.name !== "" ? part.name : isTitle ? BEFORE_TITLE : DESCRIPTION);
          part = {
            name: isTitle ? DESCRIPTION : name || UNTITLED,
            heading: isTitle ? "" : own(text),
            level: isTitle ? 0 : level === 1 ? 1 : 2,
            start: isTitle ? next : start,
            bodyStart: next,
          };
        }
      }
    }
    // A tag that nothing closes encloses nothing.
    if (!unmatched.has(index)) depth += token.nesting;
  }
  endPart(body.end, part.name !== "" ? part.name : DESCRIPTION);
  return { title, sections };
}

/** The words of a heading: its text, and for a title its code. */
function textOf(tokens: readonly Token[], withCode: boolean): string {
  return tokens.filter(({ type }) => type === "text" || withCode && type === "code_inline")
    .map(({ content }) => content).join("").trim();
}

/** Where the text of a heading stands in its line, without annotations after it. */
function wordsOf(source: Source, line: number, content: string, name: string): Span {
  const start = source.startOf(line);
  const text = source.lineText(line);
  const marks = text.length - text.trimStart().replace(/^#+/, "").length;
  const words = start + (content === "" ? marks : text.indexOf(content, marks));
  return { start: words, end: words + (content.startsWith(name) ? name : content).length };
}

/** A heading as it is written, without annotations. */
function nameOf(content: string, inside: readonly Token[]): string {
  const tags = inside.filter(isTagToken);
  if (!tags.some(({ type }) => type === "annotation")) return own(content);
  const annotations = [...marksIn(content, 0, content.length)]
    .filter(({ kind, end }) => kind === "tag" && end !== -1)
    .filter((_mark, index) => tags[index]?.type === "annotation");
  const name = annotations.reduceRight(
    (text, { start, end }) => text.slice(0, start) + text.slice(end),
    content,
  );
  return own(name.trim());
}

/** A name that none of the taken ones is; they are kept with the next number to try. */
function uniqueName(taken: Map<string, number>, name: string): string {
  let unique = name;
  let count = taken.get(name) ?? 2;
  while (taken.has(unique)) unique = `${name} (${count++})`;
  taken.set(name, count);
  if (unique !== name) taken.set(unique, 2);
  return unique;
}

/** A part of a text without blank lines at its beginning, and without white space at its end. */
function trimmed(text: string, start: number, end: number): Span {
  const part = text.slice(start, end);
  const { length } = part.trimEnd();
  if (length === 0) return { start, end: start };
  const lines = /^(?:[^\S\n]*\n)*/.exec(part)![0].length;
  return { start: start + lines, end: start + length };
}
