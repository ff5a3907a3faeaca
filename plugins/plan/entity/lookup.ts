/** Looks things up in a {@linkcode Document}. */

import { withEscapes } from "../../../src/plain_text.ts";
import type { Document, ParsedEntity, Section, Span } from "./model.ts";
import { isReference } from "./outline.ts";

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

/** The text below a heading of level 3, up to the next heading. */
interface Subsection {
  readonly heading: string;
  /** Unique within the entity, as the names of sections are. */
  readonly name: string;
  readonly text: string;
}

/** The headings of level 3, with their texts. */
export function subsectionsOf({ text, lines: { lineAt }, hidden, entity }: Document): Subsection[] {
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
  let left = "";
  let at = 0;
  for (const { start, end } of parts) {
    left += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, " ");
    at = end;
  }
  return left + text.slice(at);
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
  const word = new RegExp(
    String.raw`(?<![A-Za-z0-9-]|\w_)${name}(?![A-Za-z0-9]|_\w|[-.]\d)`,
    "g",
  );
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
