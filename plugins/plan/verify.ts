/**
 * Whether a new text of an entity is the old one with the wanted changes and nothing else: every
 * part of the new document is what it was, or what an edit makes of it.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import type { Document } from "./document.ts";
import { type Editable, type EditOutcome, type Part, partOf } from "./edits/outcome.ts";

/** What a text has to say. */
export interface Expected {
  /** The attributes that are set; an empty value removes one. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The edits that were made, which share no section. */
  readonly outcomes: readonly EditOutcome[];
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
  const title = expected.outcomes.find((outcome) => outcome.title !== undefined)?.title;
  if (title === undefined ? now.title?.text !== old.title?.text : titleIn(after) !== title) {
    throw harm(`its title would read ${JSON.stringify(now.title?.text ?? "")}`);
  }
  const edited: Editable = { ...after, entity: now };
  verifyParts(partsAfter(before, expected.outcomes), partsOf(edited), edited);
}

function titleIn({ text, entity }: Document): string | undefined {
  const words = entity?.title?.words;
  return words && text.slice(words.start, words.end);
}

/** The parts that the edits make of a document. */
function partsAfter(document: Editable, outcomes: readonly EditOutcome[]): Part[] {
  const { sections } = document.entity;
  const added = outcomes.flatMap((outcome) => outcome.added ?? [])
    .sort((a, b) => a.before - b.before || a.rank - b.rank);
  const changed = new Map(outcomes.flatMap((outcome) => [...outcome.sections ?? []]));
  const parts: Part[] = [];
  for (let index = 0; index <= sections.length; index++) {
    for (const { before, parts: own } of added) if (before === index) parts.push(...own);
    if (index === sections.length) break;
    const part = changed.has(index) ? changed.get(index) : partOf(document, index);
    if (part !== undefined) parts.push(part);
  }
  return parts;
}

function partsOf(document: Editable): Part[] {
  return document.entity.sections.map((_section, index) => partOf(document, index));
}

function verifyParts(wanted: readonly Part[], found: readonly Part[], { entity }: Editable): void {
  const isThere = ({ text }: Part) => text !== "";
  const [expected, parts] = [wanted.filter(isThere), found.filter(isThere)];
  const names = entity.sections.filter((_section, index) => isThere(found[index]!));
  for (let index = 0; index < Math.max(expected.length, parts.length); index++) {
    const [part, now] = [expected[index], parts[index]];
    const name = names[index]?.name ?? firstLineOf(part);
    if (part?.text !== now?.text || part?.level !== now?.level) {
      throw harm(`its section "${name}" would change or vanish`);
    }
    const isSame = part!.criteria.length === now!.criteria.length &&
      part!.criteria.every(({ text, checked }, at) =>
        now!.criteria[at]!.text === text && now!.criteria[at]!.checked === checked
      );
    if (!isSame) throw harm(`the criteria of its section "${name}" would change`);
  }
}

function firstLineOf(part: Part | undefined): string {
  return part?.text.split("\n", 1)[0] ?? "";
}

/** The error for a change that would harm the entity. */
function harm(what: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `The change would harm the entity: ${what}`, {
    hint: "Nothing was written. Use plainer values, or edit the file by hand.",
  });
}
