/** Derives events from the commits that changed an entity. */

import * as z from "zod";
import { word, wordOrText } from "../../../src/plain_text.ts";
import { counted } from "../../../src/plugin/counted.ts";
import type { TrackedChange } from "./renames.ts";
import { type Diff, diff, diffToAll } from "../entity/version.ts";
import { detached } from "../entity/tag.ts";
import type { Commit } from "./log.ts";
import { unlessEmpty } from "../../../src/io/json.ts";

export const historyEvent = z.object({
  /** The main kind: created, attributes, criteria, resolution, content, removed or merge. */
  kind: z.string(),
  /** The id at that time, if known. */
  id: z.string().optional(),
  type: z.string().optional(),
  /** The current path, relative to the plan; absent if another entity has it now. */
  file: z.string().optional(),
  hash: z.string(),
  shortHash: z.string(),
  /** When it was committed, ISO 8601 in the zone that git wrote. */
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
  /** How many criteria are ticked after that, such as `1/3`, if that has changed. */
  ticks: z.string().optional(),
  /** Whether the text changed too, besides attributes or criteria. */
  textChanged: z.boolean().optional(),
  /** The sections whose text changed, by name. */
  sections: z.array(z.string()).optional(),
  /** The previous path. */
  renamedFrom: z.string().optional(),
});

export type HistoryEvent = z.infer<typeof historyEvent>;

/** The name of the resolution among the sections of an event. */
export const RESOLUTION = "Resolution";

export function eventOf(
  { hash, date, author, message }: Commit,
  { before, after, parents, renamedFrom, isRemoved }: TrackedChange,
  prefix: string,
): HistoryEvent {
  const common = {
    hash,
    shortHash: hash.slice(0, 7),
    date,
    author,
    message,
    id: after.id,
    type: after.type,
    renamedFrom: renamedFrom && detached(inPlan(prefix, renamedFrom)),
  };
  if (before === null && parents !== undefined) return { kind: "merge", ...common };
  const [first, ...others] = (parents ?? [before ?? undefined])
    .map((version) => diff(version, isRemoved ? undefined : after));
  const { kind, ...changes } = eventChanges(diffToAll([first!, ...others]), parents !== undefined);
  return { kind, ...common, ...changes };
}

/** The changes of an event. */
type EventChanges = Omit<
  HistoryEvent,
  "hash" | "shortHash" | "date" | "author" | "message" | "id" | "type" | "file" | "renamedFrom"
>;

/** The fields of an event for the difference between two versions. */
export function eventChanges(
  { kind, attributes, criteria, ticks, isText, sections, resolution }: Diff,
  isMerge = false,
): EventChanges {
  if (kind === "removed") return { kind };
  if (kind === "created") {
    const initial = attributes.map(({ field, to }) => [field, to!]);
    return { kind, initialAttributes: Object.fromEntries(initial) };
  }
  const isListed = attributes.length > 0 || criteria.length > 0;
  // Alone, it is the kind of the event.
  const isResolution = isListed && resolution !== undefined;
  const names = isText ? [...sections] : [];
  if (isResolution) names.push(RESOLUTION);
  return {
    kind: kindOf({ attributes, criteria, resolution }, isMerge),
    textChanged: isListed && (isText || isResolution) || undefined,
    sections: unlessEmpty(names),
    attributeChanges: unlessEmpty(attributes),
    criteriaChanges: unlessEmpty(criteria),
    ticks: criteria.length > 0 ? ticks?.to ?? undefined : undefined,
  };
}

function kindOf(
  { attributes, criteria, resolution }: Pick<Diff, "attributes" | "criteria" | "resolution">,
  isMerge: boolean,
): string {
  if (attributes.length > 0) return "attributes";
  if (criteria.length > 0) return "criteria";
  if (isMerge) return "merge";
  return resolution !== undefined && resolution.to !== null ? "resolution" : "content";
}

/** Converts a path of the repository to one of the plan. */
export function inPlan(prefix: string, path: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** The value that an event changed an attribute to; empty if it removed it. */
export function changeOf({ attributeChanges = [] }: HistoryEvent, field: string) {
  const change = attributeChanges.find((change) => change.field === field);
  return change && (change.to ?? "");
}

/** The value that an attribute has from an event on, if the event sets it: also its first. */
export const valueFrom = (event: HistoryEvent, field: string) =>
  changeOf(event, field) ?? event.initialAttributes?.[field];

/**
 * Describes an event in a few words.
 *
 * @param textSize How much of the text has changed, if that is known.
 */
export function describeEvent(
  event: EventChanges & Pick<HistoryEvent, "renamedFrom">,
  textSize?: string,
): string {
  const { kind, initialAttributes, renamedFrom, ticks } = event;
  const done = ticks === undefined ? "" : `, ${ticks.replace("/", " of ")} done`;
  const status = initialAttributes?.["status"];
  const byAction = Map.groupBy(event.criteriaChanges ?? [], ({ action }) => action);
  const parts = [
    kind === "created" ? status === undefined ? "created" : `created (${wordOrText(status)})` : "",
    ...(event.attributeChanges ?? []).map(({ field, from, to }) =>
      `${field === "status" ? "" : `${field} `}${valueOf(from)} → ${valueOf(to)}`
    ),
    ...[...byAction].map(([action, { length }]) =>
      action === "checked" ? `${length} ticked${done}` : `${counted(length, "criterion")} ${action}`
    ),
    textSize ?? (event.textChanged === true && event.sections?.[0] !== RESOLUTION ? "text" : ""),
    kind === "merge" ? "merged" : ["resolution", "removed"].includes(kind) ? kind : "",
    event.sections?.includes(RESOLUTION) ? "resolution" : "",
    renamedFrom === undefined ? "" : `renamed from ${word(renamedFrom)}`,
  ];
  return parts.filter((part) => part !== "").join(", ") || "text";
}

const valueOf = (value: string | null) => value ? wordOrText(value) : "-";
