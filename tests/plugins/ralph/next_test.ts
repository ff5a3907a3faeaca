import assert from "node:assert/strict";
import { type Data, inLab, putSpec } from "./support.ts";

Deno.test("all tools and the progress file state the same next step", () =>
  inLab(async (lab) => {
    const open = "- [ ] 1.1 A\n  - **Verify**: `x`\n";
    const design = { phase: "design", awaitingApproval: true };
    const tasks = { phase: "tasks", awaitingApproval: true };
    const execution = { phase: "execution" };
    const ticked = { "tasks.md": "- [x] 1.1 A\n" };
    const approve = (what: string) => new RegExp(`the user approves specs/auth/${what}`);
    const complete = "ralph_complete_phase";
    const cases: [string, Data, Record<string, string>, string, RegExp][] = [
      ["nothing written", { phase: "research" }, {}, "ralph_research", /write .*\/research\.md/],
      ["written", { phase: "design" }, { "design.md": "d" }, complete, /phase: "design"/],
      ["approval", design, {}, "user", approve("requirements.md; then call ralph_design")],
      ["approval, written", design, { "design.md": "d" }, "user", approve("requirements.md")],
      ["quick", { ...design, quickMode: true }, {}, "ralph_design", /ralph_design/],
      ["revision", { ...tasks, redoPhases: ["research"] }, {}, complete, /phase: "research"/],
      ["approval of a revision", { ...tasks, approvalFor: "research" }, {}, "user", approve("res")],
      ["no tasks", execution, {}, "ralph_tasks", /redo: true/],
      ["open task", execution, { "tasks.md": open }, "ralph_implement", /task 1\.1/],
      ["all ticked", execution, ticked, complete, /phase: "execution"/],
      ["complete", { ...execution, completedAt: "2026" }, ticked, "ralph_start", /complete/],
    ];
    for (const [what, state, files, next, todo] of cases) {
      if (lab.exists("specs/auth")) Deno.removeSync(`${lab.cwd}/specs/auth`, { recursive: true });
      putSpec(lab, "auth", state);
      for (const [file, text] of Object.entries(files)) lab.write(`specs/auth/${file}`, text);
      const status = await lab.call("ralph_status");
      assert.equal(status["next"], next, what);
      assert.match(status["todo"], todo, what);
      assert.ok(!("next" in status["specs"][0]), "nothing is said twice");
      assert.equal((await lab.call("ralph_check"))["next"], next, what);
      assert.equal(
        (await lab.call("ralph_switch", { name: "auth" }))["todo"],
        status["todo"],
        what,
      );
      await lab.call("ralph_start", { name: "auth", resume: true });
      const line = /- Next: (.*)/.exec(lab.read("specs/auth/.progress.md"))![1];
      assert.equal(line, status["todo"], what);
    }
  }));
