import assert from "node:assert/strict";
import { tasks } from "../../../../plugins/ralph/documents/tasks.ts";
import { lintTasks } from "../../../../plugins/ralph/lint/tasks.ts";
import { filesOf, parseTasks } from "../../../../plugins/ralph/tasks.ts";

Deno.test("the tasks of the template are in the grammar, and the linter finds nothing in them", () => {
  const list = parseTasks(tasks.template);
  assert.deepEqual(list.tasks.map(({ id }) => id), ["1.1", "1.2", "V1", "V2"]);
  assert.deepEqual(list.warnings, []);
  assert.deepEqual(filesOf(list.tasks[0]!), ["path/one", "path/two"]);
  assert.deepEqual(lintTasks("tasks.md", list), []);
});
