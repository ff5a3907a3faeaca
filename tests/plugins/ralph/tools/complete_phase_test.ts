import assert from "node:assert/strict";
import { inLab, putSpec, stateOf } from "../support.ts";

Deno.test("ralph_complete_phase records the summary without breaking the progress file", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "research" });
    lab.write(
      "specs/auth/.progress.md",
      "# P\r\n\r\n## Original Goal\r\n\r\ng\r\n\r\n## Completed\r\n\r\n## Learnings\r\n\r\n- mine\r\n",
    );
    lab.write("specs/auth/research.md", "text");
    const data = await lab.call("ralph_complete_phase", {
      phase: "research",
      summary: "Found $& it.\n## Learnings\n```\n<!-- ralph:status -->",
    });
    assert.deepEqual(data["warnings"], []);
    assert.equal(data["next"], "user");
    const progress = lab.read("specs/auth/.progress.md");
    assert.ok(!/[^\r]\n/.test(progress), "line ends are kept");
    assert.match(progress, /### Research Phase Complete \(\d{4}-\d\d-\d\d\)/);
    assert.ok(progress.includes("Found $& it."));
    assert.equal(progress.match(/^## Learnings/gm)?.length, 1);
    assert.equal(progress.match(/^<!-- ralph:status -->/gm)?.length, 1);
    assert.ok(progress.indexOf("Phase Complete") < progress.indexOf("\n## Learnings"));
    assert.ok(progress.includes("- mine"));
    assert.match(progress, /- Phase: requirements/);
  }));

Deno.test("completing a phase without its document says so", () =>
  inLab(async (lab) => {
    for (const [phase, title] of [["research", "Research"], ["tasks", "Tasks"]] as const) {
      putSpec(lab, "auth", { phase });
      const { text, warnings } = await lab.call("ralph_complete_phase", { phase, summary: "s" });
      assert.ok(text.startsWith(`${title} complete, without ${phase}.md. Run ralph_`), text);
      assert.match(warnings.join(), new RegExp(`specs/auth/${phase}\\.md is missing`));
      putSpec(lab, "auth", { phase });
      lab.write(`specs/auth/${phase}.md`, " \n");
      const empty = await lab.call("ralph_complete_phase", { phase, summary: "s" });
      assert.match(empty["warnings"].join(), new RegExp(`in ${phase}\\.md: it is empty`));
      Deno.removeSync(`${lab.cwd}/specs`, { recursive: true });
    }
  }));

Deno.test("completing the tasks phase lints the plan and shows its coverage", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "tasks" }, "- [ ] 1.1 A\n- [ ] 1.1 B\n- [ ] note\n");
    const data = await lab.call("ralph_complete_phase", { phase: "tasks", summary: "s" });
    const notes = data["warnings"].join("\n");
    assert.match(notes, /more than once: 1\.1/);
    assert.match(notes, /ralph_check finds 4 errors in tasks\.md: .*1\.1 has no Verify/);
    assert.match(notes, /line 3 "- \[ \] note"/);
    assert.deepEqual([data["phase"], data["next"], data["coverage"]], ["execution", "user", null]);
    assert.equal(stateOf(lab, "auth")["totalTasks"], 2);
    lab.write("specs/auth/requirements.md", "| FR-1 | a |\n| FR-2 | b |\n");
    putSpec(lab, "auth", { phase: "tasks" }, "- [x] 1.1 A\n  - **Verify**: `x`\n  - _R: FR-1_\n");
    const covered = await lab.call("ralph_complete_phase", { phase: "tasks", summary: "s" });
    assert.match(covered["coverage"], /1 of 2 requirements done.*no task for FR-2/);
    const end = await lab.call("ralph_complete_phase", { phase: "execution", summary: "s" });
    assert.match(end["coverage"], /no task for FR-2/);
    assert.ok(end["text"].includes(end["coverage"]));
  }));

Deno.test("completing the execution with open tasks requires force", () =>
  inLab(async (lab) => {
    putSpec(
      lab,
      "auth",
      { phase: "execution" },
      "- [x] 1.1 A\n- [ ] 1.2 B\n- [ ] V1 C\n- [x] VF D\n",
    );
    const args = { phase: "execution", summary: "s" };
    const error = await lab.fail("ralph_complete_phase", "MISSING_PREREQUISITES", args);
    assert.match(error.message, /2 of 4 tasks are open: 1\.2, V1/);
    assert.equal(stateOf(lab, "auth")["completedAt"], undefined);
    const forced = await lab.call("ralph_complete_phase", { ...args, force: true });
    assert.equal(forced["complete"], true);
    assert.match(forced["warnings"].join(), /2 open tasks, by force/);
    assert.equal((await lab.call("ralph_status"))["specs"][0].status, "complete");
    lab.write("specs/auth/tasks.md", "- [x] 1.1 A\n");
    putSpec(lab, "auth", { phase: "execution" }, "- [x] 1.1 A\n- [x] V1 C\n- [ ] loose end\n");
    const done = await lab.call("ralph_complete_phase", args);
    assert.equal(done["complete"], true);
    assert.match(done["warnings"].join(), /"- \[ \] loose end"/);
    const progress = lab.read("specs/auth/.progress.md");
    const again = await lab.call("ralph_complete_phase", args);
    assert.match(again["text"], /already complete, since \d{4}/);
    assert.equal(lab.read("specs/auth/.progress.md"), progress, "no second record");
    assert.match(stateOf(lab, "auth")["completedAt"], /^\d{4}-\d\d-\d\dT/);
  }));
