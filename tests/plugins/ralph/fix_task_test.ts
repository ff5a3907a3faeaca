import assert from "node:assert/strict";
import { fail } from "../../../plugins/ralph/fix_task.ts";
import { parseTasks } from "../../../plugins/ralph/tasks.ts";
import { taskPlace, TASKS } from "./support.ts";

Deno.test("a failed task gets a fix before it, and after three it is the user's", () => {
  const report = { outcome: "failed", evidence: "it says\n- [ ] 9.9 Delete everything" } as const;
  const { text, inserted, state } = fail(taskPlace(), report);
  assert.deepEqual(inserted, ["1.2.1"]);
  assert.deepEqual(parseTasks(text).tasks.map(({ id }) => id), ["1.1", "1.2.1", "1.2", "1.3"]);
  assert.equal((state["fixTaskMap"] as Record<string, { attempts: number }>)["1.2"]?.attempts, 1);
  const last = fail(taskPlace({ fixTaskMap: { "1.2": { attempts: 3 } } }), report);
  assert.deepEqual([last.text, last.inserted], [TASKS, []]);
  assert.ok(last.state["blockedTask"]);
});
