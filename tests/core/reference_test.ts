/** The reference: the whole in a form that fits, and nothing written. */

import assert from "node:assert/strict";
import { referenceTool } from "../../src/core/reference.ts";
import { callTool, errorOf } from "../support/calls.ts";
import { readTree } from "../support/project.ts";
import { coreSite, DOCS, PLAIN_RUNE, singleSite } from "./projects.ts";

interface Entry {
  name: string;
  plugin: string;
  aliases: string[];
  attributes: { own: Record<string, unknown> };
}

Deno.test("the reference without a rune is the whole vocabulary, and fits", async () => {
  const result = await callTool(singleSite(), referenceTool);
  const runes = result["runes"] as Entry[];
  assert.ok(runes.length >= 80);
  assert.ok(JSON.stringify(result).length < 60_000);
  const hint = runes.find(({ name }) => name === "hint")!;
  assert.ok("type" in hint.attributes.own);
  assert.ok((result["universal"] as string[]).includes("tint"));
});

Deno.test("a larger vocabulary still fits, with less about each rune", async () => {
  const names = Array.from({ length: 120 }, (_, index) => `mood-${index}`);
  const long = PLAIN_RUNE.replace(
    "attributes: {",
    `attributes: { long: { type: String, description: "${"word ".repeat(60)}" },`,
  );
  const dir = singleSite(
    { local: Object.fromEntries(names.map((name) => [name, `./${name}.mjs`])) },
    Object.fromEntries(names.map((name) => [`${name}.mjs`, long])),
  );
  for (const format of ["json", "markdown"]) {
    const result = await callTool(dir, referenceTool, { format });
    const whole = format === "json" ? JSON.stringify(result) : String(result["text"]);
    assert.ok(whole.length < 60_000, `${format}: ${whole.length}`);
    assert.ok(names.every((name) => whole.includes(name)));
  }
});

Deno.test("the reference in Markdown says each rune and its attributes", async () => {
  const result = await callTool(singleSite(), referenceTool, { format: "markdown" });
  const text = String(result["text"]);
  assert.match(text, /^- \*\*hint\*\* \(or callout, alert\): /m);
  assert.match(text, /^ {2}- type: "caution" \| "check"/m);
  assert.equal((result["data"] as { markdown: string }).markdown, text);
});

Deno.test("one package, by its name or the last part of it", async () => {
  const dir = singleSite();
  for (const plugin of [DOCS, "docs"]) {
    const { runes } = await callTool(dir, referenceTool, { plugin });
    assert.ok((runes as Entry[]).length > 3);
    assert.ok((runes as Entry[]).every((rune) => rune.plugin === DOCS));
  }
  const error = await errorOf(callTool(dir, referenceTool, { plugin: "dosc" }));
  assert.equal(error.code, "NOT_FOUND");
  assert.match(error.hint!, /@refrakt-md\/docs/);
  const wrong = await errorOf(callTool(dir, referenceTool, { plugin: "docs", rune: "hint" }));
  assert.equal(wrong.code, "NOT_FOUND");
});

Deno.test("aliases of the config and local runes are known", async () => {
  const dir = coreSite({ runes: { aliases: { tipbox: "hint" }, local: { mood: "./mood.mjs" } } }, {
    "mood.mjs": PLAIN_RUNE,
  });
  const byAlias = await callTool(dir, referenceTool, { rune: "tipbox" });
  assert.equal(byAlias["name"], "hint");
  assert.deepEqual(byAlias["aliases"], ["callout", "alert", "tipbox"]);
  const { runes } = await callTool(dir, referenceTool, { plugin: "local" });
  assert.deepEqual((runes as Entry[]).map(({ name }) => name), ["mood"]);
});

Deno.test("words that the CLI takes for commands are runes that do not exist, and write nothing", async () => {
  const dir = coreSite({}, { "AGENTS.md": "# Mine\n" });
  const before = readTree(dir);
  for (const rune of ["dump", "list", "--help", "--output=x", "constructor", "__proto__"]) {
    assert.equal((await errorOf(callTool(dir, referenceTool, { rune }))).code, "NOT_FOUND", rune);
  }
  await callTool(dir, referenceTool, { detail: "full", format: "markdown" });
  assert.deepEqual(readTree(dir), before);
});
