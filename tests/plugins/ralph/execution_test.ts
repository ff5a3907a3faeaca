import assert from "node:assert/strict";
import { choose, handOut, tickWarning, wasHandedOut } from "../../../plugins/ralph/execution.ts";
import { parseState, type State } from "../../../plugins/ralph/state.ts";
import { parseTasks } from "../../../plugins/ralph/tasks.ts";

/** The state that a state file with these fields gives. */
function stateWith(fields: Record<string, unknown>): State {
  const read = parseState(JSON.stringify({ phase: "execution", ...fields }));
  assert.ok(read.kind === "ok");
  return read.state;
}

const LIST = parseTasks("- [x] 1.1 A\n- [ ] 1.2 B\n- [ ] 1.3 C\n");

Deno.test("the first open task is chosen, or the one that is wanted", () => {
  const choice = choose(LIST, stateWith({}), 5, undefined);
  assert.equal(choice.kind === "task" && choice.task.id, "1.2");
  const wanted = choose(LIST, stateWith({}), 5, LIST.tasks[2]);
  assert.equal(wanted.kind === "task" && wanted.task.id, "1.3");
});

Deno.test("with every box ticked the work is complete, unless a line is meant as a task", () => {
  assert.equal(choose(parseTasks("- [x] 1.1 A\n"), stateWith({}), 5, undefined).kind, "complete");
  assert.equal(
    choose(parseTasks("- [x] 1.1 A\n  - [ ] 1.2 B\n"), stateWith({}), 5, undefined).kind,
    "strays",
  );
});

Deno.test("a task that stays open is blocked after its attempts, and free again when it is rewritten", () => {
  let state = stateWith({});
  for (const attempt of [1, 2]) {
    const handed = handOut(state, LIST, LIST.tasks[1]!);
    assert.equal(handed.attempt, attempt);
    state = stateWith(handed.changes);
  }
  assert.equal(choose(LIST, state, 2, undefined).kind, "blocked");
  assert.equal(choose(LIST, state, 3, undefined).kind, "task");
  const rewritten = parseTasks("- [x] 1.1 A\n- [ ] 1.2 B, but smaller\n- [ ] 1.3 C\n");
  assert.equal(choose(rewritten, state, 2, undefined).kind, "task");
});

Deno.test("attempts are counted by the task's own number, whatever a state file names", () => {
  const hostile = stateWith({
    taskAttempts: { constructor: 99, "1.2": { count: -1 }, "1.3": "x" },
  });
  assert.equal(choose(LIST, hostile, 1, undefined).kind, "task");
  assert.equal(wasHandedOut(hostile, LIST, LIST.tasks[1]!), false);
  // The plugin's state files hold a bare number.
  const plain = stateWith({ taskAttempts: { "1.2": 2 } });
  assert.equal(choose(LIST, plain, 2, undefined).kind, "blocked");
});

Deno.test("the hand-outs of a spec are limited; the limit of the state file counts", () => {
  const state = stateWith({ globalIteration: 7, maxGlobalIterations: 7 });
  const choice = choose(LIST, state, 5, undefined);
  assert.deepEqual([choice.kind, choice.kind === "exhausted" && choice.limit], ["exhausted", 7]);
});

Deno.test("one tick after a hand-out is expected, two are pointed out", () => {
  const state = stateWith(handOut(stateWith({}), LIST, LIST.tasks[1]!).changes);
  assert.ok(wasHandedOut(state, LIST, LIST.tasks[1]!));
  assert.equal(tickWarning(state, parseTasks("- [x] 1.1 A\n- [x] 1.2 B\n- [ ] 1.3 C\n")), null);
  assert.match(
    tickWarning(state, parseTasks("- [x] 1.1 A\n- [x] 1.2 B\n- [x] 1.3 C\n"))!,
    /^2 tasks were ticked/,
  );
});
