/**
 * A small copy of refrakt's own repository: every package is a workspace member, at a version
 * that no registry has; it contains a plan, two sites and a local rune.
 */

import { join } from "node:path";
import { lab } from "./lab.ts";
import { linkTree, renumber } from "./link_tree.ts";
import { makeProject, SMALL_PLAN } from "./project.ts";

export const WORKSPACE_VERSION = "0.25.99";

const PLUGINS = ["docs", "marketing", "plan"];
/** The largest parts, which no test needs. */
const LEFT_OUT = new Set(["@refrakt-md", "tree-sitter-wasms", "typescript", "@esbuild", ".bin"]);

const MINE = "plugins/mine";

const FILES = {
  ...SMALL_PLAN,
  "package.json": JSON.stringify({
    name: "monorepo",
    private: true,
    workspaces: ["packages/*", "plugins/*", "site"],
  }),
  "refrakt.config.json": JSON.stringify({
    plan: { dir: "plan" },
    plugins: ["@refrakt-md/plan", "@acme/mine"],
    sites: {
      main: {
        contentDir: "site/content",
        theme: "@refrakt-md/lumina",
        target: "html",
        plugins: ["@refrakt-md/marketing", "@refrakt-md/plan"],
        runes: { local: { aside: "./site/runes/aside.js" } },
      },
      docs: { contentDir: "site/docs", theme: "@refrakt-md/lumina", plugins: ["@acme/mine"] },
    },
  }),
  "site/package.json": JSON.stringify({ name: "site", version: "1.0.0", private: true }),
  "site/content/index.md": "# Hello\n",
  "site/docs/index.md": "# Docs\n",
  "site/runes/aside.js": `import { createContentModelSchema } from "@refrakt-md/runes";
export const transform = createContentModelSchema({
  attributes: {},
  contentModel: { type: "sequence", fields: [{ name: "body", match: "any", optional: true, greedy: true }] },
  transform: () => null,
});
`,
  [`${MINE}/package.json`]: JSON.stringify({
    name: "@acme/mine",
    version: "3.0.0",
    type: "module",
    scripts: { build: "node build.js" },
    exports: { ".": "./dist/index.js", "./cli-plugin": "./dist/cli-plugin.js" },
  }),
  [`${MINE}/dist/index.js`]: `export default { name: "mine", version: "3.0.0", runes: {
  greet: { transform: { attributes: {} }, description: "Greets" },
} };
`,
  [`${MINE}/dist/cli-plugin.js`]: `export default { namespace: "mine", commands: [{
  name: "where",
  description: "Says which file it is.",
  mcpHandler: () => ({ url: import.meta.url }),
}] };
`,
};

/** Makes the repository in a temporary directory, installed and built. */
export async function monorepo(): Promise<string> {
  const root = makeProject(FILES);
  const modules = join(await lab(), "node_modules");
  for (const { name } of Deno.readDirSync(join(modules, "@refrakt-md"))) {
    const folder = `${PLUGINS.includes(name) ? "plugins" : "packages"}/${name}`;
    const from = join(modules, "@refrakt-md", name);
    linkTree(from, join(root, folder), (entry) => entry !== "node_modules");
    renumber(join(root, folder, "package.json"), WORKSPACE_VERSION);
    link(root, `node_modules/@refrakt-md/${name}`, folder);
  }
  linkTree(modules, join(root, "node_modules"), (entry) => !LEFT_OUT.has(entry));
  link(root, "node_modules/@acme/mine", MINE);
  return root;
}

function link(root: string, path: string, target: string): void {
  Deno.mkdirSync(join(root, path, ".."), { recursive: true });
  Deno.symlinkSync(join(root, target), join(root, path));
}
