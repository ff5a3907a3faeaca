import assert from "node:assert/strict";
import { split } from "../../../plugins/ralph/split_task.ts";
import { parseTasks } from "../../../plugins/ralph/tasks.ts";
import { taskPlace } from "./support.ts";

Deno.test("a split takes complete tasks with free numbers, and a task is split three times at most", () => {
  const task = (id: string) =>
    `- [ ] ${id} X\n  - **Do**: a\n  - **Files**: \`b\`\n  - **Done when**: c\n  - **Verify**: \`d\`\n` +
    "  - **Commit**: None\n";
  const { text } = split(taskPlace(), { outcome: "split", tasks: task("1.2.1") + task("1.2.2") });
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
    assert.throws(() => split(taskPlace(), { outcome: "split", tasks }), {
      code: "VALIDATION_ERROR",
    }, tasks);
  }
  assert.throws(
    () =>
      split(taskPlace({ modificationMap: { "1.2": { count: 3 } } }), {
        outcome: "split",
        tasks: task("1.2.1"),
      }),
    /changed 3 times already/,
  );
});
