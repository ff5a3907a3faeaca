/**
 * Whether a new text of an entity is the old one with the wanted changes and nothing
 * else: what the plugin and Markdoc read of both is compared before it is written.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { SIZE_LIMITS } from "../../src/io/read.ts";
import { type BodyEdit, type EditedText, tooLarge } from "./edits.ts";
import type { ParsedEntity } from "./entity.ts";
import { outlineOf } from "./outline.ts";
import type { PlanParser } from "./parser.ts";
import type { Reading, Syntax } from "./syntax.ts";

/** What is compared. */
export interface Verification {
  /** The text before. */
  readonly source: string;
  /** The same as the plugin reads it. */
  readonly before: ParsedEntity;
  /** The text that is to be written. */
  readonly edited: EditedText;
  /** The attributes that are set; an empty value removes one. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The edits that were made. */
  readonly edits: readonly BodyEdit[];
}

/**
 * Compares two texts of a file.
 *
 * @returns The new text as the plugin reads it.
 * @throws {RefraktError} `VALIDATION_ERROR` that says what would be harmed.
 */
export function verifyEdit(
  tools: { readonly parser: PlanParser; readonly syntax: Syntax },
  verification: Verification,
): ParsedEntity {
  try {
    return compare(tools, verification);
  } catch (error) {
    const [known] = tools.syntax.read(verification.source).errors;
    if (known === undefined || !(error instanceof RefraktError)) throw error;
    throw new RefraktError(error.code, error.message, {
      hint: `Nothing was written. Of the file as it is, Markdoc reports ${known}: look for a tag ` +
        "or a code fence that is left open, and mend that by hand first.",
    });
  }
}

function compare(
  { parser, syntax }: { readonly parser: PlanParser; readonly syntax: Syntax },
  { source, before, edited, attributes, edits }: Verification,
): ParsedEntity {
  if (new TextEncoder().encode(edited.text).length > SIZE_LIMITS.plan) throw tooLarge();
  const after = parser.parse(edited.text, before.file);
  if (after === null || after.type !== before.type) {
    throw harm("its tag could not be read any more");
  }
  verifyAttributes(before, after, attributes);
  const [old, now] = [syntax.read(source), syntax.read(edited.text)];
  const fresh = missing(now.errors, old.errors);
  if (fresh.length > 0) throw harm(`Markdoc would report ${fresh[0]}`);
  if (old.entities.length !== now.entities.length) {
    throw harm("the file would hold another number of entities");
  }
  if (JSON.stringify(old.entities) !== JSON.stringify(now.entities)) {
    throw harm("another entity of the file would change");
  }
  const parts = (texts: readonly string[]) => texts.map((text) => syntax.read(text));
  const [out, put] = [parts(edited.removed), parts(edited.inserted)];
  const compareParts = (what: string, of: (reading: Reading) => readonly string[]) => {
    const expected = afterParts(of(old), out.map(of), put.map(of));
    if (!isSameBag(of(now), expected)) throw harm(`its ${what} would change`);
  };
  compareParts("headings", (reading) => reading.headings);
  compareParts("references and other tags", (reading) => reading.tags);
  // Where a tag is not closed, the plugin takes the entity to end with its first line.
  const isWhole = !old.errors.some((error) => error.startsWith("missing-closing"));
  verifyCriteria(isWhole ? { before, after } : undefined, source, edited);
  verifyFrame(source, edited.text);
  if (!edits.some(({ kind }) => kind === "title" || kind === "body")) {
    if (after.title !== before.title) throw harm("its title would change");
  }
  if (edits.every(({ kind }) => kind === "check" || kind === "uncheck")) {
    const resolution = (entity: ParsedEntity) =>
      JSON.stringify(entity.resolution)?.replace(/- \[[xX ]\]/g, "- [ ]");
    if (resolution(before) !== resolution(after)) throw harm("its resolution would change");
    if (
      JSON.stringify(before.knownSectionsPresent) !== JSON.stringify(after.knownSectionsPresent)
    ) throw harm("its sections would change");
  }
  if (edits.some(({ kind }) => kind === "resolve") && !hasResolution(edited.text, after, isWhole)) {
    throw harm("its resolution would not be found");
  }
  return after;
}

function verifyAttributes(
  before: ParsedEntity,
  after: ParsedEntity,
  wanted: Readonly<Record<string, string>>,
): void {
  const names = [before.attributes, after.attributes, wanted].flatMap(Object.keys);
  for (const name of new Set(names)) {
    const expected = Object.hasOwn(wanted, name) ? wanted[name] : before.attributes[name];
    if ((after.attributes[name] || undefined) === (expected || undefined)) continue;
    throw harm(
      `its attribute "${name}" would read ${JSON.stringify(after.attributes[name] ?? null)}`,
    );
  }
}

/**
 * The criteria are those from before, without what was taken out and with what was put in: as
 * the outline reads them, and as the plugin does, which counts every line that looks like a
 * check box.
 */
function verifyCriteria(
  parsed: { readonly before: ParsedEntity; readonly after: ParsedEntity } | undefined,
  source: string,
  { text, removed, inserted }: EditedText,
): void {
  const read = (of: string) => listed(outlineOf(of)?.criteria ?? []);
  const inPart = (part: string) => read(`{% work %}\n${part}`);
  const same = isSameBag(
    read(text),
    afterParts(read(source), removed.map(inPart), inserted.map(inPart)),
  ) && (parsed === undefined || isSameBag(
    listed(parsed.after.criteria),
    afterParts(listed(parsed.before.criteria), removed.map(boxesOf), inserted.map(boxesOf)),
  ));
  if (!same) throw harm("its criteria would change");
}

function listed(criteria: ParsedEntity["criteria"]): string[] {
  return criteria.map(({ text, checked }) => `${checked ? "x" : " "} ${text}`);
}

function boxesOf(text: string): string[] {
  return [...text.matchAll(/^[^\S\n]*-[^\S\n]+\[([ xX])\][^\S\n]+(.+)/gm)]
    .map(([, mark, rest]) => `${mark === " " ? " " : "x"} ${rest!.trim()}`);
}

function hasResolution(text: string, after: ParsedEntity, isWhole: boolean): boolean {
  if (isWhole) return after.resolution !== undefined;
  return outlineOf(text)?.sections.some(({ heading }) => heading === "Resolution") === true;
}

/** The entity stays as closed as it was, and what comes after it stays the same. */
function verifyFrame(source: string, text: string): void {
  const [before, after] = [outlineOf(source), outlineOf(text)];
  if (before?.isClosed !== after?.isClosed) throw harm("its end would not be found");
  if (before === undefined || after === undefined || !before.isClosed) return;
  if (source.slice(before.bodyEnd) !== text.slice(after.bodyEnd)) {
    throw harm("what follows it would change");
  }
  if (source.slice(0, before.tag.start) !== text.slice(0, after.tag.start)) {
    throw harm("what stands before it would change");
  }
}

/** A list after parts of it were replaced one after the other: a later one may take an earlier one out. */
function afterParts(
  list: readonly string[],
  removed: readonly (readonly string[])[],
  inserted: readonly (readonly string[])[],
): readonly string[] {
  return removed.reduce(
    (left, part, index) => [...missing(left, part), ...inserted[index]!],
    list,
  );
}

/** What of the first list is not in the second, counting repetitions. */
function missing(all: readonly string[], known: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const entry of known) left.set(entry, (left.get(entry) ?? 0) + 1);
  return all.filter((entry) => {
    const count = left.get(entry) ?? 0;
    left.set(entry, count - 1);
    return count <= 0;
  });
}

function isSameBag(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && missing(a, b).length === 0;
}

/** The error for a change that would harm the entity. */
function harm(what: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `The change would harm the entity: ${what}`, {
    hint: "Nothing was written. Use plainer values, or edit the file by hand.",
  });
}
