/**
 * Looks things up in a {@linkcode Document}.
 *
 * @module
 */

import type { Document, Entity, Section, Span } from "./model.ts";

/** What a part of a text says. */
export function contentOf({ text }: Pick<Document, "text">, { start, end }: Span): string {
  return text.slice(start, end);
}

/**
 * The section of a name: exactly that, else whatever the case, composition and white space, of the
 * heading as it is written or of its words.
 */
export function sectionNamed({ sections }: Entity, name: string): Section | undefined {
  const wanted = keyOf(name);
  return sections.find((section) => section.name === name) ??
    sections.find((section) => keyOf(section.name) === wanted) ??
    sections.find(({ heading }) => heading !== "" && keyOf(heading) === wanted);
}

/** A heading as two are compared. */
export function keyOf(heading: string): string {
  return heading.trim().normalize("NFC").toLowerCase().replace(/\s+/g, " ");
}

/** Whether a section has check boxes and nothing else. */
export function hasOnlyCriteria({ text, entity }: Document, section: Section): boolean {
  const { start, end } = section.content;
  let at = start;
  for (const criterion of entity?.criteria ?? []) {
    if (criterion.start < start || criterion.start >= end) continue;
    if (text.slice(at, criterion.start).trim() !== "") return false;
    at = Math.min(criterion.end, end);
    if (text.slice(criterion.box.end + 1, at).trim().includes("\n")) return false;
  }
  return at > start && text.slice(at, end).trim() === "";
}

/** The text without the lines of check boxes that hold no tag; the other lines keep their places. */
export function withoutCriteria({ text, entity }: Document): string {
  let left = "";
  let at = 0;
  for (const { start, box } of entity?.criteria ?? []) {
    const end = text.indexOf("\n", box.end);
    if (end === -1 || text.slice(start, end).includes("{%")) continue;
    left += text.slice(at, start);
    at = end;
  }
  return left + text.slice(at);
}
