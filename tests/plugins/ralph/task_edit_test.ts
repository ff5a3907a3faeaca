import assert from "node:assert/strict";
import { fixNumber, ticked, withBlock } from "../../../plugins/ralph/task_edit.ts";
import { parseTasks } from "../../../plugins/ralph/tasks.ts";

/** `id` for open, `id*` for ticked. */
function shape(text: string): string {
  return parseTasks(text).tasks.map((task) => task.id + (task.done ? "*" : "")).join(" ");
}

Deno.test("ticked() and withBlock() keep everything else, line endings included", () => {
  const text = "# T\r\n\r\n- [ ] 1.1 A\r\n  - x [ ] y\r\n- [ ] 1.2 B";
  const { tasks } = parseTasks(text);
  assert.equal(ticked(text, tasks[0]!), text.replace("- [ ] 1.1", "- [x] 1.1"));
  assert.equal(
    withBlock(text, tasks[0]!, "before", ["- [ ] 1.1.1 F"]),
    "# T\r\n\r\n- [ ] 1.1.1 F\r\n\r\n- [ ] 1.1 A\r\n  - x [ ] y\r\n- [ ] 1.2 B",
  );
  const behind = withBlock(text, tasks[1]!, "behind", ["- [ ] 1.3 C"]);
  assert.equal(shape(behind), "1.1 1.2 1.3");
  assert.ok(!/[^\r]\n/.test(behind), "no bare line feeds");
});

Deno.test("fixNumber() returns the next free id below the task", () => {
  const { tasks } = parseTasks("- [ ] 1.1 A\n- [ ] 1.1.1 B\n- [ ] 2.3 C\n- [ ] V1 D");
  assert.equal(fixNumber(tasks[0]!, tasks), "1.1.2");
  assert.equal(fixNumber(tasks[2]!, tasks), "2.3.1");
  assert.equal(fixNumber(tasks[3]!, tasks), "2.1");
});
