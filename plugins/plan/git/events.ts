/** Derives events from the commits that changed an entity. */

import * as z from "zod";
import { word, wordOrText } from "../../../src/plain_text.ts";
import type { Snapshot, TrackedChange } from "./renames.ts";
import { detached } from "../entity/tag.ts";
import type { Commit } from "./log.ts";

export const historyEvent = z.object({
  /** The main kind: created, attributes, criteria, resolution, content, removed or merge. */
  kind: z.string(),
  /** The id at that time, if known. */
  id: z.string().optional(),
  type: z.string().optional(),
  /** The current path, relative to the plan. */
  file: z.string().optional(),
  hash: z.string(),
  shortHash: z.string(),
  /** The author date, ISO 8601. */
  date: z.string(),
  author: z.string(),
  /** The first line of the message. */
  message: z.string(),
  initialAttributes: z.record(z.string(), z.string()).optional(),
  attributeChanges: z.array(z.object({
    field: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
  })).optional(),
  criteriaChanges: z.array(z.object({ text: z.string(), action: z.string() })).optional(),
  /** Whether the text changed too, besides attributes or criteria. */
  textChanged: z.boolean().optional(),
  /** The sections whose text changed, by name. */
  sections: z.array(z.string()).optional(),
  /** The previous path. */
  renamedFrom: z.string().optional(),
});

export type HistoryEvent = z.infer<typeof historyEvent>;

/** A section that events name beside other changes. */
export const RESOLUTION = "Resolution";

export function eventOf(
  commit: Commit,
  { before, after, parents, renamedFrom, isRemoved }: TrackedChange,
  prefix: string,
): HistoryEvent {
  const common = {
    ...commitFields(commit),
    ...(after.id === undefined ? {} : { id: after.id }),
    type: after.type,
    ...(renamedFrom === undefined ? {} : { renamedFrom: detached(inPlan(prefix, renamedFrom)) }),
  };
  if (isRemoved) return { kind: "removed", ...common };
  if (before === null) {
    return parents === undefined
      ? { kind: "created", ...common, initialAttributes: after.attributes }
      : { kind: "merge", ...common };
  }
  // A merge reports only what differs from all of its parents.
  const others = parents ?? [];
  const attributeChanges = attributeChangesOf(before, after).filter(({ field, to }) =>
    others.every((parent) => (parent.attributes[field] ?? null) !== to)
  );
  const criteriaChanges = criteriaChangesOf(before, after).filter(({ text }) =>
    others.every((parent) => boxOf(parent, text) !== boxOf(after, text))
  );
  const isListed = attributeChanges.length > 0 || criteriaChanges.length > 0;
  const versions = [before, ...others];
  const isText = versions.every(({ text }) => text !== after.text);
  // Alone, it is the kind of the event.
  const isResolution = isListed &&
    versions.every(({ resolution }) => resolution !== after.resolution);
  const sections = [
    ...isText ? changedSections(versions, after).filter((name) => name !== RESOLUTION) : [],
    ...isResolution ? [RESOLUTION] : [],
  ];
  const changes = {
    ...(isListed && (isText || isResolution) ? { textChanged: true } : {}),
    ...(sections.length > 0 ? { sections } : {}),
    ...(attributeChanges.length > 0 ? { attributeChanges } : {}),
    ...(criteriaChanges.length > 0 ? { criteriaChanges } : {}),
  };
  const kind = attributeChanges.length > 0
    ? "attributes"
    : criteriaChanges.length > 0
    ? "criteria"
    : parents !== undefined
    ? "merge"
    : after.resolution !== before.resolution && after.resolution !== undefined
    ? "resolution"
    : "content";
  return { kind, ...common, ...changes };
}

export function commitFields({ hash, date, author, message }: Commit) {
  return { hash, shortHash: hash.slice(0, 7), date, author, message };
}

function attributeChangesOf({ attributes: before }: Snapshot, { attributes: after }: Snapshot) {
  return Object.keys({ ...before, ...after }).flatMap((field) => {
    const [from, to] = [before[field] ?? null, after[field] ?? null];
    return from === to ? [] : [{ field, from, to }];
  });
}

/** The sections that differ from those of every version before. */
function changedSections(before: readonly Snapshot[], after: Snapshot): string[] {
  const names = new Set([...before, after].flatMap(({ sections }) => Object.keys(sections)));
  return [...names].filter((name) =>
    before.every(({ sections }) => sections[name] !== after.sections[name])
  );
}

/** Compares criteria by text; a changed text counts as another criterion. */
function criteriaChangesOf(before: Snapshot, after: Snapshot) {
  const texts = new Set([...before.criteria, ...after.criteria].map(({ text }) => text));
  return [...texts].flatMap((text) => {
    const [was, is] = [boxOf(before, text), boxOf(after, text)];
    if (was === is) return [];
    if (is === undefined) return [{ text, action: "removed" }];
    return [{ text, action: was === undefined ? "added" : is ? "checked" : "unchecked" }];
  });
}

function boxOf({ criteria }: Snapshot, text: string): boolean | undefined {
  return criteria.findLast((criterion) => criterion.text === text)?.checked;
}

/** Converts a path of the repository to one of the plan. */
export function inPlan(prefix: string, path: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** The value that an event changed an attribute to; empty if it removed it. */
export function changeOf({ attributeChanges = [] }: HistoryEvent, field: string) {
  const change = attributeChanges.find((one) => one.field === field);
  return change && (change.to ?? "");
}

/** The value that an attribute has from an event on, if the event sets it: also its first. */
export const valueFrom = (event: HistoryEvent, field: string) =>
  changeOf(event, field) ?? event.initialAttributes?.[field];

/**
 * Describes an event in a few words.
 *
 * @param sizes How many criteria there are, and how much of the text has changed, if that is known.
 */
export function describeEvent(
  event: HistoryEvent,
  sizes?: { readonly criteria: number; readonly text: string },
): string {
  const { kind, initialAttributes, renamedFrom } = event;
  const status = initialAttributes?.["status"];
  const byAction = Map.groupBy(event.criteriaChanges ?? [], ({ action }) => action);
  const parts = [
    kind === "created" ? status === undefined ? "created" : `created (${wordOrText(status)})` : "",
    ...(event.attributeChanges ?? []).map(({ field, from, to }) =>
      `${field === "status" ? "" : `${field} `}${valueOf(from)} → ${valueOf(to)}`
    ),
    ...[...byAction].map(([action, { length }]) =>
      sizes !== undefined && action === "checked"
        ? `${length} of ${sizes.criteria} ticked`
        : `${length} criteria ${action}`
    ),
    sizes?.text ?? (event.textChanged === true && event.sections?.[0] !== RESOLUTION ? "text" : ""),
    kind === "merge" ? "merged" : ["resolution", "removed"].includes(kind) ? kind : "",
    event.sections?.includes(RESOLUTION) ? "resolution" : "",
    renamedFrom === undefined ? "" : `renamed from ${word(renamedFrom)}`,
  ];
  return parts.filter((part) => part !== "").join(", ") || "text";
}

const valueOf = (value: string | null) => value ? wordOrText(value) : "-";
