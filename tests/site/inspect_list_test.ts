/** The list of runes. */

import assert from "node:assert/strict";
import { callTool } from "../support/calls.ts";
import { MARKETING, singleSite } from "./projects.ts";
import { inspectListTool } from "./tools.ts";

Deno.test("the list of every first-party rune stays below 30 kB, also with variants", async () => {
  const dir = singleSite();
  const brief = JSON.stringify(await callTool(dir, inspectListTool));
  assert.ok(brief.length < 30_000 && !brief.includes('"variants"'));
  const full = await callTool(dir, inspectListTool, { variants: true }) as {
    runes: { name: string; package: string; variants: Record<string, string[]> }[];
    universalVariants: Record<string, string[]>;
  };
  assert.ok(JSON.stringify(full).length < 30_000);
  const find = (name: string) => full.runes.find((rune) => rune.name === name)!;
  assert.deepEqual(find("hint").variants["type"]?.toSorted(), [
    "caution",
    "check",
    "note",
    "warning",
  ]);
  assert.ok("width" in full.universalVariants);
  assert.equal(find("hint").package, "@refrakt-md/runes");
  assert.equal(find("hero").package, MARKETING);
});
