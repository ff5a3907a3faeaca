/** Creates the folder of a new spec. */

import { join } from "node:path";
import { exists } from "../../src/io/paths.ts";
import { fileOperation } from "./failures.ts";
import { readFolder, removeTree, specsRoot } from "./files.ts";
import { withLock } from "./lock.ts";
import { withSuffix } from "./names.ts";
import { save } from "./save.ts";
import { type Spec, writePointer } from "./specs.ts";
import { look, type SoundView } from "./view.ts";

/** Creates a spec and makes it the current one. If a step fails, the earlier ones are undone. */
export async function createSpec(
  cwd: string,
  signal: AbortSignal,
  wanted: string,
  state: Readonly<Record<string, unknown>>,
): Promise<SoundView> {
  const specs = join(cwd, "specs");
  fileOperation(cwd, "write", specs, () => {
    if (!exists(specs)) Deno.mkdirSync(specs, { recursive: true });
  });
  return await withLock(cwd, signal, () => {
    const spec = createFolder(cwd, wanted);
    try {
      const view = save(look(spec, false), { state });
      writePointer(cwd, spec.name);
      return view;
    } catch (error) {
      undo(spec);
      throw error;
    }
  });
}

/** Creates a folder with a free name; some file systems ignore case. */
function createFolder(cwd: string, wanted: string): Spec {
  const root = specsRoot(cwd);
  const taken = new Set(readFolder(cwd, root).map((entry) => entry.name.toLowerCase()));
  let count = 1;
  while (taken.has(withSuffix(wanted, count))) count++;
  const name = withSuffix(wanted, count);
  const dir = join(root, name);
  fileOperation(cwd, "write", dir, () => Deno.mkdirSync(dir));
  return { cwd, name, dir };
}

/** Removes the folder; the pointer, which is written last, has not changed. */
function undo(spec: Spec): void {
  try {
    removeTree(spec.cwd, spec.dir);
  } catch {
    // The first error is the one to report.
  }
}
