import assert from "node:assert/strict";
import { completeExecution } from "../../../plugins/ralph/complete_execution.ts";
import { resolveSpec } from "../../../plugins/ralph/specs.ts";
import { soundView } from "../../../plugins/ralph/view.ts";
import { inLab, type Lab, putSpec, snapshot, stateOf } from "./support.ts";

const viewOf = (lab: Lab) =>
  soundView(resolveSpec(lab.cwd, "auth"), false, new AbortController().signal);

Deno.test("open tasks hold the completion back, and nothing is written", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [x] 1.1 A\n- [ ] 1.2 B\n");
    const view = await viewOf(lab);
    const before = snapshot(lab.cwd);
    assert.throws(() => completeExecution(view, "Done", false, []), /1 of 2 tasks are open: 1\.2/);
    assert.deepEqual(snapshot(lab.cwd), before);
  }));

Deno.test("by force it ends with open tasks, which is said and kept", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [x] 1.1 A\n- [ ] 1.2 B\n");
    const notes: string[] = [];
    const { facts, step } = completeExecution(await viewOf(lab), "Enough", true, notes);
    assert.ok(facts?.includes("Tasks: 1/2"));
    assert.match(notes.join(), /1 open tasks, by force/);
    assert.equal(step?.status, "complete");
    assert.equal(stateOf(lab, "auth")["openAtCompletion"], 1);
  }));

Deno.test("a second completion says since when, and writes nothing", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [x] 1.1 A\n");
    completeExecution(await viewOf(lab), "Done", false, []);
    const before = snapshot(lab.cwd);
    const { message } = completeExecution(await viewOf(lab), "Done again", false, []);
    assert.match(message ?? "", /already complete, since 20/);
    assert.deepEqual(snapshot(lab.cwd), before);
  }));
