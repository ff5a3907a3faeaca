/**
 * Makes foreign code safe to run in this process. See README.md for what this
 * promises and what it does not.
 *
 * @module
 */

import { currentCall } from "./call.ts";
import { childProcessModule } from "./child_process.ts";
import { containedFs } from "./contained_fs.ts";
import { replaceModule } from "./modules.ts";
import { guardProcess } from "./process_guard.ts";

let root: string | undefined;

/**
 * Puts every guard in place. It has to be called before the first plugin is
 * imported; later calls only change the project that plugins are held to.
 *
 * @param projectRoot The real, absolute directory of the project.
 */
export function enterSandbox(projectRoot: string): void {
  const first = root === undefined;
  root = projectRoot;
  if (!first) return;
  const rootOf = () => currentCall()?.root ?? root!;
  guardProcess();
  const children = childProcessModule(rootOf);
  const { fs, promises } = containedFs(rootOf);
  for (
    const [names, exports] of [
      [["child_process", "node:child_process"], children],
      [["fs", "node:fs"], fs],
      [["fs/promises", "node:fs/promises"], promises],
    ] as const
  ) {
    replaceModule({
      matches: (specifier, parent) =>
        (names as readonly string[]).includes(specifier) && !isOwn(parent),
      exports,
    });
  }
}

/** Our own modules, and the SDK's, keep the real ones. */
function isOwn(parent: string): boolean {
  return OWN_FOLDERS.some((folder) => parent.startsWith(folder)) ||
    parent.includes("/@modelcontextprotocol/");
}

const OWN_FOLDERS = ["../../src/", "../../plugins/"].map((folder) =>
  new URL(folder, import.meta.url).href
);
