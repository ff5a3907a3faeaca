import assert from "node:assert/strict";
import { callTool, errorOf } from "../support/calls.ts";
import { DOCS, MARKETING, PLAN, singleSite } from "./projects.ts";
import { referenceTool } from "./tools.ts";

interface Entry {
  name: string;
}

Deno.test("without a rune the reference has one line per rune and fewer than 15,000 characters", async () => {
  const result = await callTool(singleSite(), referenceTool);
  const signatures = result["signatures"] as Record<string, string[]>;
  assert.deepEqual(Object.keys(signatures), ["core", DOCS, MARKETING, PLAN]);
  assert.ok(Object.values(signatures).flat().length >= 80);
  assert.ok(JSON.stringify(result).length < 15_000);
  const hint = signatures["core"]!.find((line) => line.startsWith("hint|callout|alert("))!;
  assert.match(hint, /type=caution\|check\|note\|warning.*\): /);
  assert.match(signatures[DOCS]!.join("\n"), /^api\|endpoint\(.*path!/m);
  assert.ok((result["universal"] as string[]).includes("tint"));
});

Deno.test("several runes are returned in full, in the requested order", async () => {
  const dir = singleSite();
  const { runes } = await callTool(dir, referenceTool, { runes: ["steps", "callout"] });
  assert.deepEqual((runes as Entry[]).map(({ name }) => name), ["steps", "hint"]);
  const one = await callTool(dir, referenceTool, { rune: "steps" });
  assert.deepEqual((runes as unknown[])[0], one);
  const text = await callTool(dir, referenceTool, { runes: ["steps", "hint"], format: "markdown" });
  assert.match(String(text["text"]), /steps[\s\S]*hint/);
  assert.doesNotMatch(String(text["text"]), /universal/i);
  const whole = await callTool(dir, referenceTool, {
    rune: "hint",
    format: "markdown",
    universal: true,
  });
  assert.match(String(whole["text"]), /Universal attributes .*tint/);
  const error = await errorOf(callTool(dir, referenceTool, { runes: ["hint", "hnt"] }));
  assert.equal(error.code, "NOT_FOUND");
});

Deno.test("the reference of a rune agrees with its example or reports the contradiction", async () => {
  const dir = singleSite();
  const steps = await callTool(dir, referenceTool, { rune: "steps" });
  // The example has headings, but the packages' own reference only has the ordered list.
  assert.match(String(steps["example"]), /^# /m);
  const [branch] = steps["contentModelWhen"] as {
    condition: unknown;
    contentModel: { type: string };
  }[];
  assert.deepEqual(branch!.condition, { hasChild: "heading" });
  assert.equal(branch!.contentModel.type, "sections");
  assert.equal(steps["contradictions"], undefined);
  const pricing = await callTool(dir, referenceTool, { rune: "pricing" });
  assert.match(String(pricing["contradictions"]), /"featured" must be boolean, not "true"/);
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
