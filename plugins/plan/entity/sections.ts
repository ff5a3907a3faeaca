/** Splits an entity into its title and sections. */

import { DESCRIPTION, type Section, type Span, type Title, type Unclosed } from "./model.ts";
import { isTagToken, type Outline, type Range } from "./outline.ts";
import { marksIn } from "./tag.ts";
import { inlineOf, type Token } from "./tokens.ts";

/** The name of a non-empty part before the title. */
const BEFORE_TITLE = "(before the title)";
/** The name of a section with an empty heading. */
const UNTITLED = "(untitled)";

export function titleAndSections(
  { text, lines: { startOf }, tokens, inlines, unmatched }: Outline,
  { from, to, body }: Range,
  unclosed: Unclosed | undefined,
): { readonly title: Title | undefined; readonly sections: readonly Section[] } {
  const sections: Section[] = [];
  const names = new Map<string, number>();
  let title: Title | undefined;
  let nestedTitle: number | undefined;
  const first = { name: "", heading: "", level: 0 };
  let part = { ...first, start: body.start, bodyStart: body.start };
  const endPart = (end: number, unnamed: string) => {
    const { heading, level, start, bodyStart } = part;
    const name = part.name || unnamed;
    const content = trimmed(text, bodyStart, end);
    if (name === BEFORE_TITLE && content.start === content.end) return;
    const holdsTitle = nestedTitle !== undefined && nestedTitle >= start;
    if (holdsTitle) nestedTitle = undefined;
    const locked = unclosed?.message ??
      (holdsTitle ? "It contains the entity's title" : undefined);
    const spans = { start, end, body: { start: bodyStart, end }, content };
    sections.push({ name: uniqueName(names, name), heading, level, ...spans, locked });
  };
  let depth = 0;
  for (let index = from; index < to; index++) {
    const token = tokens[index]!;
    const level = token.type === "heading_open" ? Number(token.tag.slice(1)) : 0;
    const isTitle = level === 1 && title === undefined;
    const isOwn = depth === 0;
    if (isTitle || isOwn && (level === 1 || level === 2)) {
      const line = tokens[index + 1]!;
      const { content } = line;
      const inside = inlines.get(line) ?? inlineOf(content);
      const heading = headingText(inside, isTitle);
      const written = headingName(content, inside);
      // Zod drops this key from arguments, so the text of the bold word is the name.
      const name = written === "__proto__" ? heading : written;
      const [start, next] = [startOf(token.map![0]), startOf(token.map![1])];
      if (isOwn) endPart(start, isTitle ? BEFORE_TITLE : DESCRIPTION);
      if (isTitle) {
        // The annotation of a title stays.
        const words = isOwn ? headingSpan(text, start, content, name) : undefined;
        title = { text: heading, words, line: { start, end: next } };
        if (isOwn) part = { ...first, name: DESCRIPTION, start: next, bodyStart: next };
        else nestedTitle = start;
      } else part = { name: name || UNTITLED, heading, level, start, bodyStart: next };
    }
    // An unclosed tag contains nothing.
    if (!unmatched.has(token)) depth += token.nesting;
  }
  endPart(body.end, DESCRIPTION);
  return { title, sections };
}

/** The text of a heading; a title includes its code. */
function headingText(tokens: readonly Token[], withCode: boolean): string {
  return tokens.filter(({ type }) => type === "text" || withCode && type === "code_inline")
    .map(({ content }) => content).join("").trim();
}

/** The span of a heading's text in its line, without trailing annotations. */
function headingSpan(text: string, start: number, content: string, name: string): Span {
  const marks = start + /[^\S\n]*#*/y.exec(text.slice(start))![0].length;
  const words = content === "" ? marks : text.indexOf(content, marks);
  return { start: words, end: words + (content.startsWith(name) ? name : content).length };
}

/** A heading as written, without annotations. */
function headingName(content: string, inside: readonly Token[]): string {
  const tags = inside.filter(isTagToken);
  if (!tags.some(({ type }) => type === "annotation")) return content;
  const name = [...marksIn(content, 0, content.length)]
    .filter(({ kind, end }) => kind === "tag" && end !== -1)
    .filter((_mark, index) => tags[index]?.type === "annotation")
    .reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), content);
  return name.trim();
}

/** Makes a name unique. The map holds the next number to try for each name. */
function uniqueName(taken: Map<string, number>, name: string): string {
  let unique = name;
  let count = taken.get(name) ?? 2;
  while (taken.has(unique)) unique = `${name} (${count++})`;
  taken.set(name, count);
  if (unique !== name) taken.set(unique, 2);
  return unique;
}

/** Trims blank lines at the beginning and white space at the end. */
function trimmed(text: string, start: number, end: number): Span {
  const part = text.slice(start, end);
  const { length } = part.trimEnd();
  if (length === 0) return { start, end: start };
  const lines = /^(?:[^\S\n]*\n)*/.exec(part)![0].length;
  return { start: start + lines, end: start + length };
}
