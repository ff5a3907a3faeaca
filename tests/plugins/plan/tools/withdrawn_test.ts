/** Arguments that tools no longer have: the error says what does their job. */

import assert from "node:assert/strict";
import { makeProject, readTree } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "./plan.ts";

const WITHDRAWN: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
  ["plan_create", {
    type: "work",
    title: "Part",
    splitFrom: { id: "WORK-001", criteria: [1] },
  }, /Pass the criteria in criteria, then remove them .* plan_update/],
  ["plan_update", { id: "WORK-001", criteria: { move: [2, 1] } }, /in the new order in sections/],
];

Deno.test("a withdrawn argument is INVALID_ARGS with what does its job, and nothing is written", async () => {
  const cwd = makeProject(WIDE_PLAN);
  const before = readTree(cwd);
  await inProcess(cwd, async ({ call }) => {
    for (const [tool, input, wanted] of WITHDRAWN) {
      const { errorCode, hint } = await call(tool, input);
      assert.equal(errorCode, "INVALID_ARGS", tool);
      assert.match(hint!, wanted, tool);
    }
  });
  assert.deepEqual(readTree(cwd), before);
});
