import assert from "node:assert/strict";
import { type Data, inLab, putSpec, stateOf, tick } from "../support.ts";

const idOf = (data: Data) => data["task"]?.id;

Deno.test("ralph_implement hands out tasks in document order until all are ticked", () =>
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
      assert.equal(data["total"], 6);
      if (data["complete"]) {
        assert.deepEqual([data["task"], data["next"]], [null, "ralph_complete_phase"]);
        assert.match(data["warnings"].join(), /lines that look like a box.*"- \[ \] loose"/);
        break;
      }
      const { id, index, attempt } = data["task"];
      assert.deepEqual([attempt, index, data["done"]], [1, seen.length + 1, seen.length + 1]);
      assert.equal(stateOf(lab, "auth")["taskIndex"], index);
      assert.equal(stateOf(lab, "auth")["phase"], "execution");
      seen.push(id);
      tick(lab, id);
    }
    assert.deepEqual(seen, ["1.2", "1.2.1", "V1", "VF", "VE1"]);
    const { specs: [row], next } = await lab.call("ralph_status");
    assert.deepEqual([row.done, row.total, row.next, next], [
      6,
      6,
      undefined,
      "ralph_complete_phase",
    ]);
  }));

Deno.test("max_iterations blocks a task that stays open, until the limit is raised", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n- [ ] 1.2 B\n");
    lab.write("specs/auth/.progress.md", "# P\n\n## Learnings\n\n- the port is taken\n");
    for (const attempt of [1, 2, 3]) {
      const data = await lab.call("ralph_implement", { max_iterations: 3 });
      assert.equal(data["task"].attempt, attempt);
      assert.equal(stateOf(lab, "auth")["taskIteration"], attempt);
    }
    for (let again = 0; again < 2; again++) {
      const error = await lab.fail("ralph_implement", "MISSING_PREREQUISITES", {
        max_iterations: 3,
      });
      assert.match(error.message, /Task 1\.1 is blocked: it was handed out 3 times/);
      assert.match(error.message, /the port is taken/);
      assert.match(error.hint!, /larger max_iterations.*split.*tick/s);
      assert.equal(stateOf(lab, "auth")["taskIteration"], 3, "a refusal is no attempt");
    }
    const more = await lab.call("ralph_implement", { max_iterations: 4 });
    assert.deepEqual([more["task"].id, more["task"].attempt], ["1.1", 4]);
    tick(lab, "1.1");
    const next = await lab.call("ralph_implement", { max_iterations: 1 });
    assert.deepEqual([next["task"].id, next["task"].attempt], ["1.2", 1]);
    for (const bad of [0, 101, 1.5, "three", [3]]) {
      await lab.fail("ralph_implement", "INVALID_ARGS", { max_iterations: bad });
    }
  }));

Deno.test("rewriting a blocked task or resuming the spec unblocks it", () =>
  inLab(async (lab) => {
    const block = async () => {
      putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n- [ ] 1.2 B\n");
      for (let attempt = 1; attempt <= 5; attempt++) await lab.call("ralph_implement");
      await lab.fail("ralph_implement", "MISSING_PREREQUISITES");
      const { specs: [row], next } = await lab.call("ralph_status");
      assert.deepEqual([row.status, next], ["blocked", "user"]);
      assert.match(lab.read("specs/auth/.progress.md"), /- Next: the user decides about task 1\.1/);
    };
    await block();
    lab.write("specs/auth/tasks.md", "- [ ] 1.1 A smaller thing\n- [ ] 1.2 B\n");
    assert.equal((await lab.call("ralph_status"))["next"], "ralph_implement");
    assert.equal((await lab.call("ralph_implement"))["task"].attempt, 1);
    await block();
    await lab.call("ralph_start", { name: "auth", resume: true });
    assert.equal((await lab.call("ralph_status"))["next"], "ralph_implement");
    assert.equal((await lab.call("ralph_implement"))["task"].attempt, 1);
  }));

Deno.test("ralph_implement accepts a task id", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n- [x] 1.2 B\n- [ ] 1.3 C\n");
    assert.equal(idOf(await lab.call("ralph_implement", { task: "1.3" })), "1.3");
    const ticked = await lab.fail("ralph_implement", "VALIDATION_ERROR", { task: "1.2" });
    assert.match(ticked.message, /already ticked/);
    const unknown = await lab.fail("ralph_implement", "VALIDATION_ERROR", { task: "9.9" });
    assert.match(unknown.hint!, /Open tasks: 1\.1, 1\.3/);
    for (const task of ["__proto__", "../x", "1.1 A", ""]) {
      await lab.fail("ralph_implement", "VALIDATION_ERROR", { task });
    }
    assert.equal(idOf(await lab.call("ralph_implement", { spec_name: "auth" })), "1.1");
  }));

Deno.test("a malformed task prevents completion", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [x] 1.1 A\n-  [ ] 1.2 B\n");
    const error = await lab.fail("ralph_implement", "MISSING_PREREQUISITES");
    assert.match(error.message, /line 2 "- {2}\[ \] 1\.2 B"/);
    const args = { phase: "execution", summary: "s" };
    const refused = await lab.fail("ralph_complete_phase", "MISSING_PREREQUISITES", args);
    assert.match(refused.message, /line 2/);
    assert.match((await lab.call("ralph_status"))["todo"], /line 2/);
    lab.write("specs/auth/tasks.md", "- [x] 1.1 A\n- [x] 1.2 B\n");
    assert.equal((await lab.call("ralph_implement"))["complete"], true);
  }));

Deno.test("a blocked end-to-end check is cleaned up before it is reported", () =>
  inLab(async (lab) => {
    const tasks = "- [x] VE1 Start the server\n- [ ] VE2 Check it\n- [ ] VE3 Clean up\n";
    putSpec(lab, "auth", { phase: "execution" }, tasks);
    const args = { max_iterations: 1, task: "VE2" };
    await lab.call("ralph_implement", args);
    const cleanup = await lab.call("ralph_implement", args);
    assert.equal(idOf(cleanup), "VE3");
    assert.match(cleanup["warnings"].join(), /VE2 is blocked/);
    tick(lab, "VE3");
    const error = await lab.fail("ralph_implement", "MISSING_PREREQUISITES", args);
    assert.match(error.message, /Task VE2 is blocked/);
  }));

Deno.test("several tasks are handed out at once, up to a check, and reported together", () =>
  inLab(async (lab) => {
    const tasks = ["1.1 A", "1.2 [RED] B", "1.3 C", "1.4 [VERIFY] D", "1.5 E", "VE1 F"]
      .map((title) => `- [ ] ${title}\n  - **Verify**: \`run\`\n`).join("");
    putSpec(lab, "auth", { phase: "tasks" }, tasks);
    const first = await lab.call("ralph_implement", { count: 9 });
    assert.deepEqual([first["task"].id, first["others"]], ["1.1", ["1.2", "1.3"]]);
    for (const id of ["1.1", "1.2", "1.3"]) {
      assert.match(first["instructions"], new RegExp(`task ${id} of specs/auth/tasks\\.md`));
    }
    assert.match(first["instructions"], /You are the executor[^]*### If It Fails/);
    const report = (task: string, exit_code = 0) => ({ task, command: "run", exit_code });
    const before = lab.read("specs/auth/tasks.md");
    const results = (...done: object[]) => ({ done });
    const refused = async (code: string, args: Record<string, unknown>) => {
      await lab.fail("ralph_task_result", code, args);
      assert.equal(lab.read("specs/auth/tasks.md"), before, "nothing is recorded");
    };
    await refused("VALIDATION_ERROR", results(report("1.1"), report("1.3", 1)));
    await refused("MISSING_PREREQUISITES", results(report("1.1"), report("1.5")));
    await refused("VALIDATION_ERROR", results(report("1.1"), report("7.7")));
    await refused("INVALID_ARGS", { ...results(report("1.1")), task: "1.1" });
    await refused("INVALID_ARGS", { task: "1.1" });
    await refused("INVALID_ARGS", results());
    const red = { ...report("1.2", 1), expected: "fail", evidence: "no function" };
    const all = await lab.call("ralph_task_result", results(report("1.1"), red, report("1.3")));
    assert.deepEqual([all["ticked"], all["done"], all["next"]], [true, 3, "ralph_implement"]);
    assert.match(
      all["message"],
      /Task 1\.1 is ticked[^]*Task 1\.2 is ticked[^]*Task 1\.3 is ticked/,
    );
    const progress = lab.read("specs/auth/.progress.md");
    assert.match(progress, /- \[x\] 1\.1 A[^\n]*\n- \[x\] 1\.2 B[^\n]*no function\n- \[x\] 1\.3 C/);

    const check = await lab.call("ralph_implement", { count: 9 });
    assert.deepEqual([check["task"].id, check["others"], check["warnings"]], ["1.4", [], []]);
    assert.match(check["instructions"], /You are the verifier/);
    assert.doesNotMatch(check["instructions"], /### If It Fails/);
    await lab.call("ralph_task_result", { ...report("1.4"), outcome: "done" });
    const next = await lab.call("ralph_implement", { count: 9 });
    assert.deepEqual([next["task"].id, next["others"]], ["1.5", []]);
    assert.ok(next["instructions"].length < 700, next["instructions"]);
    assert.match(next["instructions"], /ralph_start \{ name: "auth", resume: true \} repeats them/);
    await lab.call("ralph_start", { name: "auth", resume: true });
    assert.match((await lab.call("ralph_implement"))["instructions"], /You are the executor/);
  }));
