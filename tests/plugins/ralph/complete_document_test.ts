import assert from "node:assert/strict";
import { completeDocument } from "../../../plugins/ralph/complete_document.ts";
import { resolveSpec } from "../../../plugins/ralph/specs.ts";
import { soundView } from "../../../plugins/ralph/view.ts";
import { inLab, type Lab, putSpec, stateOf } from "./support.ts";

const viewOf = (lab: Lab) =>
  soundView(resolveSpec(lab.cwd, "auth"), false, new AbortController().signal);

Deno.test("a document's end leads to the next phase, and waits for approval unless in quick mode", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "requirements" });
    lab.write(
      "specs/auth/requirements.md",
      "### US-1: A\n- AC-1.1: a\n\n## Open Questions\n- Why?\n",
    );
    const { facts, data } = completeDocument(await viewOf(lab), "requirements", "Wrote it", []);
    assert.deepEqual([data["phase"], data["awaitingApproval"]], ["design", true]);
    assert.ok(facts?.includes("Holds: 1 story, 1 criterion"), facts?.join("\n"));
    assert.ok(facts?.includes("Open question: Why?"));
    putSpec(lab, "auth", { phase: "requirements", quickMode: true });
    const quick = completeDocument(await viewOf(lab), "requirements", "Wrote it", []);
    assert.equal(quick.data["awaitingApproval"], false);
  }));

Deno.test("the revision of an earlier document moves no phase", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "tasks", redoPhases: ["research", "design"] });
    lab.write("specs/auth/design.md", "FR-1");
    const { data } = completeDocument(await viewOf(lab), "design", "Again", []);
    assert.equal(data["phase"], "tasks");
    assert.deepEqual(stateOf(lab, "auth")["redoPhases"], ["research"]);
  }));

Deno.test("a plan with errors is completed with warnings", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "tasks" }, "- [ ] 1.1 A\n- [x] 1.2 B\n  - **Verify**: `x`\n");
    const notes: string[] = [];
    completeDocument(await viewOf(lab), "tasks", "Planned", notes);
    assert.match(notes.join("\n"), /ralph_check finds 1 error in the plan: 1\.1 has no Verify/);
    assert.deepEqual([stateOf(lab, "auth")["totalTasks"], stateOf(lab, "auth")["taskIndex"]], [
      2,
      1,
    ]);
  }));
