/**
 * The scan of a plan. The plugin's own reads and parses every file at each call,
 * asks git four times and leaves a cache file behind; this one keeps what it has
 * parsed, looks only at what changed, and leaves out files that lead elsewhere.
 *
 * @module
 */

import { join } from "node:path";
import { importVersion } from "../../src/packages/load.ts";
import type { PackageVersion } from "../../src/packages/versions.ts";
import { markdownFiles } from "../../src/project/plan.ts";
import { type CallState, currentCall } from "../../src/sandbox/call.ts";
import { replaceModule } from "../../src/sandbox/modules.ts";
import { isNotFound } from "../../src/sandbox/paths.ts";
import { RefraktError } from "../../src/errors.ts";

/** One criterion of an entity. */
export interface Criterion {
  /** Its text. */
  readonly text: string;
  /** Whether it is ticked. */
  readonly checked: boolean;
}

/** One entity of a plan, as the plugin parses it. */
export interface PlanEntity {
  /** Its file, relative to the plan. */
  readonly file: string;
  /** `work`, `bug`, `spec`, `decision` or `milestone`. */
  readonly type: string;
  /** The attributes of its tag. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Its first heading. */
  readonly title: string | undefined;
  /** Its check boxes. */
  readonly criteria: readonly Criterion[];
  /** The ids that it refers to. */
  readonly refs: readonly string[];
  /** When it was last changed, in milliseconds. */
  mtime?: number;
}

type ParseFile = (source: string, relativePath: string) => PlanEntity | null;

interface CachedFile {
  stamp: string;
  readAt: number;
  entity: PlanEntity | null;
}

/** A file changed this shortly before it was read may have changed again unseen, in milliseconds. */
const SETTLED = 20;

const plans = new Map<string, Map<string, CachedFile>>();
let parse: ParseFile | undefined;

/** Puts this scan in the place of the plugin's. Runs before the plugin is imported. */
export async function replaceScanner(version: PackageVersion): Promise<void> {
  if (parse !== undefined) return;
  const scanner = await importVersion<Record<string, unknown>>(version, "scanner");
  parse = scanner["parseFileContent"] as ParseFile;
  replaceModule({
    specifiers: ["../scanner.js"],
    from: (parent) => /\/@refrakt-md\/plan\/.*\/commands\//.test(parent),
    exports: {
      ...scanner,
      scanPlanFiles: (dir: string) => {
        const call = currentCall();
        const entities = scanPlan(call?.root ?? Deno.cwd(), dir);
        return [...entities, ...(call === undefined ? [] : present.get(call) ?? [])];
      },
    },
  });
}

/** Ids that count as taken while a call runs. */
const present = new WeakMap<CallState, PlanEntity[]>();

/** Runs work during which the plugin finds entities with these ids. */
export async function withPresentIds<Value>(
  ids: readonly string[],
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const call = currentCall();
  if (call === undefined || ids.length === 0) return await work();
  present.set(
    call,
    ids.map((id) => ({
      file: `${id}.md`,
      type: "",
      attributes: { id },
      title: undefined,
      criteria: [],
      refs: [],
    })),
  );
  try {
    return await work();
  } finally {
    present.delete(call);
  }
}

/** Parses one entity's source; `null` where it holds none. */
export function parseEntity(source: string, file: string): PlanEntity | null {
  if (parse === undefined) {
    throw new RefraktError("PLUGIN_LOAD_FAILED", "The plan plugin is not loaded", {
      hint: "Call refrakt.detect to see why.",
    });
  }
  // The parser's own patterns for sections do not know CRLF.
  return parse(source.replaceAll("\r\n", "\n"), file);
}

/**
 * Every entity of a plan, in the order of their paths.
 *
 * @param root The project, which no file may lead out of.
 * @param dir The plan's directory, absolute.
 */
export function scanPlan(root: string, dir: string): PlanEntity[] {
  const cache = plans.get(dir) ?? new Map<string, CachedFile>();
  plans.set(dir, cache);
  const files = markdownFiles(root, dir);
  const entities: PlanEntity[] = [];
  for (const file of files) {
    const entity = readEntity(dir, file, cache);
    if (entity !== null) entities.push(entity);
  }
  if (cache.size > files.length) {
    const present = new Set(files);
    for (const file of cache.keys()) if (!present.has(file)) cache.delete(file);
  }
  return entities;
}

/** The name that an entity goes by: its `id`, or a milestone's `name`. */
export function entityId(entity: PlanEntity): string | undefined {
  return entity.attributes["id"] ?? entity.attributes["name"];
}

/** The entity of an id, exactly; the first one where a plan has two. */
export function findEntity(root: string, dir: string, id: string): PlanEntity | undefined {
  return scanPlan(root, dir).find((entity) =>
    entity.attributes["id"] === id || entity.attributes["name"] === id
  );
}

/** How long the scan in advance may hold up other work, in milliseconds. */
const SLICE = 15;

/** Scans a plan in advance, in slices, so that the first call finds it parsed. */
export async function warmPlan(root: string, dir: string): Promise<void> {
  const cache = plans.get(dir) ?? new Map<string, CachedFile>();
  plans.set(dir, cache);
  let sliceEnd = performance.now() + SLICE;
  for (const file of markdownFiles(root, dir)) {
    readEntity(dir, file, cache);
    if (performance.now() < sliceEnd) continue;
    await new Promise((resolve) => setTimeout(resolve, 1));
    sliceEnd = performance.now() + SLICE;
  }
}

function readEntity(
  dir: string,
  file: string,
  cache: Map<string, CachedFile>,
): PlanEntity | null {
  const path = join(dir, file);
  try {
    const info = Deno.statSync(path);
    const mtime = info.mtime?.getTime() ?? 0;
    const stamp = `${mtime}:${info.ctime?.getTime()}:${info.size}:${info.ino}`;
    const cached = cache.get(file);
    if (cached?.stamp === stamp && mtime < cached.readAt - SETTLED) return cached.entity;
    const readAt = Date.now();
    const entity = parseEntity(Deno.readTextFileSync(path), file);
    if (entity !== null) entity.mtime = mtime;
    cache.set(file, { stamp, readAt, entity });
    return entity;
  } catch (error) {
    // Gone, or turned into something else, since the folder was listed.
    if (isNotFound(error)) return null;
    throw error;
  }
}
