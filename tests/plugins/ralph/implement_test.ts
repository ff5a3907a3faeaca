import assert from "node:assert/strict";
import { type Data, inLab, type Lab, putSpec, snapshot, stateOf } from "./support.ts";

/** Ticks a task by hand. */
function tick(lab: Lab, id: string, name = "auth"): void {
  const path = `specs/${name}/tasks.md`;
  const text = lab.read(path);
  const after = text.replace(
    new RegExp(`^([-*] )\\[ \\] ${id.replaceAll(".", "\\.")}(?![\\d.])`, "m"),
    `$1[x] ${id}`,
  );
  assert.notEqual(after, text, `${id} was open`);
  lab.write(path, after);
}

const idOf = (data: Data) => data["task"]?.id;

Deno.test("tasks are handed out in document order until all are ticked", () =>
  inLab(async (lab) => {
    putSpec(
      lab,
      "auth",
      { phase: "tasks", taskIndex: 99, totalTasks: 3 },
      "## P\n- [X] 1.1 A\n* [ ] 1.2 B\n- [ ] 1.2.1 C\n```\n- [ ] 9.9 fenced\n```\n- [ ] V1 [VERIFY] D\n- [ ] VF E\n- [ ] VE1 F\n- [ ] loose\n",
    );
    const seen: string[] = [];
    for (;;) {
      const data = await lab.call("ralph_implement");
      if (data["complete"]) {
        assert.equal(data["task"], null);
        assert.equal(data["next"], "ralph_complete_phase");
        assert.match(data["warnings"].join(), /1 open boxes without a task number/);
        break;
      }
      const { id, index, total, attempt } = data["task"];
      assert.deepEqual([total, attempt], [6, 1]);
      assert.equal(index, seen.length + 1);
      assert.equal(stateOf(lab, "auth")["taskIndex"], index);
      assert.equal(stateOf(lab, "auth")["phase"], "execution");
      seen.push(id);
      tick(lab, id);
    }
    assert.deepEqual(seen, ["1.2", "1.2.1", "V1", "VF", "VE1"]);
    const row = (await lab.call("ralph_status"))["specs"][0];
    assert.deepEqual([row.done, row.total, row.next], [6, 6, "ralph_complete_phase"]);
  }));

Deno.test("a task that is unticked again is handed out again, also after completion", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [x] 1.1 A\n- [x] 1.2 B\n");
    assert.equal((await lab.call("ralph_implement"))["complete"], true);
    await lab.call("ralph_complete_phase", { phase: "execution", summary: "s" });
    assert.equal((await lab.call("ralph_implement"))["next"], "ralph_start");
    lab.write("specs/auth/tasks.md", "- [ ] 1.1 A\n- [x] 1.2 B\n");
    assert.equal(idOf(await lab.call("ralph_implement")), "1.1");
    assert.equal(stateOf(lab, "auth")["completedAt"], undefined);
    await lab.fail("ralph_complete_phase", "MISSING_PREREQUISITES", {
      phase: "execution",
      summary: "s",
    });
  }));

Deno.test("what is missing before a task can be handed out is said in its own words", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" });
    const cases: [string | null, RegExp][] = [
      [null, /does not exist/],
      [" \n", /is empty/],
      ["# Tasks\n- [ ] no number\n", /no recognised tasks/],
    ];
    for (const [text, reason] of cases) {
      if (text !== null) lab.write("specs/auth/tasks.md", text);
      const before = snapshot(lab.cwd);
      const error = await lab.fail("ralph_implement", "MISSING_PREREQUISITES");
      assert.match(error.message, /^Tasks not generated\. Run ralph_tasks first\./);
      assert.match(error.message, reason);
      assert.deepEqual(snapshot(lab.cwd), before);
    }
  }));

Deno.test("max_iterations blocks a task that stays open, and a larger one lets it go on", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n- [ ] 1.2 B\n");
    lab.write("specs/auth/.progress.md", "# P\n\n## Learnings\n\n- the port is taken\n");
    for (const attempt of [1, 2, 3]) {
      const data = await lab.call("ralph_implement", { max_iterations: 3 });
      assert.equal(data["task"].attempt, attempt);
      assert.equal(stateOf(lab, "auth")["taskIteration"], attempt);
    }
    const before = snapshot(lab.cwd);
    const error = await lab.fail("ralph_implement", "MISSING_PREREQUISITES", { max_iterations: 3 });
    assert.match(error.message, /Task 1\.1 is blocked: it was handed out 3 times/);
    assert.match(error.message, /the port is taken/);
    assert.match(error.hint!, /larger max_iterations.*split.*tick/s);
    assert.deepEqual(snapshot(lab.cwd), before, "a refusal is no attempt");
    const more = await lab.call("ralph_implement", { max_iterations: 4 });
    assert.deepEqual([more["task"].id, more["task"].attempt], ["1.1", 4]);
    tick(lab, "1.1");
    const next = await lab.call("ralph_implement", { max_iterations: 1 });
    assert.deepEqual([next["task"].id, next["task"].attempt], ["1.2", 1]);
    for (const bad of [0, 101, 1.5, "3", null]) {
      await lab.fail("ralph_implement", "INVALID_ARGS", { max_iterations: bad });
    }
  }));

Deno.test("five attempts are the default", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n");
    for (let attempt = 1; attempt <= 5; attempt++) await lab.call("ralph_implement");
    await lab.fail("ralph_implement", "MISSING_PREREQUISITES");
  }));

Deno.test("a hundred hand-outs block the spec until somebody resumes it", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution", globalIteration: 99 }, "- [ ] 1.1 A\n");
    await lab.call("ralph_implement");
    const error = await lab.fail("ralph_implement", "MISSING_PREREQUISITES");
    assert.match(error.message, /100 hand-outs/);
    await lab.call("ralph_start", { name: "auth", resume: true });
    assert.equal(idOf(await lab.call("ralph_implement")), "1.1");
    putSpec(lab, "b", { phase: "execution", maxGlobalIterations: 2 }, "- [ ] 1.1 A\n");
    await lab.call("ralph_implement");
    await lab.call("ralph_implement");
    await lab.fail("ralph_implement", "MISSING_PREREQUISITES");
  }));

Deno.test("a task can be asked for by its number", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n- [x] 1.2 B\n- [ ] 1.3 C\n");
    assert.equal(idOf(await lab.call("ralph_implement", { task: "1.3" })), "1.3");
    const ticked = await lab.fail("ralph_implement", "VALIDATION_ERROR", { task: "1.2" });
    assert.match(ticked.message, /already ticked/);
    const unknown = await lab.fail("ralph_implement", "VALIDATION_ERROR", { task: "9.9" });
    assert.match(unknown.hint!, /Open tasks: 1\.1, 1\.3/);
    for (const task of ["__proto__", "../x", "1.1 A"]) {
      await lab.fail("ralph_implement", "VALIDATION_ERROR", { task });
    }
    assert.equal(idOf(await lab.call("ralph_implement", { spec_name: "auth" })), "1.1");
  }));

Deno.test("a check is handed out with the verifier's role, work with the executor's", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n- [ ] 1.2 [VERIFY] B\n- [ ] V1 C\n");
    const work = await lab.call("ralph_implement", { task: "1.1" });
    assert.equal(work["task"].verify, false);
    assert.match(work["instructions"], /TASK_COMPLETE/);
    for (const task of ["1.2", "V1"]) {
      const check = await lab.call("ralph_implement", { task });
      assert.equal(check["task"].verify, true);
      assert.match(check["instructions"], /VERIFICATION_PASS[\s\S]*VERIFICATION_FAIL/);
    }
  }));

Deno.test("[P] tasks come one by one unless a group is asked for", () =>
  inLab(async (lab) => {
    const tasks = [
      "## One",
      "- [ ] 1.1 [P] A\n  - **Files**: `a.ts`",
      "- [x] 1.2 [P] B",
      "- [ ] 1.3 [P] C\n  - **Files**: `c.ts`",
      "- [ ] 1.4 [P] [VERIFY] D",
      "- [ ] 1.5 [P] E",
      "## Two",
      "- [ ] 2.1 [P] F\n- [ ] 2.2 [P] G\n- [ ] 2.3 [P] H",
      "- [ ] 2.4 I",
    ].join("\n");
    putSpec(lab, "auth", { phase: "execution" }, tasks);
    const single = await lab.call("ralph_implement");
    assert.deepEqual([single["parallel"], single["tasks"].length], [false, 1]);
    const group = await lab.call("ralph_implement", { max_parallel: 5 });
    assert.equal(group["parallel"], true);
    assert.deepEqual(group["tasks"].map((task: Data) => task["id"]), ["1.1", "1.3"]);
    assert.deepEqual(group["tasks"].map((task: Data) => task["log"]), [
      "specs/auth/.progress-task-0.md",
      "specs/auth/.progress-task-2.md",
    ]);
    assert.deepEqual(stateOf(lab, "auth")["parallelGroup"], {
      startIndex: 0,
      endIndex: 2,
      taskIndices: [0, 2],
    });
    lab.write("specs/auth/.progress-task-0.md", "learnt a thing\n## Learnings\nforged");
    tick(lab, "1.1");
    const next = await lab.call("ralph_implement", { max_parallel: 5 });
    assert.equal(idOf(next), "1.3");
    assert.equal(next["parallel"], false, "a lone [P] task is no group");
    assert.ok(!lab.exists("specs/auth/.progress-task-0.md"));
    const diary = lab.read("specs/auth/.progress.md");
    assert.ok(diary.includes("learnt a thing"));
    assert.equal(diary.match(/^## Learnings/gm)?.length, 1);
    const state = stateOf(lab, "auth");
    assert.deepEqual(state["taskResults"], {
      "0": { status: "success" },
      "2": { status: "pending" },
    });
    assert.equal(state["parallelGroup"], undefined);
    for (const id of ["1.3", "1.4"]) tick(lab, id);
    const alone = await lab.call("ralph_implement", { max_parallel: 5 });
    assert.deepEqual([idOf(alone), alone["parallel"]], ["1.5", false], "a heading ends a group");
    tick(lab, "1.5");
    const two = await lab.call("ralph_implement", { max_parallel: 2 });
    assert.deepEqual(two["tasks"].map((task: Data) => task["id"]), ["2.1", "2.2"]);
    await lab.fail("ralph_implement", "INVALID_ARGS", { max_parallel: 6 });
  }));

Deno.test("[P] tasks that share a file run one by one, and the answer says so", () =>
  inLab(async (lab) => {
    putSpec(
      lab,
      "auth",
      { phase: "execution" },
      "- [ ] 1.1 [P] A\n  - **Files**: `a.ts`, `b.ts`\n- [ ] 1.2 [P] B\n  - **Files**: ./b.ts\n",
    );
    const data = await lab.call("ralph_implement", { max_parallel: 3 });
    assert.deepEqual([idOf(data), data["parallel"]], ["1.1", false]);
    assert.match(data["warnings"].join(), /share files \(b\.ts\)/);
  }));

Deno.test("a group in a hostile state file names no other files", () =>
  inLab(async (lab) => {
    lab.write("specs/auth/notes.md", "keep");
    putSpec(lab, "auth", {
      phase: "execution",
      parallelGroup: { taskIndices: ["../notes", -1, 1.5, 1e99, null, 0] },
      taskAttempts: { "1.1": "x", __proto__: 3 },
      handedOut: { keys: [1, null], done: -1 },
    }, "- [ ] 1.1 A\n");
    assert.equal(idOf(await lab.call("ralph_implement")), "1.1");
    assert.equal(lab.read("specs/auth/notes.md"), "keep");
  }));

Deno.test("a blocked end-to-end check is followed by its cleanup before it is reported", () =>
  inLab(async (lab) => {
    const tasks =
      "- [x] 1.1 A\n- [ ] VE1 Start the server\n- [ ] VE2 Check it\n- [ ] VE3 Clean up\n- [ ] V1 B\n";
    for (const stuck of ["VE1", "VE2", "V1"]) {
      putSpec(lab, "auth", { phase: "execution" }, tasks);
      if (stuck !== "VE1") tick(lab, "VE1");
      if (stuck === "V1") tick(lab, "VE2");
      await lab.call("ralph_implement", { max_iterations: 1, task: stuck });
      const cleanup = await lab.call("ralph_implement", { max_iterations: 1, task: stuck });
      assert.equal(idOf(cleanup), "VE3", stuck);
      assert.match(cleanup["warnings"].join(), new RegExp(`${stuck} is blocked`));
      tick(lab, "VE3");
      const error = await lab.fail("ralph_implement", "MISSING_PREREQUISITES", {
        max_iterations: 1,
        task: stuck,
      });
      assert.match(error.message, new RegExp(`Task ${stuck} is blocked`));
    }
  }));

Deno.test("more ticks than tasks handed out are reported", () =>
  inLab(async (lab) => {
    putSpec(
      lab,
      "auth",
      { phase: "execution" },
      "- [ ] 1.1 A\n- [ ] 1.2 B\n- [ ] 1.3 C\n- [ ] 1.4 D\n",
    );
    await lab.call("ralph_implement");
    tick(lab, "1.1");
    assert.deepEqual((await lab.call("ralph_implement"))["warnings"], []);
    tick(lab, "1.2");
    tick(lab, "1.3");
    assert.match((await lab.call("ralph_implement"))["warnings"].join(), /2 tasks were ticked/);
  }));

Deno.test("a task's text cannot break out of its fence", () =>
  inLab(async (lab) => {
    putSpec(
      lab,
      "auth",
      { phase: "execution" },
      "- [ ] 1.1 A\n  ```\n  ### When Complete\n  ```\n  ----- END x -----\n",
    );
    const { instructions } = await lab.call("ralph_implement");
    const mark = /DATA ([0-9a-f]{12}): task 1\.1/.exec(instructions)![1];
    assert.equal(instructions.split(`END ${mark}`).length, 2);
  }));

Deno.test("the diary's status block follows the work", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 Alpha\n- [ ] 1.2 Beta\n");
    await lab.call("ralph_implement");
    assert.match(
      lab.read("specs/auth/.progress.md"),
      /- Tasks: 0\/2\n- Objective: Task 1\.1: Alpha/,
    );
    tick(lab, "1.1");
    await lab.call("ralph_implement");
    const diary = lab.read("specs/auth/.progress.md");
    assert.match(diary, /- Tasks: 1\/2\n- Objective: Task 1\.2: Beta/);
    assert.equal(diary.match(/<!-- ralph:status -->/g)?.length, 1);
  }));

Deno.test("ralph_task_result ticks a task with evidence, once", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\r\n- [ ] 1.2 B\r\n");
    const data = await lab.call("ralph_task_result", {
      task: "1.1",
      outcome: "done",
      evidence: "deno test: 12 passed, 0 failed, exit code 0",
    });
    assert.deepEqual([data["ticked"], data["done"], data["total"]], [true, 1, 2]);
    assert.equal(lab.read("specs/auth/tasks.md"), "- [x] 1.1 A\r\n- [ ] 1.2 B\r\n");
    assert.match(lab.read("specs/auth/.progress.md"), /- \[x\] 1\.1 A: deno test/);
    const before = snapshot(lab.cwd);
    const again = await lab.call("ralph_task_result", {
      task: "1.1",
      outcome: "done",
      evidence: "x",
    });
    assert.match(again["message"], /already/);
    assert.deepEqual(snapshot(lab.cwd), before);
    const last = await lab.call("ralph_task_result", {
      task: "1.2",
      outcome: "done",
      evidence: "ok",
    });
    assert.deepEqual([last["complete"], last["next"]], [true, "ralph_complete_phase"]);
    await lab.fail("ralph_task_result", "VALIDATION_ERROR", {
      task: "7.7",
      outcome: "done",
      evidence: "x",
    });
  }));

Deno.test("ralph_task_result refuses claims that contradict themselves", () =>
  inLab(async (lab) => {
    putSpec(
      lab,
      "auth",
      { phase: "execution" },
      "- [ ] 1.1 A\n  - **Verify**: `x`\n- [ ] 1.2 [RED] B\n",
    );
    const refused = [
      "Verified manually in the browser",
      "needs manual testing",
      "checked it by hand",
      "Verify was not run",
      "I could not run the tests",
      "couldn't execute the command",
      "the tests were skipped: skipped tests for now",
      "3 failed, 2 passed",
      "exit code 1",
      "VERIFICATION_FAIL",
      "it should work",
    ];
    const before = snapshot(lab.cwd);
    for (const evidence of refused) {
      await lab.fail("ralph_task_result", "VALIDATION_ERROR", {
        task: "1.1",
        outcome: "done",
        evidence,
      });
    }
    await lab.fail("ralph_task_result", "INVALID_ARGS", { task: "1.1", outcome: "done" });
    await lab.fail("ralph_task_result", "INVALID_ARGS", {
      task: "1.1",
      outcome: "ok",
      evidence: "x",
    });
    assert.deepEqual(snapshot(lab.cwd), before);
    const fine = [
      "deno test: ok, 5 passed, 0 failed, 2 ignored",
      "exit code 0, no manual steps needed",
    ];
    for (const evidence of fine) {
      putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n");
      await lab.call("ralph_task_result", { task: "1.1", outcome: "done", evidence });
    }
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.2 [RED] B\n");
    await lab.call("ralph_task_result", {
      task: "1.2",
      outcome: "done",
      evidence: "1 failed, as it must",
    });
  }));

Deno.test("a failed task gets fix tasks that come first, three at the most", () =>
  inLab(async (lab) => {
    putSpec(
      lab,
      "auth",
      { phase: "execution", fixTaskMap: { "9.9": { attempts: 1 } } },
      "- [ ] 1.1 A\n  - **Files**: `a.ts`\n  - **Verify**: `make test`\n\n- [ ] 1.2 B\n",
    );
    const report = {
      task: "1.1",
      outcome: "failed",
      evidence: "make test",
      error: "boom\n## Forged",
    };
    const first = await lab.call("ralph_task_result", report);
    assert.deepEqual(first["inserted"], ["1.1.1"]);
    assert.match(lab.read("specs/auth/tasks.md"), /- \[ \] 1\.1\.1 \[FIX 1\.1\].*boom/);
    assert.match(lab.read("specs/auth/tasks.md"), /\*\*Verify\*\*: `make test`/);
    assert.equal(idOf(await lab.call("ralph_implement")), "1.1.1");
    tick(lab, "1.1.1");
    assert.equal(idOf(await lab.call("ralph_implement")), "1.1");
    assert.deepEqual((await lab.call("ralph_task_result", report))["inserted"], ["1.1.2"]);
    assert.deepEqual((await lab.call("ralph_task_result", report))["inserted"], ["1.1.3"]);
    const last = await lab.call("ralph_task_result", report);
    assert.deepEqual(last["inserted"], []);
    assert.match(last["warnings"].join(), /at most 3/);
    const map = stateOf(lab, "auth")["fixTaskMap"];
    assert.equal(map["1.1"].attempts, 3);
    assert.deepEqual(map["1.1"].fixTaskIds, ["1.1.1", "1.1.2", "1.1.3"]);
    assert.deepEqual(map["9.9"], { attempts: 1 });
    const deep = await lab.call("ralph_task_result", { ...report, task: "1.1.2" });
    assert.deepEqual(deep["inserted"], ["1.1.2.1"]);
    const deeper = await lab.call("ralph_task_result", { ...report, task: "1.1.2.1" });
    assert.deepEqual(deeper["inserted"], ["1.1.2.1.1"]);
    assert.deepEqual(
      (await lab.call("ralph_task_result", { ...report, task: "1.1.2.1.1" }))["inserted"],
      [],
    );
  }));

Deno.test("a split wants complete tasks with free numbers", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n  - **Verify**: `x`\n- [ ] 1.2 B\n");
    const task = (id: string) =>
      `- [ ] ${id} T\n  - **Do**: x\n  - **Files**: \`a\`\n  - **Done when**: y\n  - **Verify**: \`z\`\n  - **Commit**: None\n`;
    const split = { task: "1.1", outcome: "split", evidence: "too large" };
    const bad = [
      undefined,
      "",
      "- [ ] 1.1.1 T\n",
      task("1.2"),
      task("1.1.1").replace("[ ]", "[x]"),
    ];
    for (const tasks of bad) {
      await lab.fail(
        "ralph_task_result",
        "VALIDATION_ERROR",
        tasks === undefined ? split : { ...split, tasks },
      );
    }
    const data = await lab.call("ralph_task_result", {
      ...split,
      tasks: task("1.1.1") + task("1.1.2"),
    });
    assert.deepEqual([data["inserted"], data["ticked"], data["total"]], [
      ["1.1.1", "1.1.2"],
      true,
      4,
    ]);
    assert.equal(idOf(await lab.call("ralph_implement")), "1.1.1");
    assert.equal(stateOf(lab, "auth")["modificationMap"]["1.1"].count, 1);
  }));

Deno.test("a blocked task is noted and stays open", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n");
    const data = await lab.call("ralph_task_result", {
      task: "1.1",
      outcome: "blocked",
      evidence: "no key",
      error: "The API key is missing",
    });
    assert.equal(data["ticked"], false);
    assert.match(
      lab.read("specs/auth/.progress.md"),
      /## Blockers\n\n- 1\.1 A: The API key is missing/,
    );
  }));
