/**
 * Looks things up in a {@linkcode Document}.
 *
 * @module
 */

import type { Document, Entity, Section, Span } from "./model.ts";

export function contentOf({ text }: Pick<Document, "text">, { start, end }: Span): string {
  return text.slice(start, end);
}

/**
 * Finds a section by its exact name, else ignoring case, Unicode composition and white space, by
 * its heading as written or as plain text.
 */
export function sectionNamed({ sections }: Entity, name: string): Section | undefined {
  const wanted = keyOf(name);
  return sections.find((section) => section.name === name) ??
    sections.find((section) => keyOf(section.name) === wanted) ??
    sections.find(({ heading }) => heading !== "" && keyOf(heading) === wanted);
}

/** Normalizes a heading for comparison. */
export function keyOf(heading: string): string {
  return heading.trim().normalize("NFC").toLowerCase().replace(/\s+/g, " ");
}

/** Whether a section consists of check boxes only. */
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

/** Removes the lines of check boxes that contain no tag; line numbers stay the same. */
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
