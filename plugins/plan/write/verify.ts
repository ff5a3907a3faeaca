/**
 * Verifies that an edit changed nothing but what it should: every heading, criterion and tag
 * outside its splices is still there, in order, and nothing was added.
 */

import { quoted } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import { read, type Span } from "../entity/document.ts";
import { applySplices, type Editable, type EditOutcome } from "./edits/splices.ts";

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
  const [old, now] = [before.entity, after.entity];
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
  const known = new Set(old.errors.map(({ message }) => message));
  const fresh = now.errors.find(({ message }) => !known.has(message));
  if (fresh !== undefined) {
    throw damage(`Markdoc would report in line ${fresh.line}: ${fresh.message}`);
  }
  if (after.conflict !== undefined) throw damage("it would have merge conflict markers");
  const words = now.title?.words;
  if (
    title === undefined
      ? now.title?.text !== old.title?.text
      : words === undefined || after.text.slice(words.start, words.end) !== title
  ) throw damage(`its title would read ${quoted(now.title?.text ?? "")}`);
  const result = { ...after, entity: now };
  let shift = 0;
  const added = splices.map(({ start, end, text }) => {
    const span = { start: start + shift, end: start + shift + text.length };
    shift += text.length - (end - start);
    return span;
  });
  const isTouched = touchedBy(splices);
  const parts = Map.groupBy(partsOf(result), touchedBy(added));
  compare(partsOf(before).filter((part) => !isTouched(part)), parts.get(false) ?? []);
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
  readonly what: string;
  /** A section's level. */
  readonly level?: number;
  /** Whether it is a criterion. */
  readonly box?: boolean;
}

/** Returns the parts of an entity in the order of the text. */
function partsOf({ text, entity, further }: Editable): Part[] {
  const { type, tag, title, sections, criteria, body } = entity;
  // An edit may remove the indentation of what follows.
  const indented = (at: number) => at + /^[^\S\n]*/.exec(text.slice(at, at + 1000))![0].length;
  const heading = (from: number, to: number) => {
    const start = indented(from);
    const what = text.slice(start, to).trim();
    return { start, end: start + what.length, what };
  };
  const end = indented(body.end);
  const others = further.map(({ type, id }) => `${type} ${id}`).join();
  return [
    { start: tag.start, end: tag.start + 2, what: `the tag of the ${type}` },
    ...(title === undefined ? [] : [heading(title.line.start, title.line.end)]),
    ...sections.filter(({ level }) => level > 0)
      .map(({ start, level, body }) => ({ ...heading(start, body.start), level })),
    ...criteria.flatMap(({ box, text, checked }) => [
      { ...box, what: `whether "${text}" is checked (${checked})` },
      { start: box.end, end: box.end + 1, what: `the criterion "${text}"`, box: true },
    ]),
    { start: end, end, what: `the end of the entity ${others}`.trim() },
  ].sort((a, b) => a.start - b.start);
}

/** Returns a test for whether a part is touched by spans; both are in the order of the text. */
function touchedBy(spans: readonly Span[]): (part: Part) => boolean {
  let next = 0;
  return ({ start, end }) => {
    while (next < spans.length && spans[next]!.end <= start) next++;
    return next < spans.length && spans[next]!.start < end;
  };
}

function compare(wanted: readonly Part[], parts: readonly Part[]): void {
  for (let at = 0; at < Math.max(wanted.length, parts.length); at++) {
    const [old, now] = [wanted[at], parts[at]];
    if (old?.what === now?.what) continue;
    const isNew = parts.length > wanted.length || old === undefined;
    throw damage(
      isNew
        ? `${quoted(now!.what)} would be added`
        : `${quoted(old.what)} would change or disappear`,
    );
  }
}

function damage(what: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `The change would damage the entity: ${what}`, {
    hint: "Nothing was written. Use simpler values, or edit the file by hand.",
  });
}
