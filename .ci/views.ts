/**
 * Builds the views from plugins/board/view into modules that can be published: one
 * self-contained document each. tests/plugins/board/mod_test.ts says whether they are up to date.
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const VIEW = join(ROOT, "plugins/board/view");
/** The views: their name, their module with its constant, and their style sheets. */
export const VIEWS = {
  board: {
    out: "plugins/board/plan_board.ts",
    constant: "PLAN_BOARD",
    uri: "ui://refrakt/plan-board",
    styles: ["base.css", "board.css"],
  },
  preview: {
    out: "plugins/board/preview.ts",
    constant: "PREVIEW",
    uri: "ui://refrakt/preview",
    styles: ["base.css", "preview.css"],
  },
} as const;

/** Builds a view and returns the text of its module. */
export async function buildView(name: keyof typeof VIEWS): Promise<string> {
  const { constant, uri, styles } = VIEWS[name];
  const bundle = Deno.makeTempFileSync({ suffix: ".js" });
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--platform", "browser", "--minify", "-o", bundle, join(VIEW, `${name}.ts`)],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  // The script is inside a document: nothing in it may end it. Top-level await needs a module.
  const script = Deno.readTextFileSync(bundle).trim().replaceAll("</script", "<\\/script");
  Deno.removeSync(bundle);
  const css = styles.map((sheet) => Deno.readTextFileSync(join(VIEW, sheet))).join("\n")
    .replace(/\/\*[^]*?\*\//g, "").replace(/\s+/g, " ").replace(/ ?([{};]) ?/g, "$1");
  const html = Deno.readTextFileSync(join(VIEW, `${name}.html`))
    .replace(/<style>[^]*<\/style>/, () => `<style>${css}</style>`)
    .replace(/<script>[^]*<\/script>/, () => `<script type="module">${script}</script>`);
  return `// Made by \`deno task views\` from plugins/board/view: do not edit.
// deno-fmt-ignore-file
// deno-lint-ignore-file

/** The document of the view \`${uri}\`. */
export const ${constant}: string = ${JSON.stringify(html)};
`;
}

if (import.meta.main) {
  for (const name of ["board", "preview"] as const) {
    Deno.writeTextFileSync(join(ROOT, VIEWS[name].out), await buildView(name));
  }
}
