/**
 * What has to be there before a tool can do its work.
 *
 * @module
 */

import { missing, phaseMismatch } from "./failures.ts";
import { readInside } from "./files.ts";
import { ARTIFACTS, type DocumentPhase, isBefore, type Phase } from "./phases.ts";
import { type Spec, specFile, specPath } from "./specs.ts";
import type { State } from "./state.ts";
import { parseTasks, type TaskList } from "./tasks.ts";

/**
 * The tasks of a spec whose plan is to be carried out.
 *
 * @throws {RefraktError} `PHASE_MISMATCH` before the tasks phase, `MISSING_PREREQUISITES` where
 * there are no tasks.
 */
export function requireTasks(spec: Spec, state: State): { list: TaskList; cut: boolean } {
  if (state.phase !== "tasks" && state.phase !== "execution") {
    throw phaseMismatch(spec.name, state.phase, "execution", false);
  }
  const path = specPath(spec, ARTIFACTS.tasks);
  const again = state.phase === "execution" ? "ralph_tasks with redo: true" : "ralph_tasks";
  const hint = `Call ${again} and write ${path}, then call ralph_implement.`;
  const file = readInside(spec.cwd, specFile(spec, ARTIFACTS.tasks));
  if (file === null) {
    throw missing(`Tasks not generated. Run ralph_tasks first. ${path} does not exist.`, hint);
  }
  if (file.text.trim() === "") {
    throw missing(`Tasks not generated. Run ralph_tasks first. ${path} is empty.`, hint);
  }
  const list = parseTasks(file.text);
  if (list.tasks.length === 0) {
    throw missing(
      `Tasks not generated. Run ralph_tasks first. ${path} has no recognised tasks.`,
      `A task is a line in the first column such as "- [ ] 1.1 Title". ${hint}`,
    );
  }
  return { list, cut: file.cut };
}

/** Whether this is work on an earlier phase; a phase that is not due is an error. */
export function checkPhase(spec: Spec, state: State, phase: DocumentPhase, redo: boolean): boolean {
  if (state.phase === phase) return false;
  if (redo && isBefore(phase, state.phase)) return true;
  throw phaseMismatch(spec.name, state.phase, phase, true);
}

/** The earlier phases that are being worked on again. */
export function redoneBy(state: State): Phase[] {
  const stored = state.raw["redoPhases"];
  return Array.isArray(stored)
    ? stored.filter((value): value is Phase => typeof value === "string")
    : [];
}
