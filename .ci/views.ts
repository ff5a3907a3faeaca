/**
 * Builds the views from plugins/board/view into modules that can be published: one
 * self-contained document each. tests/plugins/board/mod_test.ts checks that they are up to date.
 */

import { basename, join } from "node:path";
// deno-lint-ignore no-import-prefix -- not in deno.json: only builds of the views need it
import { minify } from "npm:terser@5.51.2";
import { ROOT, runDeno } from "./run_deno.ts";

const VIEW = join(ROOT, "plugins/board/view");
const NOTICE =
  "Includes Preact (https://preactjs.com), Copyright (c) 2015-present Jason Miller, MIT: see LICENSE";

/** The views: title, module and style sheets. */
export const VIEWS = {
  board: {
    title: "Plan board",
    out: "plugins/board/plan_board.ts",
    styles: ["base.css", "board.css"],
  },
  preview: {
    title: "Preview",
    out: "plugins/board/preview.ts",
    styles: ["base.css", "preview.css"],
  },
} as const;

/** Builds a view and returns the text of its module. */
export async function buildView(name: keyof typeof VIEWS): Promise<string> {
  const { out, title, styles } = VIEWS[name];
  const constant = basename(out, ".ts").toUpperCase();
  const script = await scriptOf(`${name}.tsx`);
  const frame = name === "preview" ? await scriptOf("frame_script.ts") : undefined;
  const sheet = Deno.makeTempFileSync({ suffix: ".css" });
  const texts = styles.map((style) => Deno.readTextFileSync(join(VIEW, style)));
  Deno.writeTextFileSync(sheet, texts.join("\n"));
  const css = await bundled(sheet, "--minify");
  Deno.removeSync(sheet);
  const html = Deno.readTextFileSync(join(VIEW, "view.html")).replace(/\s+/g, " ")
    .replace("<title>", () => `<title>${title}`)
    .replace(/<style>[^]*<\/style>/, () => `<style>${css}</style>`)
    .replace(/<script>[^]*<\/script>/, () => `<script type="module">${script}</script>`)
    // The server names its port.
    .replace(
      "default-src 'none';",
      (policy) => frame === undefined ? policy : `${policy} frame-src http://127.0.0.1:*/;`,
    );
  return `// Made by \`deno task views\` from plugins/board/view: do not edit.
// deno-fmt-ignore-file
// deno-lint-ignore-file
/*! ${NOTICE} */

/** The document of the view. */
export const ${constant}: string = ${JSON.stringify(html)};
${
    frame === undefined ? "" : `
/** The script of the frame in which it shows pages. */
export const FRAME: string = ${JSON.stringify(frame)};
`
  }`;
}

/** Bundles a module or a style sheet. */
async function bundled(entry: string, ...flags: string[]): Promise<string> {
  const bundle = await runDeno(VIEW, ["bundle", "-q", "--platform", "browser", ...flags, entry]);
  return bundle.trim();
}

/** Minifies a module for an inline script: nothing in it may close this. */
async function scriptOf(entry: string): Promise<string> {
  // Top-level await needs a module. It makes 4 % less than the bundle's own `--minify`.
  const compress = { passes: 3, unsafe_arrows: true, keep_fargs: false };
  const { code = "" } = await minify(await bundled(entry), { module: true, ecma: 2020, compress });
  return code.replaceAll("</script", "<\\/script");
}

if (import.meta.main) {
  for (const name of ["board", "preview"] as const) {
    Deno.writeTextFileSync(join(ROOT, VIEWS[name].out), await buildView(name));
  }
}
