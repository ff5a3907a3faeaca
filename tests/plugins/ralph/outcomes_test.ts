import assert from "node:assert/strict";
import { changeFor, requirePassed } from "../../../plugins/ralph/outcomes.ts";
import type { Report } from "../../../plugins/ralph/reports.ts";
import { taskPlace, TASKS } from "./support.ts";

const change = (report: Report) => changeFor(taskPlace(), report);

const PASSED = { outcome: "done", command: "deno test", exit_code: 0 } as const;

Deno.test("a passed check ticks its own box and no other", () => {
  assert.equal(change(PASSED).text, TASKS.replace("[ ] 1.2", "[x] 1.2"));
});

Deno.test("done needs a command and an exit code that was expected", () => {
  const task = taskPlace().task;
  for (
    const report of [
      { outcome: "done" },
      { outcome: "done", command: "  ", exit_code: 0 },
      { outcome: "done", command: "deno test", evidence: "all tests pass, exit code 0" },
      { outcome: "done", command: "deno test", exit_code: 1 },
      { outcome: "done", command: "deno test", exit_code: 0, expected: "fail" },
      { outcome: "done", command: "deno test", exit_code: 2, expected: 3 },
    ] as const
  ) assert.throws(() => requirePassed(task, report), { code: "VALIDATION_ERROR" });
  requirePassed(task, { outcome: "done", command: "x", exit_code: 3, expected: 3 });
});

Deno.test("another command than Verify names is pointed out, a longer one with it is not", () => {
  assert.deepEqual(change({ ...PASSED, command: "cd x && deno  test -A" }).notes, []);
  assert.match(change({ ...PASSED, command: "true" }).notes.join(), /names another command/);
});

Deno.test("failed and blocked need a reason", () => {
  for (const outcome of ["failed", "blocked"] as const) {
    assert.throws(() => change({ outcome, evidence: " \n" }), { code: "VALIDATION_ERROR" });
  }
});
