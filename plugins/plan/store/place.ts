/** The plan of a call: its folder, its store and its lock. */

import { statIfExists } from "../../../src/io/files.ts";
import { withFolderLock } from "../../../src/io/lock.ts";
import { grantedFolder } from "../../../src/io/write_folder.ts";
import { planMissing, planStep } from "./plan_folder.ts";
import type { CallContext } from "../../../src/plugin/context.ts";
import { unlessFailed } from "../git/failures.ts";
import { loadPlan } from "./loaded.ts";

/** The plan that a call works on. */
export type PlanPlace = Readonly<Awaited<ReturnType<typeof possiblePlan>>>;

/**
 * The existing plan of a call.
 *
 * @param dirArgument The argument `dir` of the call, which the calls that its answer suggests repeat.
 * @throws {RefraktError} `PLAN_DIR_MISSING` if it does not exist.
 */
export async function existingPlan(context: CallContext, dirArgument?: string): Promise<PlanPlace> {
  const dir = planPlace(context, dirArgument);
  if (statIfExists(dir)?.isDirectory) return await possiblePlan(context, dirArgument, dir);
  throw planMissing(context.project.cwd, dir, planStep(context.project));
}

/** The plan of a call, which need not exist yet. */
export async function possiblePlan(
  context: CallContext,
  dirArgument?: string,
  dir = planPlace(context, dirArgument),
) {
  const { project, project: { cwd, memo }, signal } = context;
  const plugin = await loadPlan(project);
  const store = plugin.storeOf(project, dir);
  const git = { cwd: dir, signal, memo };
  /** Reads the history of the plan, or of one file. */
  const history = (file?: string) => {
    const read = () => store.history(signal, file);
    return unlessFailed(memo, `history ${dir}`, signal, dir, read);
  };
  return { plugin, context, signal, cwd, dir, dirArgument, store, git, history };
}

/** Resolves the call's `dir`, else the project's plan: an absolute path inside the project. */
function planPlace({ project }: CallContext, dir: string | undefined): string {
  const { cwd, planDir } = project;
  if (dir !== undefined && dir !== "") return grantedFolder(cwd, dir, "The plan directory");
  if (planDir === null) throw planMissing(cwd, planDir);
  return planDir;
}

/**
 * Runs work while no other call of any process writes the plan, so that, for example, two calls
 * cannot assign the same id.
 *
 * If the plan does not exist yet, nothing is locked.
 *
 * @throws {RefraktError} `TIMEOUT` if another process holds the lock for too long.
 */
export async function withPlanLock<Value>(
  { store, signal }: Pick<PlanPlace, "store" | "signal">,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const hint = "Nothing was written. Check whether another server hangs, then call again.";
  return await withFolderLock(store.folder, { what: "the plan", hint, signal }, work);
}
