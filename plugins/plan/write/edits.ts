/**
 * Applies edits to the text of an entity, and verifies that they change nothing but what they should:
 * every heading, criterion and tag outside their splices is still there, in order.
 */

import { countAndLimit, quoted } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import {
  type Document,
  lineEndsOf,
  type ParsedEntity,
  read,
  type Section,
  type Span,
} from "../entity/document.ts";
import { SIZE_LIMITS } from "../../../src/io/read.ts";
import { validationError } from "../entity/values.ts";

/** Replaces a span with a text that has LF line ends. */
export interface Splice extends Span {
  readonly text: string;
}

/** The effect of one edit. Everything outside its splices must parse as before. */
export interface EditOutcome {
  readonly splices: readonly Splice[];
  /** The heading levels in the new text; none by default. */
  readonly levels?: readonly number[];
  /** The number of criteria in the new text; any number by default. */
  readonly criteria?: number;
  readonly title?: string;
  /** An empty value removes the attribute. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Finds the parts of an entity to change, and their replacements. */
export type Edit = (document: Editable) => EditOutcome;

/** The outcome of an edit that changes nothing. */
export const UNCHANGED: EditOutcome = { splices: [] };

export interface Editable extends Document {
  readonly entity: ParsedEntity;
}

/**
 * Applies splices to the text of a file and keeps its line ends.
 *
 * @param splices In order, with offsets in {@linkcode Document.text}.
 * @throws {TypeError} If two of them overlap.
 */
export function applySplices(source: string, splices: readonly Splice[]): string {
  const placeOf = placesIn(source);
  const withLineEnds = lineEndsOf(source);
  let [text, at, last] = ["", 0, 0];
  for (const { start, end, text: put } of splices) {
    if (start < last) throw new TypeError("Two changes overlap");
    text += source.slice(at, placeOf(start)) + withLineEnds(put);
    [at, last] = [placeOf(end), end];
  }
  return text + source.slice(at);
}

/** Maps offsets in the LF text to offsets in the file. */
function placesIn(source: string): (place: number) => number {
  const mark = source.startsWith("\uFEFF") ? 1 : 0;
  const ends = Array.from(source.matchAll(/\r\n/g), ({ index }, count) => index - count - mark);
  return (place) => place + mark + ends.filter((end) => end < place).length;
}

/** Rejects a change if it is unclear where sections end. */
export function requireUnlocked({ entity: { unclosed } }: Editable, section?: Section): void {
  const locked = section === undefined ? unclosed?.message : section.locked;
  if (locked === undefined) return;
  const name = section === undefined ? "Sections" : `The section ${quoted(section.name)}`;
  throw new RefraktError("VALIDATION_ERROR", `${name} cannot be changed: ${locked}`, {
    hint: unclosed === undefined
      ? "Move the title out of the section by hand."
      : "Close it in the file by hand. Until then, attributes, the title and the check boxes that " +
        "plan_get shows can still be changed.",
    data: { line: unclosed?.line },
  });
}

/** The most changes per call: each parses the whole text. */
const MAX_EDITS = 1000;

/**
 * Applies edits one after the other, and verifies each.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` if an edit does not apply to this entity.
 */
export function editDocument(before: Document, edits: readonly Edit[]): Editable {
  if (edits.length > MAX_EDITS) {
    throw validationError(
      `More than ${MAX_EDITS} changes in one call`,
      "Split them into several calls.",
    );
  }
  let document = editable(before);
  for (const edit of edits) {
    const edited = applyOutcome(document, edit(document));
    // Before the next edit makes it even larger.
    const bytes = new TextEncoder().encode(edited.source).length;
    if (bytes > SIZE_LIMITS.plan) {
      throw validationError(
        `The entity would have ${countAndLimit(bytes, "bytes", SIZE_LIMITS.plan)}`,
        "Move part of the text to another entity or file.",
      );
    }
    document = edited;
  }
  return document;
}

/** Requires that a document has an entity. */
export function editable({ entity, ...document }: Document): Editable {
  if (entity !== undefined) return { ...document, entity };
  throw validationError(
    "The entity's opening tag cannot be read",
    "Check that its quotes are closed and that it ends with %}.",
  );
}

/**
 * Applies the outcome of an edit to a document, and parses it again.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` that says what would be damaged.
 */
export function applyOutcome(
  before: Editable,
  { splices: unsorted, title, attributes = {}, levels: wanted = [], criteria }: EditOutcome,
): Editable {
  if (unsorted.length === 0) return before;
  const splices = unsorted.toSorted((a, b) => a.start - b.start);
  const after = read(applySplices(before.source, splices));
  const { entity: old } = before;
  const { entity: now } = after;
  if (now === undefined || now.type !== old.type) {
    throw damage("its tag would become unreadable");
  }
  for (const name of Object.keys({ ...old.attributes, ...now.attributes, ...attributes })) {
    const value = now.attributes[name] ?? "";
    if (value === (attributes[name] ?? old.attributes[name] ?? "")) continue;
    throw damage(`its attribute ${quoted(name)} would read ${quoted(value)}`);
  }
  if (now.unclosed?.kind !== old.unclosed?.kind) {
    throw damage(now.unclosed?.message ?? "its end would move");
  }
  const messages = new Set(old.errors.map(({ message }) => message));
  const fresh = now.errors.find(({ message }) => !messages.has(message));
  if (fresh !== undefined) {
    throw damage(`Markdoc would report in line ${fresh.line}: ${fresh.message}`);
  }
  if (after.conflict !== undefined) throw damage("it would have merge conflict markers");
  const words = now.title?.words;
  const isTitled = title === undefined
    ? now.title?.text === old.title?.text
    : words !== undefined && after.text.slice(words.start, words.end) === title;
  if (!isTitled) throw damage(`its title would read ${quoted(now.title?.text ?? "")}`);
  const result = { ...after, entity: now };
  let shift = 0;
  const added = splices.map(({ start, end, text }) => {
    const span = { start: start + shift, end: start + shift + text.length };
    shift += text.length - (end - start);
    return span;
  });
  const parts = Map.groupBy(protectedParts(result), (part) => isTouched(part, added));
  const remaining = protectedParts(before).filter((part) => !isTouched(part, splices));
  requireSame(remaining, parts.get(false) ?? []);
  const inside = parts.get(true) ?? [];
  const levels = inside.flatMap(({ level }) => level ?? []);
  if (levels.join() !== wanted.join()) throw damage("its sections would change");
  if (criteria !== undefined && inside.filter(({ box }) => box).length !== criteria) {
    throw damage("its criteria would change");
  }
  return result;
}

/** Something that an edit must not touch. */
interface Part extends Span {
  /** Its name in errors. */
  readonly label: string;
  /** A section's level. */
  readonly level?: number;
  /** Whether it is a criterion. */
  readonly box?: boolean;
}

/** Returns the parts of an entity in the order of the text. */
function protectedParts({ text, entity, further }: Editable): Part[] {
  const { type, tag, title, sections, criteria, body } = entity;
  // An edit may remove the indentation of what follows.
  const indented = (at: number) => at + /^[^\S\n]*/.exec(text.slice(at, at + 1000))![0].length;
  const heading = (from: number, to: number) => {
    const start = indented(from);
    const label = text.slice(start, to).trim();
    return { start, end: start + label.length, label };
  };
  const end = indented(body.end);
  const others = further.map(({ type, id }) => `${type} ${id}`).join();
  const parts: Part[] = [
    { start: tag.start, end: tag.start + 2, label: `the tag of the ${type}` },
    ...sections.filter(({ level }) => level > 0)
      .map(({ start, level, body }) => ({ ...heading(start, body.start), level })),
    ...criteria.flatMap(({ box, text, checked }) => [
      { ...box, label: `whether "${text}" is checked (${checked})` },
      { start: box.end, end: box.end + 1, label: `the criterion "${text}"`, box: true },
    ]),
    { start: end, end, label: `the end of the entity ${others}`.trim() },
  ];
  if (title !== undefined) parts.push(heading(title.line.start, title.line.end));
  return parts.sort((a, b) => a.start - b.start);
}

function isTouched(part: Span, spans: readonly Span[]): boolean {
  return spans.some(({ start, end }) => end > part.start && start < part.end);
}

function requireSame(wanted: readonly Part[], parts: readonly Part[]): void {
  for (let at = 0; at < Math.max(wanted.length, parts.length); at++) {
    const old = wanted[at];
    const now = parts[at];
    if (old?.label === now?.label) continue;
    const isNew = parts.length > wanted.length || old === undefined;
    throw damage(
      isNew
        ? `${quoted(now!.label)} would be added`
        : `${quoted(old.label)} would change or disappear`,
    );
  }
}

function damage(effect: string): RefraktError {
  return validationError(
    `The change would damage the entity: ${effect}`,
    "Nothing was written. Use simpler values, or edit the file by hand.",
  );
}
