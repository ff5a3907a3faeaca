/** Attributes, items, themes and hostile names. */

import assert from "node:assert/strict";
import { callTool, errorOf } from "../../../support/calls.ts";
import { coreSite, LUMINA, MARKETING, singleSite } from "../projects.ts";
import { inspectListTool, inspectTool } from "../tools.ts";

const inspect = (dir: string, input: Record<string, unknown>) => callTool(dir, inspectTool, input);

Deno.test("attribute values are always data", async () => {
  const dir = coreSite();
  const values = [
    'x" onclick="alert(1)',
    "$& $1 $` $$",
    "%} {% hint %}",
    "back\\slash \\",
    "line\nbreak\ttab",
    "日本語 ✓",
    "{{ $page }}",
    "</article><script>",
    "all",
  ];
  for (const value of values) {
    const attributes = { id: "a", "tint-mode": value };
    const { html = "" } = await inspect(dir, { rune: "hint", attributes });
    assert.ok(!html.includes('onclick="alert'), value);
    assert.ok(!html.includes("<script>"), value);
    assert.equal((html.match(/data-rune="hint"/g) ?? []).length, value === "all" ? 0 : 1);
  }
  const attributes = { summary: 'say "hi" %} $&' };
  const { input, html } = await inspect(dir, { rune: "details", attributes });
  assert.match(String(input), /summary="say \\"hi\\" %\} \$&"/);
  assert.match(String(html), /say (&quot;|")hi(&quot;|") %\} \$&/);
});

Deno.test("an unquoted attribute of the example is replaced, not duplicated", async () => {
  const dir = singleSite();
  const { runes } = await callTool(dir, inspectListTool);
  let replaced = 0;
  for (const { name } of runes) {
    const { input } = await inspect(dir, { rune: name });
    const match = new RegExp(`\\{% ${name}[^%]*? ([\\w-]+)=(\\d+|true|false)`).exec(String(input));
    if (match === null) continue;
    const changed = await inspect(dir, { rune: name, attributes: { [match[1]!]: "7" } });
    assert.match(String(changed["input"]), new RegExp(`${match[1]}="7"`));
    assert.equal(String(changed["input"]).split("\n")[0]!.split(`${match[1]}=`).length, 2);
    replaced++;
  }
  assert.ok(replaced > 0);
});

Deno.test("the result includes edit hints and the contract", async () => {
  const { editHints, contract, config } = await inspect(singleSite(), { rune: "hero" });
  assert.equal(config.block, "hero");
  assert.equal(contract.root, ".rf-hero");
  assert.deepEqual(editHints, {
    action: "link",
    blurb: "inline",
    command: "code",
    eyebrow: "inline",
    headline: "inline",
    media: "image",
  });
  const core = await inspect(coreSite(), { rune: "details" });
  assert.deepEqual(core["editHints"], { body: "none", summary: "inline" });
});

Deno.test("an invalid theme is rejected, never replaced by the base", async () => {
  const dir = coreSite();
  const themed = await inspect(dir, { rune: "hint", theme: LUMINA });
  assert.equal(themed["theme"], LUMINA);
  for (const theme of ["no-such-theme", "./missing.ts", MARKETING]) {
    const error = await errorOf(inspect(dir, { rune: "hint", theme }));
    assert.ok(["PLUGIN_LOAD_FAILED", "NOT_FOUND"].includes(error.code), theme);
  }
  const outside = await errorOf(inspect(dir, { rune: "hint", theme: "../theme.ts" }));
  assert.equal(outside.code, "PERMISSION_DENIED");
});

Deno.test("a theme may be a module of the project if the config names it", async () => {
  const dir = coreSite({ theme: "./theme.ts" }, {
    "theme.ts": `export const myTheme = { prefix: "my", tokenPrefix: "--my", icons: {},
      runes: { Hint: { block: "note" as const } } };`,
    "other.ts": `Deno.writeTextFileSync("ran", ""); export const myTheme = {};`,
  });
  const refused = await errorOf(inspect(dir, { rune: "hint", theme: "./other.ts" }));
  assert.equal(refused.code, "PERMISSION_DENIED");
  const result = await inspect(dir, { rune: "hint", theme: "./theme.ts" });
  assert.match(String(result["html"]), /class="my-note/);
  assert.deepEqual(result.contract.root, ".my-note");
});

Deno.test("an unknown rune is NOT_FOUND with the nearest names, in a short message", async () => {
  const dir = coreSite();
  for (const rune of ["hnt", "__proto__", "constructor", "--list"]) {
    const error = await errorOf(inspect(dir, { rune }));
    assert.equal(error.code, "NOT_FOUND", rune);
    assert.ok(`${error.message} ${error.hint}`.length < 200, rune);
  }
  assert.match((await errorOf(inspect(dir, { rune: "hnt" }))).hint!, /"hint"/);
  assert.equal((await errorOf(inspect(dir, { rune: "" }))).code, "INVALID_ARGS");
});

Deno.test("fields select parts of the result, and warnings come first", async () => {
  const dir = coreSite();
  const hint = (type: string, fields: string[]) =>
    inspect(dir, { rune: "hint", attributes: { type }, fields });
  const some = await hint("odd", ["outline", "warnings"]);
  assert.deepEqual(Object.keys(some), ["warnings", "rune", "theme", "input", "outline"]);
  assert.match(String(some["outline"]), /^ {2}section\.rf-hint/m);
  const { variants } = await hint("all", ["selectors"]);
  for (const variant of variants) {
    assert.deepEqual(Object.keys(variant), ["value", "rune", "theme", "input", "selectors"]);
  }
});
