/** A project in which everything of the lab is installed. */

import { join } from "node:path";
import { lab } from "./lab.ts";
import { linkTree } from "./link_tree.ts";
import { commitAll, makeProject } from "./project.ts";

/** What no project here needs: parsers of the docs plugin, by far the largest part. */
const LEFT_OUT = new Set(["@esbuild", "tree-sitter-wasms", "typescript", ".bin"]);

const ASKED = ["cli", "lumina", "marketing", "plan"].map((name) => `@refrakt-md/${name}`);

const FILES = {
  "package.json": JSON.stringify({
    private: true,
    devDependencies: Object.fromEntries(ASKED.map((name) => [name, "*"])),
  }),
  "content/index.md": "# Home\n",
  ".gitignore": "node_modules\n",
};

/** Makes the project; returns its folder. */
export async function installedProject(): Promise<string> {
  const root = makeProject(FILES);
  commitAll(root, "Start");
  const modules = join(await lab(), "node_modules");
  linkTree(modules, join(root, "node_modules"), (name) => !LEFT_OUT.has(name));
  return root;
}
