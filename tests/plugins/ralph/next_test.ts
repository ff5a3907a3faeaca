import assert from "node:assert/strict";
import { type Data, inLab, putSpec } from "./support.ts";

const QUICK = { quickMode: true };

Deno.test("what is next follows from state and documents, and the progress file says the same", () =>
  inLab(async (lab) => {
    const open = "- [ ] 1.1 A\n  - **Verify**: `x`\n";
    const cases: [string, Data, Record<string, string>, string, RegExp][] = [
      [
        "nothing is written",
        { phase: "research" },
        {},
        "ralph_research",
        /write specs\/auth\/research\.md/,
      ],
      [
        "the document is there",
        { phase: "design" },
        { "design.md": "d" },
        "ralph_complete_phase",
        /phase: "design"/,
      ],
      [
        "the user has to approve",
        { phase: "design", awaitingApproval: true },
        {},
        "user",
        /the user approves specs\/auth\/requirements\.md; then call ralph_design/,
      ],
      [
        "a written document waits too",
        { phase: "design", awaitingApproval: true },
        { "design.md": "d" },
        "user",
        /requirements/,
      ],
      [
        "in quick mode nobody is asked",
        { phase: "design", awaitingApproval: true, ...QUICK },
        {},
        "ralph_design",
        /ralph_design/,
      ],
      [
        "a revision comes first",
        { phase: "tasks", awaitingApproval: true, redoPhases: ["research"] },
        {},
        "ralph_complete_phase",
        /phase: "research"/,
      ],
      [
        "a revision waits for approval",
        { phase: "tasks", awaitingApproval: true, approvalFor: "research" },
        {},
        "user",
        /research\.md; then call ralph_tasks/,
      ],
      ["there are no tasks", { phase: "execution" }, {}, "ralph_tasks", /redo: true/],
      [
        "a task is open",
        { phase: "execution" },
        { "tasks.md": open },
        "ralph_implement",
        /task 1\.1/,
      ],
      [
        "all are ticked",
        { phase: "execution" },
        { "tasks.md": "- [x] 1.1 A\n" },
        "ralph_complete_phase",
        /phase: "execution"/,
      ],
      [
        "the spec is complete",
        { phase: "execution", completedAt: "2026-01-01" },
        { "tasks.md": "- [x] 1.1 A\n" },
        "ralph_start",
        /complete/,
      ],
    ];
    for (const [what, state, files, next, todo] of cases) {
      if (lab.exists("specs/auth")) Deno.removeSync(`${lab.cwd}/specs/auth`, { recursive: true });
      putSpec(lab, "auth", state);
      for (const [file, text] of Object.entries(files)) lab.write(`specs/auth/${file}`, text);
      const status = await lab.call("ralph_status");
      assert.equal(status["next"], next, what);
      assert.match(status["todo"], todo, what);
      assert.equal(status["specs"][0].next, next, what);
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

Deno.test("the arguments of the next call name the spec where it is not the current one", () =>
  inLab(async (lab) => {
    putSpec(lab, "other", { phase: "research" });
    putSpec(lab, "auth", { phase: "research" });
    const rows = (await lab.call("ralph_status"))["specs"];
    assert.deepEqual(rows.map((row: Data) => row["nextArgs"]), [{}, { spec_name: "other" }]);
    for (const row of rows) await lab.call(row.next, row.nextArgs);
  }));
