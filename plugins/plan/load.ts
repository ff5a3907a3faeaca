/**
 * One version of the plan plugin, loaded: its parser, its values, its comparison, and
 * the stores of the plans that it reads. Nothing about a version is kept elsewhere, so
 * two versions can work side by side.
 *
 * @module
 */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { importVersion } from "../../src/npm/load.ts";
import { isExactVersion, PLAN_PACKAGE } from "../../src/npm/names.ts";
import type { Warning } from "../../src/project/project.ts";
import { type CallState, currentCall } from "../../src/sandbox/call.ts";
import { loadedPackage, replaceModule } from "../../src/sandbox/modules.ts";
import type { LoadingPackage } from "../../src/tools/adapter.ts";
import type { ParsedEntity, PlanEntity } from "./entity.ts";
import { PlanHistory } from "./history.ts";
import { type PlanDiff, planDiff } from "./diff.ts";
import { type PlanParser, planParser } from "./parser.ts";
import { PlanStore } from "./store/mod.ts";
import { readVocabulary, type Vocabulary } from "./vocabulary.ts";

/** A loaded version of the plugin. */
export interface LoadedPlan {
  /** The version as it was asked for. */
  readonly version: LoadingPackage;
  /** The version that was loaded, where a range was asked for. */
  readonly exactVersion: string;
  /** The URL of its folder, with a slash at the end, where that could be found out. */
  readonly base: string | undefined;
  /** Its parser. */
  readonly parser: PlanParser;
  /** Its comparison of two versions of an entity. */
  readonly diff: PlanDiff;
  /** The values that its handlers accept, where it says so. */
  readonly vocabulary: Vocabulary | undefined;
  /** Where this version is not as expected. */
  readonly warnings: Warning[];
  /** The store of a plan. */
  storeOf(root: string, dir: string): PlanStore;
  /** The history of a plan's directory. */
  historyOf(dir: string): PlanHistory;
  /** Runs work of the plugin that finds these entities when it scans the plan. */
  withScan<Value>(
    entities: () => readonly PlanEntity[],
    work: () => Value | Promise<Value>,
  ): Promise<Value>;
  /** How often the plugin's own code asked for a scan; tells whether the replacement holds. */
  readonly scans: { count: number };
}

const loads = new Map<string, Promise<LoadedPlan>>();

/** Loads a version, once. Runs before its `cli-plugin` is imported. */
export function loadPlan(version: LoadingPackage): Promise<LoadedPlan> {
  const known = loads.get(version.version);
  if (known !== undefined) return known;
  const loading = load(version);
  loads.set(version.version, loading);
  loading.catch(() => loads.delete(version.version));
  return loading;
}

/** By its folder: a range and the exact version that a lock file makes of it are the same modules. */
const loadedFrom = new Map<string, Promise<LoadedPlan>>();

async function load(version: LoadingPackage): Promise<LoadedPlan> {
  // It imports nothing; what it needs can be looked up from here on.
  const diff = await planDiff(version);
  const base = baseOf(version);
  if (base === undefined) return await prepare(version, diff, base);
  const known = loadedFrom.get(base);
  if (known !== undefined) return await known;
  const loading = prepare(version, diff, base);
  loadedFrom.set(base, loading);
  loading.catch(() => loadedFrom.delete(base));
  return await loading;
}

async function prepare(
  version: LoadingPackage,
  diff: PlanDiff,
  base: string | undefined,
): Promise<LoadedPlan> {
  const scanner = await importVersion<Record<string, unknown>>(version, "scanner");
  const warnings: Warning[] = [];
  const parser = planParser(
    scanner["parseFileContent"] as (source: string, file: string) => ParsedEntity | null,
  );
  const stores = new Map<string, PlanStore>();
  const storeOf = (root: string, dir: string): PlanStore => {
    const key = `${root}\0${dir}`;
    const store = stores.get(key) ?? new PlanStore(root, dir, parser);
    stores.set(key, store);
    return store;
  };
  const histories = new Map<string, PlanHistory>();
  const answers = new WeakMap<CallState, () => readonly PlanEntity[]>();
  const scans = { count: 0 };
  if (base !== undefined) {
    replaceModule({
      specifiers: ["../scanner.js"],
      from: (parent) => parent.startsWith(`${base}dist/commands/`),
      exports: {
        ...scanner,
        scanPlanFiles: (dir: string) => {
          scans.count++;
          const call = currentCall();
          const answer = call === undefined ? undefined : answers.get(call);
          return answer?.() ?? storeOf(call?.root ?? Deno.cwd(), dir).refreshNow();
        },
      },
    });
  }
  const vocabulary = await readVocabulary(base, version.version, warnings);
  return {
    version,
    exactVersion: isExactVersion(version.version)
      ? version.version
      : loadedPackage(PLAN_PACKAGE)?.version ?? version.version,
    base,
    parser,
    diff,
    vocabulary,
    warnings,
    storeOf,
    historyOf: (dir) => {
      const history = histories.get(dir) ?? new PlanHistory(dir, diff);
      histories.set(dir, history);
      return history;
    },
    scans,
    withScan: async (entities, work) => {
      const call = currentCall();
      if (call === undefined) return await work();
      const before = answers.get(call);
      answers.set(call, entities);
      try {
        return await work();
      } finally {
        if (before === undefined) answers.delete(call);
        else answers.set(call, before);
      }
    },
  };
}

/** The folder of the loaded package, with a slash at the end. */
function baseOf(version: LoadingPackage): string | undefined {
  return scannerUrl(version)?.slice(0, -SCANNER.length) ??
    loadedPackage(PLAN_PACKAGE, version.version)?.base;
}

const SCANNER = "dist/scanner.js";

/** The scanner's file, where the runtime knows the package. */
function scannerUrl({ version, root, folder }: LoadingPackage): string | undefined {
  // Of the folder that may run, where that is known.
  const resolved = root === undefined || folder === undefined
    ? import.meta.resolve(`npm:${PLAN_PACKAGE}@${version}/scanner`)
    : pathToFileURL(join(folder.path, SCANNER)).href;
  return resolved.startsWith("file:") && resolved.endsWith(SCANNER) ? resolved : undefined;
}
