import assert from "node:assert/strict";
import { hasVerify, lintTasks } from "../../../../plugins/ralph/lint/tasks.ts";
import { parseTasks } from "../../../../plugins/ralph/tasks.ts";

const rulesOf = (text: string) => lintTasks("tasks.md", parseTasks(text)).map(({ rule }) => rule);

/** A task with everything, and lines of one's own. */
const task = (verify: string, more = "") =>
  `- [ ] 1.1 Add it\n  - **Do**:\n    1. Step\n  - **Files**: \`a.ts\`\n  - **Done when**: it is\n` +
  `  - **Verify**: ${verify}\n${more}`;

Deno.test("a task with everything has no findings", () => {
  assert.deepEqual(rulesOf(task("`deno test`")), []);
});

Deno.test("a file without tasks is an error of the whole file", () => {
  const [finding] = lintTasks("tasks.md", parseTasks("# Tasks\n\nSoon.\n"));
  assert.deepEqual([finding?.rule, finding?.line, finding?.severity], ["no-tasks", 0, "error"]);
});

Deno.test("Verify needs a command: none is no command, and work by hand is refused", () => {
  assert.deepEqual(rulesOf(task("None")), ["no-verify"]);
  assert.deepEqual(rulesOf(task("look at it manually")), ["manual-verification"]);
  assert.deepEqual(rulesOf(task("`deno test tests/manual_test.ts`")), []);
  assert.equal(hasVerify(parseTasks("- [ ] 1.1 Add it\n").tasks[0]!), false);
});

Deno.test("a check needs no fields, another task needs them all", () => {
  assert.deepEqual(rulesOf("- [ ] V1 [VERIFY] All checks\n"), []);
  assert.deepEqual(rulesOf("- [ ] 1.1 Add it\n"), [
    "no-verify",
    "no-do",
    "no-files",
    "no-done-when",
  ]);
});

Deno.test("a task with many steps or files is too large", () => {
  const steps = Array.from({ length: 11 }, (_, at) => `    ${at + 1}. Step\n`).join("");
  const files = Array.from({ length: 7 }, (_, at) => `\`f${at}.ts\``).join(", ");
  const found = lintTasks(
    "tasks.md",
    parseTasks(
      `- [ ] 1.1 Add it\n  - **Do**:\n${steps}  - **Files**: ${files}\n  - **Done when**: it is\n` +
        "  - **Verify**: `deno test`\n",
    ),
  );
  assert.deepEqual(found.map(({ message }) => message), [
    "1.1 has 11 steps; split it",
    "1.1 names 7 files; split it",
  ]);
});

Deno.test("what looks like a task and is none is a structural error", () => {
  assert.deepEqual(rulesOf(`${task("`x`")}\n* [] 1.2 No box\n`), ["structure"]);
});
