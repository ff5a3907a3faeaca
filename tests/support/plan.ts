/** The plan plugin as the tests load it, and stores of temporary plans. */

import { join } from "node:path";
import type { LoadedPlan } from "../../plugins/plan/load.ts";
import { loadPlan } from "../../plugins/plan/load.ts";
import { openPlan, type PlanView } from "../../plugins/plan/queries/access.ts";
import type { PlanStore } from "../../plugins/plan/store/mod.ts";
import { LAB_VERSION } from "./lab.ts";
import { type Files, makeProject } from "./project.ts";

/** The plugin at the version of the tests. */
export function loadedPlan(): Promise<LoadedPlan> {
  return loadPlan({ name: "@refrakt-md/plan", version: LAB_VERSION, from: "tests" });
}

/** A project with files, and the store of its `plan`. */
export async function storeOf(files: Files): Promise<{ cwd: string; store: PlanStore }> {
  const cwd = makeProject(files);
  return { cwd, store: (await loadedPlan()).storeOf(cwd, join(cwd, "plan")) };
}

/** A plan of these files as the tools' queries see it. */
export async function viewOf(files: Files): Promise<PlanView> {
  const cwd = makeProject(files);
  const context = { cwd, planDir: join(cwd, "plan"), signal: new AbortController().signal };
  return await openPlan(context, undefined, await loadedPlan());
}
