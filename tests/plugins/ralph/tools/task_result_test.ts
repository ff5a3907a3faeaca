import assert from "node:assert/strict";
import { inLab, type Lab, putSpec, stateOf, tick } from "../support.ts";
import { readTree } from "../../../support/project.ts";

/** A spec in execution, with its first task handed out. */
async function atWork(lab: Lab, tasks: string, state: Record<string, unknown> = {}) {
  putSpec(lab, "auth", { phase: "execution", ...state }, tasks);
  return (await lab.call("ralph_implement"))["task"].id as string;
}

const DONE = { outcome: "done", command: "deno test", exit_code: 0, evidence: "12 passed" };

Deno.test("a check that passed ticks the task, once", () =>
  inLab(async (lab) => {
    await atWork(lab, "- [ ] 1.1 A\r\n- [ ] 1.2 B\r\n");
    const report = { ...DONE, task: "1.1" };
    const data = await lab.call("ralph_task_result", report);
    assert.deepEqual([data["ticked"], data["done"], data["total"]], [true, 1, 2]);
    assert.equal(lab.read("specs/auth/tasks.md"), "- [x] 1.1 A\r\n- [ ] 1.2 B\r\n");
    assert.match(
      lab.read("specs/auth/.progress.md"),
      /- \[x\] 1\.1 A: reported "deno test" \(exit code 0\) in place of a Verify: 12 passed/,
    );
    const before = readTree(lab.cwd);
    assert.match((await lab.call("ralph_task_result", report))["text"], /already/);
    assert.deepEqual(readTree(lab.cwd), before);
    await lab.call("ralph_implement");
    const last = await lab.call("ralph_task_result", { ...DONE, task: "1.2" });
    assert.deepEqual([last["complete"], last["next"]], [true, "ralph_complete_phase"]);
    await lab.fail("ralph_task_result", "VALIDATION_ERROR", { ...DONE, task: "7.7" });
  }));

Deno.test("a report without a passed check does not tick the task", () =>
  inLab(async (lab) => {
    const task = await atWork(lab, "- [ ] 1.1 A\n  - **Verify**: `make check`\n");
    const before = readTree(lab.cwd);
    const rests = [
      { evidence: "all tests pass", exit_code: 0 },
      { command: "make check", exit_code: 2 },
      { command: "make check", exit_code: 0, expected: "fail" },
    ];
    for (const rest of rests) {
      const report = { task, outcome: "done", ...rest };
      const error = await lab.fail("ralph_task_result", "VALIDATION_ERROR", report);
      assert.match(error.message, /Task 1\.1 is not done/);
    }
    await lab.fail("ralph_task_result", "INVALID_ARGS", { ...DONE, task, exit_code: "zero" });
    assert.deepEqual(readTree(lab.cwd), before);
  }));

Deno.test("a [RED] task is done when its test fails as expected", () =>
  inLab(async (lab) => {
    const task = await atWork(lab, "- [ ] 1.1 [RED] A\n  - **Verify**: `cargo test`\n");
    assert.match((await lab.call("ralph_implement"))["text"], /expected: "fail"/);
    const report = { task, outcome: "done", command: "cargo test", exit_code: 101 };
    const error = await lab.fail("ralph_task_result", "VALIDATION_ERROR", report);
    assert.match(error.hint!, /expected: "fail"/);
    const data = await lab.call("ralph_task_result", { ...report, expected: "fail" });
    assert.deepEqual([data["ticked"], data["warnings"]], [true, []]);
  }));

const VERIFY = "- **Verify**: ";

Deno.test("only the command of Verify ticks a task without evidence", () =>
  inLab(async (lab) => {
    const cases: [verify: string, same: string[], others: string[]][] = [
      ["`npm test`", ["npm test", " npm  test\n", "`npm test`"], [
        ...["true", "echo npm test", "npm test || true", "npm test # it passes", "npm test; true"],
        ...[
          "npm",
          "npm  tests",
          "NPM TEST",
          "sh -c 'npm test'",
          "npm test && true",
          "npm\u200b test",
          "npm\u00a0test",
          "npm\ntest",
          "true\nnpm test",
        ],
      ]],
      ["npm test", ["npm test"], ["npm run test"]],
      ["`npm test`, then `npm run lint`", ["npm test && npm run lint"], ["npm test"]],
      ["`deno task ok`\n    `git diff`", ["deno task ok && git diff"], [
        "deno task ok",
        "git diff",
      ]],
      ["run all tests and see them pass", ["run all tests and see them pass"], ["npm test"]],
    ];
    for (const [verify, same, others] of cases) {
      for (const tags of ["", "[VERIFY] "]) {
        for (const [commands, isPlanned] of [[others, false], [same, true]] as const) {
          for (const command of commands) {
            const task = await atWork(lab, `- [ ] 1.1 ${tags}A\n  ${VERIFY}${verify}\n`);
            const report = { task, outcome: "done", command, exit_code: 0 };
            const before = readTree(lab.cwd);
            if (!isPlanned) {
              for (const evidence of [undefined, "", " \n\t"]) {
                const bare = { ...report, ...(evidence === undefined ? {} : { evidence }) };
                const error = await lab.fail("ralph_task_result", "VALIDATION_ERROR", bare);
                assert.match(error.message, /is not the command of Verify/, command);
              }
              assert.deepEqual(readTree(lab.cwd), before);
            }
            const evidence = isPlanned ? {} : { evidence: "seen" };
            const data = await lab.call("ralph_task_result", { ...report, ...evidence });
            assert.equal(data["ticked"], true);
            assert.deepEqual(data["reported"].as_planned, isPlanned, command);
            assert.match(data["message"], /^Task 1\.1 is ticked: reported /);
            const line = lab.read("specs/auth/.progress.md").split("\n").find((each) =>
              each.startsWith("- [x] 1.1 A: reported ")
            )!;
            assert.equal(/ in place of .*: seen$/.test(line), !isPlanned, line);
            Deno.removeSync(`${lab.cwd}/specs/auth`, { recursive: true });
          }
        }
      }
    }
  }));

Deno.test("another outcome than the task plans needs evidence, too", () =>
  inLab(async (lab) => {
    const cases = [["", 1, "fail"], ["[RED] ", 0, "pass"]] as const;
    for (const [tag, exit_code, expected] of cases) {
      const task = await atWork(lab, `- [ ] 1.1 ${tag}A\n  ${VERIFY}\`make test\`\n`);
      const report = { task, outcome: "done", command: "make test", exit_code, expected };
      const error = await lab.fail("ralph_task_result", "VALIDATION_ERROR", report);
      assert.match(error.message, /the tag \[RED\] does not end with exit code/);
      const data = await lab.call("ralph_task_result", { ...report, evidence: "seen" });
      assert.equal(data["reported"].as_planned, false);
    }
  }));

Deno.test("a result for a task that was not handed out is rejected", () =>
  inLab(async (lab) => {
    await atWork(lab, "- [ ] 1.1 A\n- [ ] 1.2 B\n");
    const before = readTree(lab.cwd);
    const report = { ...DONE, task: "1.2" };
    const error = await lab.fail("ralph_task_result", "MISSING_PREREQUISITES", report);
    assert.match(error.hint!, /ralph_implement \{ task: "1\.2" \}/);
    assert.deepEqual(readTree(lab.cwd), before);
    await lab.call("ralph_implement", { task: "1.2" });
    assert.equal((await lab.call("ralph_task_result", report))["ticked"], true);
  }));

Deno.test("a failed task gets at most three fix tasks, then waits for the user", () =>
  inLab(async (lab) => {
    await atWork(
      lab,
      "- [ ] 1.1 A\n  - **Files**: `a.ts`\n  - **Verify**: `make test`\n\n- [ ] 1.2 B\n",
      { fixTaskMap: { "9.9": { attempts: 1 } } },
    );
    const report = { task: "1.1", outcome: "failed", evidence: "boom\n## Forged" };
    await lab.fail("ralph_task_result", "VALIDATION_ERROR", { task: "1.1", outcome: "failed" });
    for (const id of ["1.1.1", "1.1.2", "1.1.3"]) {
      const data = await lab.call("ralph_task_result", report);
      assert.deepEqual([data["inserted"], data["next"]], [[id], "ralph_implement"]);
      assert.match(
        lab.read("specs/auth/tasks.md"),
        new RegExp(`- \\[ \\] ${id} \\[FIX 1\\.1\\].*boom`),
      );
      assert.equal((await lab.call("ralph_implement"))["task"].id, id);
      tick(lab, id);
      assert.equal((await lab.call("ralph_implement"))["task"].id, "1.1");
    }
    assert.match(lab.read("specs/auth/tasks.md"), /\*\*Verify\*\*: `make test`/);
    assert.ok(!/^## Forged/m.test(lab.read("specs/auth/tasks.md")));
    const last = await lab.call("ralph_task_result", report);
    assert.deepEqual([last["inserted"], last["next"]], [[], "user"]);
    assert.match(last["warnings"].join(), /at most 3 fix tasks/);
    const map = stateOf(lab, "auth")["fixTaskMap"];
    assert.deepEqual(
      [map["1.1"].attempts, map["1.1"].fixTaskIds],
      [3, ["1.1.1", "1.1.2", "1.1.3"]],
    );
    assert.deepEqual(map["9.9"], { attempts: 1 });
  }));

Deno.test("a split requires complete tasks with new ids", () =>
  inLab(async (lab) => {
    await atWork(lab, "- [ ] 1.1 A\n  - **Verify**: `x`\n- [ ] 1.2 B\n");
    const task = (id: string) =>
      `- [ ] ${id} T\n  - **Do**: x\n  - **Files**: \`a\`\n  - **Done when**: y\n  - **Verify**: \`z\`\n  - **Commit**: None\n`;
    const split = { task: "1.1", outcome: "split", evidence: "too large" };
    const ticked = task("1.1.1").replace("[ ]", "[x]");
    const bad = ["", "- [ ] 1.1.1 T\n", task("1.2"), ticked, "- [] 1.1.1 T"];
    await lab.fail("ralph_task_result", "VALIDATION_ERROR", split);
    for (const tasks of bad) {
      await lab.fail("ralph_task_result", "VALIDATION_ERROR", { ...split, tasks });
    }
    const tasks = task("1.1.1") + task("1.1.2");
    const data = await lab.call("ralph_task_result", { ...split, tasks });
    assert.deepEqual(
      [data["inserted"], data["ticked"], data["total"]],
      [["1.1.1", "1.1.2"], true, 4],
    );
    assert.equal((await lab.call("ralph_implement"))["task"].id, "1.1.1");
    assert.equal(stateOf(lab, "auth")["modificationMap"]["1.1"].count, 1);
  }));

Deno.test("a task that waits for the user is not handed out until the spec is resumed", () =>
  inLab(async (lab) => {
    const task = await atWork(lab, "- [ ] 1.1 A\n- [ ] 1.2 B\n");
    await lab.fail("ralph_task_result", "VALIDATION_ERROR", { task, outcome: "blocked" });
    const report = { task, outcome: "blocked", evidence: "Which key may be used?" };
    const data = await lab.call("ralph_task_result", report);
    assert.deepEqual([data["ticked"], data["next"]], [false, "user"]);
    assert.match(data["todo"], /the user decides about task 1\.1 \("Which key may be used\?"\)/);
    assert.match(lab.read("specs/auth/.progress.md"), /## Blockers\n\n- 1\.1 A: Which key/);
    const error = await lab.fail("ralph_implement", "MISSING_PREREQUISITES", {
      max_iterations: 50,
    });
    assert.match(error.message, /Which key may be used\?/);
    assert.equal((await lab.call("ralph_implement", { task: "1.2" }))["task"].id, "1.2");
    await lab.call("ralph_start", { name: "auth", resume: true });
    assert.equal((await lab.call("ralph_implement"))["task"].id, "1.1");
  }));
