/**
 * Whether a new text of an entity is the old one with the wanted changes and nothing else: every
 * part of the new document is what it was, or what an edit makes of it.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import type { Document } from "./document.ts";
import type { Editable, EditOutcome } from "./edits/outcome.ts";

/** What a text has to say. */
export interface Expected {
  /** The attributes that are set; an empty value removes one. */
  readonly attributes: Readonly<Record<string, string>>;
  /** What the edit of the body does, if there is one. */
  readonly outcome: EditOutcome | undefined;
  /** The words of the title, where it changes. */
  readonly title: string | undefined;
}

/**
 * Compares a document with what it was.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` that says what would be harmed.
 */
export function verifyEdit(
  before: Editable,
  after: Document,
  expected: Expected,
): asserts after is Editable {
  const [old, now] = [before.entity, after.entity];
  if (now === undefined || now.type !== old.type) throw harm("its tag could not be read any more");
  for (
    const name of Object.keys({ ...old.attributes, ...now.attributes, ...expected.attributes })
  ) {
    const wanted = expected.attributes[name] ?? old.attributes[name] ?? "";
    const value = now.attributes[name] ?? "";
    if (value !== wanted) throw harm(`its attribute "${name}" would read ${JSON.stringify(value)}`);
  }
  if (now.unclosed?.kind !== old.unclosed?.kind) {
    throw harm(now.unclosed?.message ?? "its end would be another one");
  }
  const known = new Set(old.errors.map(({ message }) => message));
  const fresh = now.errors.find(({ message }) => !known.has(message));
  if (fresh !== undefined) {
    throw harm(`Markdoc would report in line ${fresh.line}: ${fresh.message}`);
  }
  if (after.conflict !== undefined) throw harm("it would have merge conflict markers");
  if (before.text.slice(0, old.tag.start) !== after.text.slice(0, now.tag.start)) {
    throw harm("what stands before it would change");
  }
  if (before.text.slice(old.body.end).trimStart() !== after.text.slice(now.body.end).trimStart()) {
    throw harm("what follows it would change");
  }
  const { title, outcome } = expected;
  if (title === undefined ? now.title?.text !== old.title?.text : wordsOf(after) !== title) {
    throw harm(`its title would read ${JSON.stringify(now.title?.text ?? "")}`);
  }
  verifyParts(partsAfter(before, outcome), partsOf({ ...after, entity: now }));
  const criteria = outcome === undefined ? old.criteria.length : outcome.criteria;
  if (criteria !== undefined && now.criteria.length !== criteria) {
    throw harm("its criteria would change");
  }
}

function wordsOf({ text, entity }: Document): string | undefined {
  const words = entity?.title?.words;
  return words && text.slice(words.start, words.end);
}

/** A part of the body: without a text where that may be any. */
interface Part {
  readonly level: number;
  readonly heading?: string;
  readonly text?: string;
  readonly criteria?: number;
}

/** The parts that an edit makes of a document. */
function partsAfter(document: Editable, outcome: EditOutcome | undefined): Part[] {
  const { touched = [], removed = [], added } = outcome ?? {};
  const fresh = (added?.levels ?? []).map((level) => ({ level }));
  const parts = partsOf(document).flatMap((part, index): Part[] => {
    const { level, heading } = part;
    const own = touched.includes(index) ? { level, heading } : part;
    return [...added?.before === index ? fresh : [], ...removed.includes(index) ? [] : [own]];
  });
  return added?.before === document.entity.sections.length ? [...parts, ...fresh] : parts;
}

function partsOf({ text, entity }: Editable): Required<Part>[] {
  return entity.sections.map(({ level, name, start, end, body }, index) => ({
    level,
    heading: level === 0 ? name : text.slice(start, body.start).trim(),
    text: text.slice(start, end).trim(),
    criteria: entity.criteria.filter(({ section }) => section === index).length,
  }));
}

function verifyParts(wanted: readonly Part[], found: readonly Required<Part>[]): void {
  // What has no heading is no part as soon as it is empty.
  const left = found.filter(({ level, text }) => level > 0 || text !== "");
  for (const part of wanted) {
    const isGone = part.level === 0 && (part.heading ?? left[0]?.heading) !== left[0]?.heading;
    if (isGone && (part.text ?? "") === "") continue;
    const now = left.shift();
    const isSame = (["level", "heading", "text", "criteria"] as const)
      .every((name) => part[name] === undefined || part[name] === now?.[name]);
    if (!isSame) throw harm(`${part.heading || now?.heading || "its text"} would change or vanish`);
  }
  if (left.length > 0) throw harm(`${left[0]!.heading || "a text"} would become a section`);
}

/** The error for a change that would harm the entity. */
function harm(what: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `The change would harm the entity: ${what}`, {
    hint: "Nothing was written. Use plainer values, or edit the file by hand.",
  });
}
