/**
 * What one commit did to one entity.
 *
 * @module
 */

import type { LifeChange } from "./file_lives.ts";
import type { Commit } from "./git_log.ts";
import type { Snapshot } from "./snapshot.ts";
import { detached } from "./git_log.ts";

/** One event. */
export interface HistoryEvent {
  /** What it was above all. */
  readonly kind: "created" | "attributes" | "criteria" | "resolution" | "content" | "merge";
  /** The entity, where the text of that time tells. */
  readonly id?: string;
  /** Its type. */
  readonly type?: string;
  /** Its file as it is called now, relative to the plan. */
  readonly file?: string;
  /** The commit's full hash. */
  readonly hash: string;
  /** The first digits of it. */
  readonly shortHash: string;
  /** The author's date, ISO 8601. */
  readonly date: string;
  /** The author's name. */
  readonly author: string;
  /** The first line of the message. */
  readonly message: string;
  /** What it was created with. */
  readonly initialAttributes?: Record<string, string>;
  /** What changed in its tag. */
  readonly attributeChanges?: { field: string; from: string | null; to: string | null }[];
  /** What changed in its criteria. */
  readonly criteriaChanges?: { text: string; action: string }[];
  /** The name of its file before. */
  readonly renamedFrom?: string;
}

/** What a change was. */
export function eventOf(
  commit: Commit,
  { before, after, parents, renamedFrom }: LifeChange,
  prefix: string,
): HistoryEvent {
  const common = {
    ...byCommit(commit),
    ...(after.id === undefined ? {} : { id: after.id }),
    type: after.type,
    ...(renamedFrom === undefined ? {} : { renamedFrom: detached(inPlan(prefix, renamedFrom)) }),
  };
  if (before === null && parents === undefined) {
    return { kind: "created", ...common, initialAttributes: after.attributes };
  }
  // A version that the clone lacks: something has changed, and nobody can say what.
  if (before === undefined || before === null) {
    return { kind: parents === undefined ? "content" : "merge", ...common };
  }
  let attributeChanges = attributeChangesOf(before, after);
  let criteriaChanges = criteriaChangesOf(before, after);
  if (parents !== undefined) {
    // A merge tells only what none of its parents has.
    attributeChanges = attributeChanges.filter(({ field, to }) =>
      parents.every((parent) => (parent.attributes[field] ?? null) !== to)
    );
    criteriaChanges = criteriaChanges.filter(({ text }) =>
      parents.every((parent) => boxOf(parent, text) !== boxOf(after, text))
    );
    if (attributeChanges.length === 0 && criteriaChanges.length === 0) {
      return { kind: "merge", ...common };
    }
  }
  if (attributeChanges.length > 0) {
    return {
      kind: "attributes",
      ...common,
      attributeChanges,
      ...(criteriaChanges.length > 0 ? { criteriaChanges } : {}),
    };
  }
  if (criteriaChanges.length > 0) return { kind: "criteria", ...common, criteriaChanges };
  const resolution = after.resolution !== before.resolution && after.resolution !== undefined;
  return { kind: resolution ? "resolution" : "content", ...common };
}

/** A merge that joins changes of the plan, and makes none of its own. */
export function mergeEvent(commit: Commit): HistoryEvent {
  return { kind: "merge", ...byCommit(commit) };
}

function byCommit({ hash, date, author, message }: Commit) {
  return { hash, shortHash: hash.slice(0, 7), date, author, message };
}

function attributeChangesOf({ attributes: before }: Snapshot, { attributes: after }: Snapshot) {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].flatMap((field) => {
    const [from, to] = [before[field] ?? null, after[field] ?? null];
    return from === to ? [] : [{ field, from, to }];
  });
}

/** What changed in the criteria; one with another text is another criterion. */
function criteriaChangesOf(before: Snapshot, after: Snapshot) {
  const texts = new Set([...before.criteria, ...after.criteria].map(({ text }) => text));
  return [...texts].flatMap((text) => {
    const [was, is] = [boxOf(before, text), boxOf(after, text)];
    if (was === is) return [];
    const action = is === undefined
      ? "removed"
      : was === undefined
      ? "added"
      : is
      ? "checked"
      : "unchecked";
    return [{ text, action }];
  });
}

function boxOf({ criteria }: Snapshot, text: string): boolean | undefined {
  return criteria.findLast((criterion) => criterion.text === text)?.checked;
}

/** A path of the repository as the plan has it. */
export function inPlan(prefix: string, path: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** The status that an event brought its entity to. */
export function reachedBy(event: HistoryEvent): string | undefined {
  return statusChange(event)?.to ?? undefined;
}

/** The change of an entity's status. */
export function statusChange({ attributeChanges = [] }: HistoryEvent) {
  return attributeChanges.find(({ field }) => field === "status");
}

/** An event in a few words. */
export function whatOf(event: HistoryEvent): string {
  const parts: string[] = [];
  if (event.kind === "created") {
    const status = event.initialAttributes?.["status"];
    parts.push(status === undefined ? "created" : `created (${status})`);
  }
  for (const { field, from, to } of event.attributeChanges ?? []) {
    parts.push(`${field === "status" ? "" : `${field} `}${from || "-"} → ${to || "-"}`);
  }
  const byAction = Map.groupBy(event.criteriaChanges ?? [], ({ action }) => action);
  for (const [action, criteria] of byAction) parts.push(`${criteria.length} criteria ${action}`);
  if (event.kind === "resolution") parts.push("resolution");
  if (event.kind === "merge") parts.push("merged");
  if (event.renamedFrom !== undefined) parts.push(`renamed from ${event.renamedFrom}`);
  return parts.length === 0 ? "text" : parts.join(", ");
}
