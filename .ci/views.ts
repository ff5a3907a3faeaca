/**
 * Builds the views from plugins/board/view into modules that can be published: one
 * self-contained document each. tests/plugins/board/mod_test.ts checks that they are up to date.
 */

import { join } from "node:path";
// deno-lint-ignore no-import-prefix -- not in deno.json: only builds of the views need it
import { minify } from "npm:terser@5.51.2";
import { ROOT, runDeno } from "./run_deno.ts";

const VIEW = join(ROOT, "plugins/board/view");
const NOTICE =
  "Includes Preact (https://preactjs.com), Copyright (c) 2015-present Jason Miller, MIT: see LICENSE";

/** The views: name, module with its constant, and style sheets. */
export const VIEWS = {
  board: {
    entry: "board.tsx",
    title: "Plan board",
    out: "plugins/board/plan_board.ts",
    constant: "PLAN_BOARD",
    uri: "ui://refrakt/plan-board",
    styles: ["base.css", "now.css", "entity.css", "board.css"],
  },
  preview: {
    entry: "preview.tsx",
    title: "Preview",
    out: "plugins/board/preview.ts",
    constant: "PREVIEW",
    uri: "ui://refrakt/preview",
    styles: ["base.css", "preview.css"],
  },
} as const;

/** Builds a view and returns the text of its module. */
export async function buildView(name: keyof typeof VIEWS): Promise<string> {
  const { constant, entry, title, uri, styles } = VIEWS[name];
  const script = await bundled(entry);
  const inner = name === "preview" ? await frameScript() : "";
  const css = styles.map((sheet) => Deno.readTextFileSync(join(VIEW, sheet))).join("\n")
    .replace(/\/\*[^]*?\*\//g, "").replace(/\s+/g, " ").replace(/ ?([{};>,]) ?/g, "$1")
    .replaceAll("( ", "(").replaceAll(" )", ")")
    .replaceAll(": ", ":").replaceAll(";}", "}");
  const html = Deno.readTextFileSync(join(VIEW, "view.html")).replace(/\s+/g, " ")
    .replace("<title>", () => `<title>${title}`)
    .replace(/<style>[^]*<\/style>/, () => `<style>${css}</style>`)
    .replace(/<script>[^]*<\/script>/, () => `${inner}<script type="module">${script}</script>`);
  return `// Made by \`deno task views\` from plugins/board/view: do not edit.
// deno-fmt-ignore-file
// deno-lint-ignore-file
/*! ${NOTICE} */

/** The document of the view \`${uri}\`. */
export const ${constant}: string = ${JSON.stringify(html)};
`;
}

/** Bundles a module for an inline script: nothing in it may close its element. */
async function bundled(entry: string): Promise<string> {
  const bundle = Deno.makeTempFileSync({ suffix: ".js" });
  await runDeno(ROOT, ["bundle", "--platform", "browser", "-o", bundle, join(VIEW, entry)]);
  // Top-level await needs a module. It makes 4 % less than the bundle's own `--minify`.
  const { code = "" } = await minify(Deno.readTextFileSync(bundle), {
    module: true,
    ecma: 2020,
    compress: { passes: 3, unsafe_arrows: true, keep_fargs: false },
  });
  Deno.removeSync(bundle);
  return code.replaceAll("</script", "<\\/script");
}

/** The script of the preview's frame as data, with the hash for the frame's policy. */
async function frameScript(): Promise<string> {
  const text = `(()=>{${await bundled("frame_script.ts")}})()`;
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const hash = `sha256-${new Uint8Array(bytes).toBase64()}`;
  return `<script type="text/plain" id="frame-script" data-hash="${hash}">${text}</script>`;
}

if (import.meta.main) {
  for (const name of ["board", "preview"] as const) {
    Deno.writeTextFileSync(join(ROOT, VIEWS[name].out), await buildView(name));
  }
}
