/**
 * `plan.history`: what happened to an entity, or to the whole plan, as git tells it.
 *
 * @module
 */

import { isAbsolute, join, relative } from "node:path";
import { didYouMean, RefraktError } from "../../src/errors.ts";
import { runGit } from "../../src/sandbox/git.ts";
import { shownPath } from "../../src/sandbox/paths.ts";
import type { McpHandlerContext } from "../../src/surface/plugin.ts";
import { unknownEntity } from "./failures.ts";
import { type FileChange, isShallow, readBlobs, readChanges } from "./git_log.ts";
import { existingPlan } from "./place.ts";
import { findEntity } from "./scanner.ts";
import { parseSince } from "./since.ts";
import { loadDiff, type Snapshot, snapshotOf } from "./snapshot.ts";

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
  const changes = await readChanges({
    cwd,
    path: shownPath(cwd, entity === undefined ? dir : join(dir, entity.file)),
    follow: entity !== undefined,
    ...(query.since === undefined ? {} : { since: query.since }),
    signal,
  });
  const [events, warnings] = await Promise.all([
    eventsOf(changes, cwd, dir, signal),
    warningsFor(changes, cwd, signal),
  ]);
  const wanted = events.filter((event) => matches(event, query));
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
  dir: string,
  signal: AbortSignal,
): Promise<HistoryEvent[]> {
  const markdown = changes.filter((change) => change.path.endsWith(".md"));
  const [blobs, diff, prefix] = await Promise.all([
    readBlobs(
      cwd,
      markdown.flatMap(({ before, after }) => before === undefined ? [after] : [before, after]),
      signal,
    ),
    loadDiff(),
    planPrefix(cwd, dir, signal),
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
    if (change.oldPath !== undefined) names.set(change.oldPath, path);
    const after = snapshot(change.after);
    if (after === null) continue;
    const event = describe(change, snapshot(change.before), after, diff);
    const file = inPlan(prefix, path);
    events.push({
      ...event,
      ...(after.id === undefined ? {} : { id: after.id }),
      type: after.type,
      file,
      ...(change.oldPath === undefined ? {} : { renamedFrom: inPlan(prefix, change.oldPath) }),
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

async function warningsFor(
  changes: readonly FileChange[],
  cwd: string,
  signal: AbortSignal,
): Promise<string[]> {
  const warnings: string[] = [];
  if (changes.length === 0) {
    warnings.push("Git has no commits for this; what is not committed has no history");
  } else if (await isShallow(cwd, signal)) {
    warnings.push(
      "The clone is shallow: older events are missing, and the oldest shown may not be the first",
    );
  }
  return warnings;
}

/** The plan's folder as git writes it: relative to the repository's root, with a slash. */
async function planPrefix(cwd: string, dir: string, signal: AbortSignal): Promise<string> {
  const result = await runGit(["rev-parse", "--show-prefix"], { cwd, signal });
  const prefix = new TextDecoder().decode(result.stdout).trim();
  const way = relative(cwd, dir).replaceAll("\\", "/");
  return way === "" ? prefix : `${prefix}${way}/`;
}

function inPlan(prefix: string, path: string): string {
  const way = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return isAbsolute(way) ? path : way;
}
