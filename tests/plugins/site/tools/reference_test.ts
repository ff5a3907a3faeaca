import assert from "node:assert/strict";
import { callTool, errorOf } from "../../../support/calls.ts";
import { whole } from "../../../support/parts.ts";
import { publish, TRUSTED } from "../../../support/published.ts";
import { testUnless } from "../../../support/skip.ts";
import { installPacked, NOT_PACKED } from "../../../support/upstream.ts";
import { DOCS, LUMINA, MARKETING, PLAN, project, singleSite } from "../projects.ts";
import { referenceTool, renderTool } from "../tools.ts";

Deno.test("without a rune the reference has one line per rune and fewer than 15,000 characters", async () => {
  const result = await callTool(singleSite(), referenceTool);
  const signatures: Record<string, string[]> = result.signatures;
  assert.deepEqual(Object.keys(signatures), ["core", DOCS, MARKETING, PLAN]);
  assert.ok(Object.values(signatures).flat().length >= 80);
  assert.ok(JSON.stringify(result).length < 15_000);
  const hint = signatures["core"]!.find((line) => line.startsWith("hint|callout|alert("))!;
  assert.match(hint, /type=caution\|check\|note\|warning.*\): /);
  assert.match(signatures[DOCS]!.join("\n"), /^api\|endpoint\(.*path!/m);
  assert.ok(result.universal.includes("tint"));
});

Deno.test("several runes are returned in full, in the requested order", async () => {
  const dir = singleSite();
  const { runes } = await callTool(dir, referenceTool, { runes: ["steps", "callout"] });
  assert.deepEqual(runes.map(({ name }: Example) => name), ["steps", "hint"]);
  assert.deepEqual(runes[0], await callTool(dir, referenceTool, { rune: "steps" }));
  const markdown = { runes: ["steps", "hint"], format: "markdown" };
  const { text } = await callTool(dir, referenceTool, markdown);
  assert.match(String(text), /steps[\s\S]*hint/);
  assert.doesNotMatch(String(text), /universal/i);
  const whole = await callTool(dir, referenceTool, { ...markdown, universal: true });
  assert.match(String(whole["text"]), /Universal attributes .*tint/);
  const error = await errorOf(callTool(dir, referenceTool, { runes: ["hint", "hnt"] }));
  assert.equal(error.code, "NOT_FOUND");
});

Deno.test("plugin accepts a package's name or its last part", async () => {
  const dir = singleSite();
  for (const plugin of [DOCS, "docs"]) {
    const { signatures } = await callTool(dir, referenceTool, { plugin });
    assert.deepEqual(Object.keys(signatures as object), [DOCS]);
  }
  const error = await errorOf(callTool(dir, referenceTool, { plugin: "dosc" }));
  assert.equal(error.code, "NOT_FOUND");
  assert.match(error.hint!, /@refrakt-md\/docs/);
  const wrong = await errorOf(callTool(dir, referenceTool, { plugin: "docs", rune: "hint" }));
  assert.equal(wrong.code, "NOT_FOUND");
});

interface Example {
  name: string;
  example?: string;
  exampleNote?: string;
}

/** Renders the examples of all runes; returns those with findings. */
async function examplesWithFindings(
  runes: readonly Example[],
  render: (source: string) => Promise<{ diagnostics: unknown[] }>,
): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const { name, example } of runes) {
    if (example === undefined) continue;
    const { diagnostics } = await render(example);
    if (diagnostics.length > 0) wrong.push([name, diagnostics]);
  }
  return wrong;
}

const OURS = /^(?:Corrected by|Written for) @refrakt\/mcp; the package's example: /;

Deno.test("every example renders without findings; those of ours say what is wrong with the package's", async () => {
  const dir = singleSite(undefined, { "content/index.md": "# Home\n" });
  const { runes } = await callTool(dir, referenceTool, { detail: "full" });
  const render = (source: string) => callTool(dir, renderTool, { source });
  assert.deepEqual(await examplesWithFindings(runes, render), []);
  const feature = await callTool(dir, referenceTool, { rune: "feature" });
  assert.match(feature.exampleNote, OURS);
  const { text } = await callTool(dir, referenceTool, { rune: "feature", format: "markdown" });
  assert.ok(text.includes(feature.example));
  assert.match(text, /Note on the example: Written for @refrakt\/mcp/);
  const hint = await callTool(dir, referenceTool, { rune: "hint" });
  assert.equal(hint.exampleNote, undefined);
});

testUnless(
  NOT_PACKED,
  "the examples of all packages of 0.29.0 render without findings",
  async () => {
    const names = ["marketing", "docs", "storytelling", "places", "business", "design", "learning"];
    const plugins = [...names, "media", "plan"].map((name) => `@refrakt-md/${name}`);
    const dir = project({ site: { contentDir: "./content", theme: LUMINA, plugins } }, {
      "package.json": JSON.stringify({
        devDependencies: Object.fromEntries([...plugins, LUMINA].map((name) => [name, "0.29.0"])),
      }),
      "content/index.md": "# Home\n",
    });
    await installPacked(dir);
    await using server = await publish();
    await server.serve(dir, TRUSTED, async ({ ok }) => {
      const runes: Example[] = [];
      const { signatures } = await ok("refrakt_reference");
      const all = Object.values<string[]>(signatures).flat()
        .map((line) => /^[\w-]+/.exec(line)![0]);
      for (let start = 0; start < all.length; start += 10) {
        const chosen = all.slice(start, start + 10);
        runes.push(...(await whole(ok, "refrakt_reference", { runes: chosen })).runes);
      }
      assert.ok(runes.filter(({ example }) => example !== undefined).length > 80);
      const render = (source: string) => whole(ok, "refrakt_render", { source });
      assert.deepEqual(await examplesWithFindings(runes, render), []);
      assert.ok(runes.filter(({ exampleNote }) => OURS.test(exampleNote ?? "")).length > 15);
    });
  },
);
