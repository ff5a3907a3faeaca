import assert from "node:assert/strict";
import { readBodies, searchText, snippetOf } from "../../../../plugins/plan/queries/search.ts";
import { viewOf } from "../../../support/plan.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

Deno.test("every word must match, titles count more, and attributes do not count", async () => {
  const plan = await viewOf(WIDE_PLAN);
  const bodies = await readBodies(plan);
  const found = (text: string) => searchText(bodies, plan.items, text).map(({ item }) => item.id);
  assert.equal((found("tables"))[0], "SPEC-001");
  assert.deepEqual(found("LIGHTHOUSE report"), ["WORK-001"]);
  assert.deepEqual(found("lighthouse umlauts"), []);
  assert.deepEqual(found("umlaut"), ["BUG-001"]);
  assert.deepEqual(found("cosmetic"), []);
  // Words of four letters or more also match inside other words.
  assert.deepEqual(found("house"), ["WORK-001"]);
  assert.deepEqual(found("ght"), []);
  assert.throws(() => found("?!"), { code: "INVALID_ARGS" });
});

Deno.test("a snippet is a short part of a line with the words, without tags", async () => {
  const plan = await viewOf({
    ...WIDE_PLAN,
    "plan/work/WORK-009-long.md":
      `{% work id="WORK-009" status="ready" %}\n\n# Long\n\n${"before ".repeat(200)}needle ` +
      `${"after ".repeat(200)}\n\n{% /work %}\n`,
  });
  const bodies = await readBodies(plan);
  const snippet = (id: string, text: string) => snippetOf(bodies.get(plan.find(id)!)!, text)!;
  assert.equal(snippet("WORK-004", "spec"), "As SPEC-001 says.");
  const long = snippet("WORK-009", "needle");
  assert.match(long, /^….*needle.*…$/);
  assert.ok(long.length < 250, String(long.length));
});
