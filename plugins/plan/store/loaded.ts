/** A loaded version of the plan plugin, with the stores of the plans. */

import type { Journal } from "../../../src/io/journal.ts";
import type { PackageVersion } from "../../../src/packages/package.ts";
import type { CallContext } from "../../../src/plugin/context.ts";
import type { OpenRemotes } from "../remote/mod.ts";
import { loadPackage, type PlanPackage } from "../upstream/load.ts";
import { PlanStore } from "./mod.ts";

/** A write of a tool in a plan. */
export interface PlanWrite extends Journal {
  readonly cwd: string;
  readonly dir: string;
  /** The tool. */
  readonly tool: string;
  readonly size: number;
}

export interface LoadedPlan extends PlanPackage {
  storeOf(root: string, dir: string): PlanStore;
  /** The last writes of all connections by token, the oldest first. */
  readonly writes: Map<string, PlanWrite>;
  /** The scratch repositories that are open. */
  readonly remotes: OpenRemotes;
}

/** A handler of the plugin; the caller states the type of its answer. */
export type Original<Answer> = (
  input: Readonly<Record<string, unknown>>,
  context: CallContext,
) => Answer | Promise<Answer>;

/** A loaded version with its own commands. */
export interface PlanPlugin extends LoadedPlan {
  original<Answer>(command: string): Original<Answer>;
}

const loads = new Map<string, Promise<LoadedPlan>>();

/** Loads a version once, before its `cli-plugin` is imported. */
export function loadPlan(version: PackageVersion): Promise<LoadedPlan> {
  const loading = loads.getOrInsertComputed(version.version, () => load(version));
  loading.catch(() => loads.delete(version.version));
  return loading;
}

async function load(version: PackageVersion): Promise<LoadedPlan> {
  const loaded = await loadPackage(version);
  const stores = new Map<string, PlanStore>();
  const storeOf = (root: string, dir: string) =>
    stores.getOrInsertComputed(
      `${root}\0${dir}`,
      () => new PlanStore(root, dir, loaded),
    );
  return { ...loaded, storeOf, writes: new Map(), remotes: new Map() };
}
