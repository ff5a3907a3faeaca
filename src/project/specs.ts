/**
 * Whether a project uses Ralph Specum.
 *
 * @module
 */

import { join } from "node:path";
import { statIfExists } from "../io/files.ts";

/** Whether `specs/` has the pointer file, or a folder with a state file. */
export function hasRalphSpecs(cwd: string): boolean {
  const specs = join(cwd, "specs");
  try {
    if (statIfExists(join(specs, ".current-spec"))?.isFile) return true;
    for (const entry of Deno.readDirSync(specs)) {
      if (!entry.isDirectory || entry.name.startsWith(".")) continue;
      if (statIfExists(join(specs, entry.name, ".ralph-state.json")) !== null) return true;
    }
  } catch {
    // No specs, or none that may be read.
  }
  return false;
}
