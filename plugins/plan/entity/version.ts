/** Versions of an entity, and the differences between them. */

import { isTooHard } from "../../../src/markdoc/markup_limits.ts";
import { contentOf, type Document, type ParsedEntity, read } from "./document.ts";
import type { Criterion } from "./criteria.ts";
import type { Span } from "./model.ts";
import { detached } from "./tag.ts";

/** The values of an entity that are compared. */
export type Version = Readonly<ReturnType<typeof versionIn>>;

/** Parses a version; returns `null` if the text has no entity. */
export function versionOf(text: string): Version | null {
  try {
    const document = read(text);
    return document.entity === undefined ? null : detached(versionIn(document, document.entity));
  } catch (error) {
    if (isTooHard(error)) return null;
    throw error;
  }
}

/** The version in a parsed document. */
export function versionIn(document: Document, entity: ParsedEntity) {
  const { type, id, title, attributes, criteria, resolution, sections } = entity;
  const hashes = sections.flatMap((section, index) => {
    if (section === resolution) return [];
    const inside = criteria.filter((criterion) => criterion.section === index);
    return [[section.name, textHash(document, section.content, inside)] as const];
  });
  return {
    type,
    id,
    title: title?.text ?? "",
    attributes,
    criteria: criteria.map(({ text, checked }) => ({ text, checked })),
    texts: {
      // Differ with the texts of sections, by name, without criteria and the resolution.
      sections: Object.fromEntries(hashes),
      resolution: resolution && contentOf(document, resolution.content),
    },
  };
}

const CRITERIA = /^\s*[-*+] \[[ xX]\].*$/gm;

/** Hashes a part of the text without the criteria in it. */
function textHash({ text }: Document, { start, end }: Span, criteria: readonly Criterion[]) {
  let rest = "";
  let at = start;
  for (const { words } of criteria) {
    rest += text.slice(at, words.start);
    at = words.end;
  }
  rest += text.slice(at, end);
  const words = rest.replace(CRITERIA, () => "").trim();
  let hash = 0;
  for (let at = 0; at < words.length; at++) hash = Math.imul(hash, 31) + words.charCodeAt(at) | 0;
  return hash;
}

/** A value before and after; `null` where there is none. */
interface ValueChange {
  readonly from: string | null;
  readonly to: string | null;
}

/** The differences between two versions. */
export type Diff = Readonly<ReturnType<typeof diff>>;

/** Compares two versions of an entity, of which one may not exist. */
export function diff(before: Version | undefined, after: Version | undefined) {
  return {
    kind: before === undefined ? "created" : after === undefined ? "removed" : "changed",
    title: valueChange(before?.title, after?.title),
    attributes: changedKeys(before?.attributes, after?.attributes).map((field) => ({
      field,
      from: before?.attributes[field] ?? null,
      to: after?.attributes[field] ?? null,
    })),
    // By their texts: a changed text counts as another criterion.
    criteria: criterionChanges(before?.criteria, after?.criteria),
    // How many of the criteria are ticked, such as `1/3`, if that differs.
    ticks: valueChange(before && ticksOf(before), after && ticksOf(after)),
    // Whether the text besides criteria and resolution differs, and in which sections.
    isText: comparedText(before) !== comparedText(after),
    sections: changedKeys(before?.texts.sections, after?.texts.sections),
    resolution: valueChange(before?.texts.resolution, after?.texts.resolution),
  };
}

/** The changes that several diffs share: those of a merge to each of its parents. */
export function diffToAll([first, ...others]: readonly [Diff, ...Diff[]]): Diff {
  const inAll = (has: (other: Diff) => boolean) => others.every(has);
  return {
    ...first,
    attributes: first.attributes.filter(({ field }) =>
      inAll(({ attributes }) => attributes.some((change) => change.field === field))
    ),
    criteria: first.criteria.filter(({ text }) =>
      inAll(({ criteria }) => criteria.some((change) => change.text === text))
    ),
    isText: first.isText && inAll(({ isText }) => isText),
    sections: first.sections.filter((name) => inAll(({ sections }) => sections.includes(name))),
    resolution: inAll(({ resolution }) => resolution !== undefined) ? first.resolution : undefined,
  };
}

/** The names of the values that differ: attributes other than the id, `title` and `criteria`. */
export function changedValues({ attributes, title, ticks }: Diff): string[] {
  const names = attributes.map(({ field }) => field).filter((name) =>
    !["id", "name"].includes(name)
  );
  if (title !== undefined) names.push("title");
  if (ticks !== undefined) names.push("criteria");
  return names;
}

/** How many of the criteria are ticked, such as `1/3`. */
export function ticksOf({ criteria }: Pick<ParsedEntity | Version, "criteria">): string {
  return `${criteria.filter(({ checked }) => checked).length}/${criteria.length}`;
}

const comparedText = (version: Version | undefined) =>
  version && JSON.stringify([version.title, version.texts.sections]);

function valueChange(from: string | undefined, to: string | undefined): ValueChange | undefined {
  return from === to ? undefined : { from: from ?? null, to: to ?? null };
}

/** The keys whose values differ. */
function changedKeys<Value>(
  before: Readonly<Record<string, Value>> = {},
  after: Readonly<Record<string, Value>> = {},
): string[] {
  return Object.keys({ ...before, ...after }).filter((key) => before[key] !== after[key]);
}

function criterionChanges(before: Version["criteria"] = [], after: Version["criteria"] = []) {
  // How many more there are of each text, open and ticked.
  const more = new Map<string, [open: number, ticked: number]>();
  const count = (criteria: Version["criteria"], by: number) => {
    for (const { text, checked } of criteria) more.getOrInsert(text, [0, 0])[+checked]! += by;
  };
  count(before, -1);
  count(after, 1);
  return [...more].flatMap(([text, [open, ticked]]) => {
    const sum = open + ticked;
    const turned = (Math.abs(open) + Math.abs(ticked) - Math.abs(sum)) / 2;
    return [
      ...Array(turned).fill({ text, action: ticked > 0 ? "checked" : "unchecked" }),
      ...Array(Math.abs(sum)).fill({ text, action: sum > 0 ? "added" : "removed" }),
    ];
  });
}
