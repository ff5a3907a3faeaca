/**
 * A new folder for a spec: under a name that nobody else has, filled or not there.
 *
 * @module
 */

import { join } from "node:path";
import { fileFailure, fileOperation, invalid } from "./failures.ts";
import { lstatIfExists, specsRoot } from "./files.ts";
import { withLock } from "./lock.ts";
import { withSuffix } from "./names.ts";
import {
  clearPointer,
  listSpecs,
  readPointer,
  type Spec,
  takenNames,
  writePointer,
} from "./specs.ts";
import { removeSpec, save } from "./save.ts";
import { look, type SoundView } from "./view.ts";

/**
 * Creates a folder, fills it and makes it the current spec, or takes all of it back.
 *
 * @param cwd The project's directory.
 * @param signal Gives up waiting for others.
 * @param wanted The name; a number is added where it is taken.
 * @param state The state that it begins with, the goal included.
 */
export async function createSpec(
  cwd: string,
  signal: AbortSignal,
  wanted: string,
  state: Readonly<Record<string, unknown>>,
): Promise<SoundView> {
  fileOperation(cwd, "write", "specs", () => {
    // A folder that is there already may be a link, or may not be ours to make.
    if (lstatIfExists(join(cwd, "specs")) === null) {
      Deno.mkdirSync(join(cwd, "specs"), { recursive: true });
    }
  });
  return await withLock(cwd, signal, () => {
    const pointer = readPointer(cwd, listSpecs(cwd)).text;
    const spec = claim(cwd, wanted);
    try {
      // The state brings the goal along, which the progress file is made with.
      const view = save({ ...look(spec, false), goal: String(state["goal"]) }, { state });
      writePointer(cwd, spec.name);
      return view;
    } catch (error) {
      rollBack(spec, pointer);
      throw error;
    }
  });
}

function claim(cwd: string, wanted: string): Spec {
  const root = specsRoot(cwd);
  const taken = new Set(takenNames(cwd).map((name) => name.toLowerCase()));
  for (let count = 1; count < 10_000; count++) {
    const name = withSuffix(wanted, count);
    if (taken.has(name)) continue;
    const dir = join(root, name);
    try {
      Deno.mkdirSync(dir);
      return { cwd, name, dir };
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) continue;
      throw fileFailure(cwd, "write", `specs/${name}`, error);
    }
  }
  throw invalid(
    `There are too many specs called '${wanted}'`,
    "Call ralph_start with another name.",
  );
}

function rollBack(spec: Spec, pointer: string | null): void {
  try {
    removeSpec(spec);
    if (pointer === null) clearPointer(spec.cwd);
    else writePointer(spec.cwd, pointer);
  } catch {
    // The first failure is the one to report.
  }
}
