import assert from "node:assert/strict";
import { readBodies, searchText } from "../../../../plugins/plan/queries/search.ts";
import { viewOf } from "../../../support/plan.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

Deno.test("every term must occur, titles count more, and attributes do not count", async () => {
  const plan = await viewOf({
    ...WIDE_PLAN,
    "plan/work/WORK-009-long.md":
      `{% work id="WORK-009" status="ready" %}\n\n# Long\n\nIn src/figure.ts we configure.tsx.\n\n` +
      `${"before ".repeat(200)}needle ${"after ".repeat(200)}\n\n{% /work %}\n`,
  });
  const bodies = await readBodies(plan);
  const found = (text: string) => searchText(bodies, plan.items, text).map(({ item }) => item.id);
  assert.equal((found("tables"))[0], "SPEC-001");
  assert.deepEqual(found("LIGHTHOUSE report"), ["WORK-001"]);
  assert.deepEqual(found("lighthouse umlauts"), []);
  assert.deepEqual(found("umlaut"), ["BUG-001"]);
  assert.deepEqual(found("cosmetic"), []);
  assert.deepEqual(found("ght"), []);
  assert.deepEqual(found("figure.ts"), ["WORK-009"]);
  assert.deepEqual(found("igure.ts"), []);
  assert.deepEqual(found("configure.ts"), ["WORK-009"]);
  assert.deepEqual(found('"igure.ts we"'), ["WORK-009"]);
  assert.deepEqual(found("WORK-00"), []);
  assert.throws(() => found("?!"), { code: "INVALID_ARGS" });
  const [long] = searchText(bodies, plan.items, "needle");
  assert.equal(long!.line, 7);
  assert.match(long!.text, /^….*needle.*…$/);
  assert.ok(long!.text.length < 250, String(long!.text.length));
});
