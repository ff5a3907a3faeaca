import assert from "node:assert/strict";
import { resumeSpec } from "../../../plugins/ralph/resumption.ts";
import { resolveSpec } from "../../../plugins/ralph/specs.ts";
import { inLab, putSpec, stateOf } from "./support.ts";

Deno.test("a spec that is taken up again keeps its phase, and nothing blocks it", () =>
  inLab((lab) => {
    putSpec(lab, "auth", {
      phase: "execution",
      globalIteration: 100,
      blockedTask: { key: "1.1", text: "x", reason: "why" },
      taskAttempts: { "1.1": 5 },
      other: { program: true },
    }, "- [ ] 1.1 A\n");
    putSpec(lab, "later", { phase: "research" });
    const notes: string[] = [];
    resumeSpec(resolveSpec(lab.cwd, "auth"), undefined, {}, notes);
    const { phase, globalIteration, blockedTask, taskAttempts, other } = stateOf(lab, "auth");
    assert.deepEqual([phase, globalIteration, blockedTask, taskAttempts], [
      "execution",
      undefined,
      undefined,
      undefined,
    ]);
    assert.deepEqual(other, { program: true });
    assert.equal(lab.read("specs/.current-spec"), "auth");
    assert.match(notes.join(), /is sound/);
  }));

Deno.test("a corrupt state is kept beside the new one, which follows from the documents", () =>
  inLab((lab) => {
    lab.write("specs/auth/.ralph-state.json", "{broken");
    lab.write("specs/auth/requirements.md", "| FR-1 | a |\n");
    const notes: string[] = [];
    const view = resumeSpec(resolveSpec(lab.cwd, "auth"), "Log in", {}, notes);
    assert.equal(view.state.phase, "design");
    assert.equal(lab.read("specs/auth/.ralph-state.json.bak"), "{broken");
    assert.match(notes.join(), /kept as specs\/auth\/\.ralph-state\.json\.bak/);
    assert.match(lab.read("specs/auth/.progress.md"), /Log in/);
  }));
