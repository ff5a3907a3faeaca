/** A loaded version of the plan's npm package, with its commands and the stores of the plans. */

import { RefraktError } from "../../../src/errors.ts";
import { fieldOf } from "../../../src/io/json.ts";
import { pluginFailure } from "../../../src/packages/failures.ts";
import { loadVersion, publishedVersion } from "../../../src/packages/load.ts";
import { PLAN_PACKAGE } from "../../../src/packages/names.ts";
import type { PackageVersion } from "../../../src/packages/package.ts";
import { outsideCalls } from "../../../src/packages/stand_in_call.ts";
import { handlerContext } from "../../../src/plugin/cli_plugin.ts";
import type { CallContext } from "../../../src/plugin/context.ts";
import type { Project } from "../../../src/plugin/project.ts";
import type { OpenRemotes } from "../remote/mod.ts";
import { noteVocabulary, wantedVersion } from "../upstream/listed_version.ts";
import { loadPackage, type PlanPackage } from "../upstream/load.ts";
import { PlanStore } from "./mod.ts";

/** A handler of the package; the caller states the type of its answer. */
export type Original<Answer> = (
  input: Readonly<Record<string, unknown>>,
  context: CallContext,
) => Answer | Promise<Answer>;

/** A loaded version. */
export interface PlanPlugin extends PlanPackage {
  storeOf(project: Project, dir: string): PlanStore;
  /** The scratch repositories that are open. */
  readonly remotes: OpenRemotes;
  original<Answer>(command: string): Original<Answer>;
}

const loads = new Map<string, Promise<PlanPlugin>>();

/**
 * The version of a project, loaded once.
 *
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` or `CODE_NOT_TRUSTED`.
 */
export async function loadPlan(project: Project): Promise<PlanPlugin> {
  try {
    const version = await publishedVersion(project, PLAN_PACKAGE);
    const wanted = wantedVersion(project);
    const key = `${version.version} for ${wanted.version}`;
    const loading = loads.getOrInsertComputed(key, () => outsideCalls(() => load(version, wanted)));
    // The next call tries again.
    loading.catch(() => loads.delete(key));
    return await loading;
  } catch (error) {
    throw pluginFailure(project, PLAN_PACKAGE, error);
  }
}

/** Reads the project's plan in slices, while no call waits for it. */
export async function readAhead(project: Project): Promise<void> {
  const { plan } = project;
  if (plan !== null) await (await loadPlan(project)).storeOf(project, plan.path).readAhead();
}

async function load(
  version: PackageVersion,
  wanted: Parameters<typeof noteVocabulary>[0],
): Promise<PlanPlugin> {
  // Its modules are replaced before its commands are imported.
  const loaded = await loadPackage(version);
  await noteVocabulary(wanted, loaded.vocabulary);
  const commands = async (): Promise<readonly unknown[]> => {
    const { module } = await loadVersion(version, "cli-plugin");
    const declared = fieldOf(module["default"] ?? module, "commands");
    return Array.isArray(declared) ? declared : [];
  };
  return {
    ...loaded,
    remotes: new Map(),
    storeOf: ({ cwd, memo }, dir) =>
      memo([loaded, "store", cwd, dir], () => new PlanStore(cwd, dir, loaded, memo.kept)),
    original: <Answer>(name: string): Original<Answer> => async (input, context) => {
      const command = (await commands()).find((each) => fieldOf(each, "name") === name);
      const handler = fieldOf(command, "mcpHandler");
      if (typeof handler !== "function") {
        throw new RefraktError("TOOL_FAILED", `${PLAN_PACKAGE} has no handler for ${name}`);
      }
      return await handler.call(command, input, handlerContext(context)) as Answer;
    },
  };
}
