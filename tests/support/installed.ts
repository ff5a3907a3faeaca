/** Fake and real packages, installed as npm installs them. */

import { join } from "node:path";
import { lab } from "./lab.ts";
import { linkTree } from "./link_tree.ts";
import { writeFiles } from "./project.ts";
import { type FakePackage, filesOf, SCOPE } from "./registry.ts";

/** Installs fake packages into a project's `node_modules`. */
export function installPackages(
  cwd: string,
  packages: readonly FakePackage[],
  scope = SCOPE,
): void {
  for (const entry of packages) {
    const folder = join("node_modules", scope, entry.name);
    const files = Object.entries(filesOf(scope, entry));
    writeFiles(cwd, Object.fromEntries(files.map(([path, text]) => [join(folder, path), text])));
  }
}

/** Parsers of the docs plugin, the largest part, which no test needs. */
const LEFT_OUT = new Set([".bin", "tree-sitter-wasms", "typescript", "@esbuild"]);

/** Installs the real refrakt packages into a project's `node_modules`, as npm does. */
export async function installReal(cwd: string): Promise<void> {
  const modules = join(await lab(), "node_modules");
  linkTree(modules, join(cwd, "node_modules"), (entry) => !LEFT_OUT.has(entry));
}
