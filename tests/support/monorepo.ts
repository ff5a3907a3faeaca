/**
 * A small copy of refrakt's own repository: every package is a workspace member, at a version
 * that no registry has; it contains a plan, two sites and a local rune.
 */

import { join } from "node:path";
import { lab } from "./lab.ts";
import { linkTree, renumber } from "./link_tree.ts";
import { makeProject, SMALL_PLAN } from "./project.ts";

/** Whether a checkout is only cloned, or also installed and built. */
type Stage = "bare" | "built";

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
};

const BUILT = {
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

/** Makes the repository in a temporary directory. */
export async function monorepo(stage: Stage): Promise<string> {
  const root = makeProject({ ...FILES, ...(stage === "built" ? BUILT : {}) });
  const modules = join(await lab(), "node_modules");
  const packages = [...Deno.readDirSync(join(modules, "@refrakt-md"))].map(({ name }) => name);
  for (const name of packages) {
    const folder = `${PLUGINS.includes(name) ? "plugins" : "packages"}/${name}`;
    linkTree(
      join(modules, "@refrakt-md", name),
      join(root, folder),
      (entry) => entry !== "node_modules" && (stage === "built" || entry !== "dist"),
    );
    renumber(join(root, folder, "package.json"), WORKSPACE_VERSION);
    if (stage !== "bare") link(root, `node_modules/@refrakt-md/${name}`, folder);
  }
  if (stage !== "bare") {
    linkTree(modules, join(root, "node_modules"), (entry) => !LEFT_OUT.has(entry));
    link(root, "node_modules/@acme/mine", MINE);
  }
  return root;
}

function link(root: string, path: string, target: string): void {
  Deno.mkdirSync(join(root, path, ".."), { recursive: true });
  Deno.symlinkSync(join(root, target), join(root, path));
}
