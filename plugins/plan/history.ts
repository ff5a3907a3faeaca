/**
 * `plan.history`: what happened to an entity, or to the whole plan, as git tells it.
 *
 * @module
 */

import { didYouMean, RefraktError } from "../../src/errors.ts";
import { shownPath } from "../../src/sandbox/paths.ts";
import type { McpHandlerContext } from "../../src/surface/plugin.ts";
import { unknownEntity } from "./failures.ts";
import {
  type FileChange,
  readBlobs,
  readChanges,
  readRepository,
  type RepositoryFacts,
} from "./git_log.ts";
import { entityChanges } from "./lineage.ts";
import { existingPlan } from "./place.ts";
import { findEntity } from "./scanner.ts";
import { parseSince } from "./since.ts";
import { isSameEntity, loadDiff, type Snapshot, snapshotOf } from "./snapshot.ts";

const TYPES = ["work", "bug", "spec", "decision", "milestone"];

/** One event, newest first in every answer. */
interface HistoryEvent {
  kind: "created" | "attributes" | "criteria" | "resolution" | "content";
  id?: string;
  type?: string;
  file?: string;
  hash: string;
  shortHash: string;
  date: string;
  author: string;
  message: string;
  initialAttributes?: Record<string, string>;
  attributeChanges?: { field: string; from: string | null; to: string | null }[];
  criteriaChanges?: { text: string; action: string }[];
  renamedFrom?: string;
}

/** What a call asks for, checked. */
interface Query {
  id: string | undefined;
  limit: number;
  since: number | undefined;
  types: ReadonlySet<string> | undefined;
  author: string | undefined;
  status: string | undefined;
  all: boolean;
}

/** Runs `plan.history`. */
export async function planHistory(
  input: Record<string, unknown>,
  context: McpHandlerContext,
): Promise<Record<string, unknown>> {
  const { cwd, signal } = context;
  const dir = existingPlan(cwd, input["dir"]);
  const query = readQuery(input);
  const entity = query.id === undefined ? undefined : findEntity(cwd, dir, query.id);
  if (query.id !== undefined && entity === undefined) throw unknownEntity(cwd, dir, query.id);
  const folder = shownPath(cwd, dir);
  const [repository, whole] = await Promise.all([
    readRepository(cwd, signal),
    readChanges({ cwd, path: folder, signal }),
  ]);
  const prefix = repository.prefix + (folder === "." ? "" : `${folder}/`);
  const changes = entity === undefined
    ? whole
    : await entityChanges(whole, { cwd, folder, prefix, file: entity.file, signal });
  const events = await eventsOf(changes, cwd, prefix, signal);
  const warnings = warningsFor(changes, repository);
  // Commits come in the order in which they were committed; the dates shown are the authors'.
  if (entity === undefined) events.sort((a, b) => Date.parse(b.date) - Date.parse(a.date));
  const wanted = events.filter((event) =>
    matches(event, query) && (entity === undefined || event.file === entity.file)
  );
  const shown = wanted.slice(0, query.limit);
  return {
    ...(entity === undefined ? {} : { id: query.id, type: entity.type, file: entity.file }),
    events: entity === undefined ? shown : shown.map(({ id: _id, type: _type, ...rest }) => rest),
    total: wanted.length,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

async function eventsOf(
  changes: readonly FileChange[],
  cwd: string,
  prefix: string,
  signal: AbortSignal,
): Promise<HistoryEvent[]> {
  const markdown = changes.filter((change) => change.path.endsWith(".md"));
  const [blobs, diff] = await Promise.all([
    readBlobs(
      cwd,
      markdown.flatMap(({ before, after }) => before === undefined ? [after] : [before, after]),
      signal,
    ),
    loadDiff(),
  ]);
  const snapshots = new Map<string, Snapshot | null>();
  const snapshot = (hash: string | undefined) => {
    if (hash === undefined) return null;
    if (!snapshots.has(hash)) snapshots.set(hash, snapshotOf(blobs.get(hash) ?? "", diff));
    return snapshots.get(hash)!;
  };
  // Newest first: a file's later names are known when its earlier ones come up.
  const names = new Map<string, string>();
  const events: HistoryEvent[] = [];
  for (const change of markdown) {
    const path = names.get(change.path) ?? change.path;
    const after = snapshot(change.after);
    let before = snapshot(change.before);
    let { oldPath } = change;
    if (oldPath !== undefined && before !== null && after !== null) {
      // Entities made from one template look alike: one that went is not the one that came.
      if (!isSameEntity(before, after)) [before, oldPath] = [null, undefined];
    }
    if (oldPath !== undefined) names.set(oldPath, path);
    if (after === null) continue;
    events.push({
      ...describe(change, before, after, diff),
      ...(after.id === undefined ? {} : { id: after.id }),
      type: after.type,
      file: inPlan(prefix, path),
      ...(oldPath === undefined ? {} : { renamedFrom: inPlan(prefix, oldPath) }),
    });
  }
  return events;
}

function describe(
  change: FileChange,
  before: Snapshot | null,
  after: Snapshot,
  diff: Awaited<ReturnType<typeof loadDiff>>,
): HistoryEvent {
  const common = {
    hash: change.hash,
    shortHash: change.hash.slice(0, 7),
    date: change.date,
    author: change.author,
    message: change.message,
  };
  if (before === null) {
    return { kind: "created", ...common, initialAttributes: after.attributes };
  }
  const attributeChanges = diff.diffAttributes(before.attributes, after.attributes);
  const criteriaChanges = diff.diffCriteria(before.criteria, after.criteria);
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

function matches(event: HistoryEvent, query: Query): boolean {
  if (query.id === undefined && !query.all && event.kind === "content") return false;
  if (query.types !== undefined && !query.types.has(event.type ?? "")) return false;
  if (query.since !== undefined && Date.parse(event.date) < query.since) return false;
  if (query.author !== undefined && !event.author.toLowerCase().includes(query.author)) {
    return false;
  }
  if (query.status === undefined) return true;
  return event.initialAttributes?.["status"] === query.status ||
    event.attributeChanges?.some(({ field, to }) => field === "status" && to === query.status) ===
      true;
}

function readQuery(input: Record<string, unknown>): Query {
  const id = input["id"] as string | undefined;
  const type = input["type"] as string | undefined;
  const since = input["since"] as string | undefined;
  const types = type?.split(",").map((name) => name.trim().toLowerCase()).filter(Boolean);
  for (const name of types ?? []) {
    if (TYPES.includes(name)) continue;
    throw new RefraktError("INVALID_ARGS", `"type": no such type: "${name}"`, {
      hint: `${didYouMean(name, TYPES)} The types are ${TYPES.join(", ")}.`.trim(),
    });
  }
  return {
    id,
    limit: (input["limit"] as number | undefined) ?? (id === undefined ? 50 : 20),
    since: since === undefined ? undefined : parseSince(since, new Date()),
    types: types === undefined || types.length === 0 ? undefined : new Set(types),
    author: (input["author"] as string | undefined)?.toLowerCase(),
    status: input["status"] as string | undefined,
    all: input["all"] === true,
  };
}

function warningsFor(changes: readonly FileChange[], { shallow }: RepositoryFacts): string[] {
  if (changes.length === 0) {
    return ["Git has no commits for this; what is not committed has no history"];
  }
  if (!shallow) return [];
  return [
    "The clone is shallow: older events are missing, and the oldest shown may not be the first",
  ];
}

function inPlan(prefix: string, path: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}
