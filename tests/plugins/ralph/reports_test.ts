import assert from "node:assert/strict";
import { blockedBy, ownRecord, whatShows } from "../../../plugins/ralph/reports.ts";
import { digestOf } from "../../../plugins/ralph/tasks.ts";
import { taskPlace } from "./support.ts";

Deno.test("a report gives its command, its exit code and its evidence on one line", () => {
  const outcome = "failed";
  assert.equal(
    whatShows({ outcome, command: "deno test", exit_code: 1, evidence: "two\nlines" }),
    "deno test (exit code 1): two lines",
  );
  assert.equal(whatShows({ outcome, evidence: "seen" }), "seen");
  assert.equal(whatShows({ outcome, command: " ", exit_code: 0, evidence: "" }), "");
});

Deno.test("what the state has noted of a task is its own, and an object", () => {
  const map = { "1.1": { count: 1 }, "1.2": 7 };
  assert.deepEqual(ownRecord(map, "1.1"), { count: 1 });
  for (const id of ["1.2", "1.3", "constructor"]) assert.deepEqual(ownRecord(map, id), {});
});

Deno.test("a blocked task is noted with a hash, which tells when it was rewritten", () => {
  const { task } = taskPlace();
  assert.deepEqual(blockedBy(task, "why"), {
    blockedTask: { key: task.key, text: digestOf(task), reason: "why" },
  });
});
