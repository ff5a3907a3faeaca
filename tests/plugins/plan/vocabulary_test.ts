import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { readVocabulary } from "../../../plugins/plan/vocabulary.ts";
import type { Warning } from "../../../src/project/project.ts";
import { loadedPlan } from "../../support/plan.ts";
import { makeProject } from "../../support/project.ts";

Deno.test("the installed plugin's own lists are read", async () => {
  const { vocabulary } = await loadedPlan();
  assert.ok(vocabulary?.status["work"]?.includes("in-progress"));
  assert.ok(vocabulary?.values["priority"]?.includes("critical"));
  assert.ok(vocabulary?.attributes["bug"]?.includes("severity"));
});

Deno.test("a plugin that keeps its lists elsewhere, or in another shape, is a warning", async () => {
  const odd = makeProject({
    "package.json": '{"type":"module"}',
    "dist/commands/enums.js": "export const VALID_STATUS = { work: 'ready' };",
  });
  for (const folder of [odd, makeProject()]) {
    const warnings: Warning[] = [];
    const base = `${pathToFileURL(folder).href}/`;
    assert.equal(await readVocabulary(base, "9.9.9", warnings), undefined);
    assert.deepEqual(warnings.map(({ code }) => code), ["PLUGIN_UNFAMILIAR"]);
  }
});
