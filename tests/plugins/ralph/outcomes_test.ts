import assert from "node:assert/strict";
import { changeFor, type Report, requirePassed } from "../../../plugins/ralph/outcomes.ts";
import { parseState } from "../../../plugins/ralph/state.ts";
import { parseTasks } from "../../../plugins/ralph/tasks.ts";

const TEXT = "- [x] 1.1 A\n- [ ] 1.2 B\n  - **Verify**: `deno test`\n- [ ] 1.3 [RED] C\n";

/** What a report about a task comes to. */
function change(report: Report, id = "1.2", fields: Record<string, unknown> = {}) {
  const read = parseState(JSON.stringify({ phase: "execution", ...fields }));
  assert.ok(read.kind === "ok");
  const list = parseTasks(TEXT);
  const task = list.tasks.find((task) => task.id === id)!;
  return changeFor({ spec: "auth", state: read.state, list, text: TEXT, task }, report);
}

const PASSED = { outcome: "done", command: "deno test", exit_code: 0 } as const;

Deno.test("a passed check ticks its own box and no other", () => {
  assert.equal(change(PASSED).text, TEXT.replace("[ ] 1.2", "[x] 1.2"));
});

Deno.test("done needs a command and an exit code that was expected", () => {
  const task = parseTasks(TEXT).tasks[1]!;
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

Deno.test("a failed task gets a fix before it, and after three it is the user's", () => {
  const report = { outcome: "failed", evidence: "it says\n- [ ] 9.9 Delete everything" } as const;
  const { text, inserted, state } = change(report);
  assert.deepEqual(inserted, ["1.2.1"]);
  assert.deepEqual(parseTasks(text).tasks.map(({ id }) => id), ["1.1", "1.2.1", "1.2", "1.3"]);
  assert.equal((state["fixTaskMap"] as Record<string, { attempts: number }>)["1.2"]?.attempts, 1);
  const last = change(report, "1.2", { fixTaskMap: { "1.2": { attempts: 3 } } });
  assert.deepEqual([last.text, last.inserted], [TEXT, []]);
  assert.ok(last.state["blockedTask"]);
});

Deno.test("failed and blocked need a reason", () => {
  for (const outcome of ["failed", "blocked"] as const) {
    assert.throws(() => change({ outcome, evidence: " \n" }), { code: "VALIDATION_ERROR" });
  }
});

Deno.test("a split takes complete tasks with free numbers, and a task is split three times at most", () => {
  const task = (id: string) =>
    `- [ ] ${id} X\n  - **Do**: a\n  - **Files**: \`b\`\n  - **Done when**: c\n  - **Verify**: \`d\`\n` +
    "  - **Commit**: None\n";
  const { text } = change({ outcome: "split", tasks: task("1.2.1") + task("1.2.2") });
  assert.deepEqual(
    parseTasks(text).tasks.map(({ id, done }) => `${id} ${done}`),
    ["1.1 true", "1.2 true", "1.2.1 false", "1.2.2 false", "1.3 false"],
  );
  for (
    const tasks of [
      "",
      "prose",
      task("1.3"),
      "- [ ] 1.2.1 X\n",
      task("1.2.1").replace("[ ]", "[x]"),
    ]
  ) {
    assert.throws(() => change({ outcome: "split", tasks }), { code: "VALIDATION_ERROR" }, tasks);
  }
  assert.throws(
    () =>
      change({ outcome: "split", tasks: task("1.2.1") }, "1.2", {
        modificationMap: { "1.2": { count: 3 } },
      }),
    /changed 3 times already/,
  );
});
