import assert from "node:assert/strict";
import { inLab, putSpec, stateOf } from "./support.ts";
import { readTree } from "../../support/project.ts";

Deno.test("a state needs only a valid phase; invalid counters are dropped", () =>
  inLab(async (lab) => {
    const valid = [
      '{"phase":"research"}',
      '\uFEFF{"phase":"research","taskIndex":null}',
      '{"phase":"research","taskIndex":-1,"totalTasks":7.9,"taskIteration":"3"}',
    ];
    const deep = `{"phase":"research","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const states = ["{}", '{"phase":"later"}', '{"phase":null}'];
    const corrupt = ["", "{", "[]", "null", "3", '"x"', ...states, deep];
    for (const text of [...valid, ...corrupt]) {
      lab.write("specs/auth/.ralph-state.json", text);
      const [row] = (await lab.call("ralph_status"))["specs"];
      assert.equal(row.phase, valid.includes(text) ? "research" : "corrupt", text);
    }
    lab.write("specs/auth/.ralph-state.json", valid[2]!);
    await lab.call("ralph_start", { name: "auth", resume: true });
    const { taskIndex, totalTasks, taskIteration } = stateOf(lab, "auth");
    assert.deepEqual([taskIndex, totalTasks, taskIteration], [0, 7, 0]);
  }));

Deno.test("the state has the fields of its design from the first write, and counters are numbers", () =>
  inLab(async (lab) => {
    await lab.call("ralph_start", { goal: "Sign in", name: "auth" });
    const { goal: _goal, revision: _revision, updatedAt: _at, ...fields } = stateOf(lab, "auth");
    assert.deepEqual(fields, {
      source: "spec",
      name: "auth",
      basePath: "./specs/auth",
      phase: "research",
      taskIndex: 0,
      totalTasks: 0,
      taskIteration: 0,
      maxTaskIterations: 5,
      globalIteration: 0,
      maxGlobalIterations: 100,
    });
  }));

Deno.test("what is invalid in a map or a list survives a write, and valid elements count", () =>
  inLab(async (lab) => {
    const fixTaskMap = { "1.1": null, "1.2": { attempts: "x", extra: 1 }, "1.3": { attempts: 1 } };
    const modificationMap = { "9.9": 3 };
    const redoPhases = ["later", "design", 3, "tasks"];
    const state = { phase: "execution", fixTaskMap, modificationMap, redoPhases };
    putSpec(lab, "auth", state, "- [ ] 1.2 A\n");
    const step = await lab.call("ralph_status");
    assert.match(step["todo"], /^revise specs\/auth\/design\.md/);
    await lab.call("ralph_research", { redo: true });
    assert.deepEqual(stateOf(lab, "auth")["redoPhases"], [...redoPhases, "research"]);
    for (const phase of ["design", "tasks", "research"]) {
      await lab.call("ralph_complete_phase", { phase, summary: "s" });
    }
    assert.deepEqual(stateOf(lab, "auth")["redoPhases"], ["later", 3]);
    await lab.call("ralph_implement");
    await lab.call("ralph_task_result", { task: "1.2", outcome: "failed", evidence: "e" });
    const after = stateOf(lab, "auth");
    assert.deepEqual(after["fixTaskMap"], {
      ...fixTaskMap,
      "1.2": { extra: 1, attempts: 1, fixTaskIds: ["1.2.1"], lastError: "e" },
    });
    assert.deepEqual(after["modificationMap"], modificationMap);
    await lab.call("ralph_complete_phase", { phase: "execution", summary: "s", force: true });
    assert.deepEqual(stateOf(lab, "auth")["redoPhases"], ["later", 3]);
  }));

Deno.test("fields of other programs survive the whole workflow", () =>
  inLab(async (lab) => {
    const foreign = {
      source: "plan",
      name: "other-name",
      basePath: "/etc",
      phase: "research",
      taskIndex: 0,
      totalTasks: 0,
      globalIteration: 1,
      maxGlobalIterations: 100,
      commitSpec: true,
      discoveredSkills: [{ name: "s", source: "x", matchedAt: "now", invoked: false }],
      nativeTaskMap: { "0": "abc" },
    };
    lab.write("specs/auth/.ralph-state.json", `\uFEFF${JSON.stringify(foreign)}`);
    lab.write("specs/.current-spec", "auth\n");
    for (const phase of ["research", "requirements", "design", "tasks"]) {
      await lab.call(`ralph_${phase}`);
      if (phase === "tasks") lab.write("specs/auth/tasks.md", "- [ ] 1.1 A\n");
      await lab.call("ralph_complete_phase", { phase, summary: "ok" });
    }
    await lab.call("ralph_implement");
    const state = stateOf(lab, "auth");
    for (const [key, value] of Object.entries(foreign)) {
      if (["phase", "totalTasks", "globalIteration"].includes(key)) continue;
      assert.deepEqual(state[key], value, key);
    }
    assert.equal(state["phase"], "execution");
    assert.equal(state["totalTasks"], 1);
    assert.equal(state["globalIteration"], 2);
    assert.ok(!lab.exists("etc"), "the stored basePath is not used");
    const text = lab.read("specs/auth/.ralph-state.json");
    assert.ok(text.startsWith('{\n  "') && !text.endsWith("\n"), "two spaces, no last line end");
  }));

Deno.test("a corrupt state is backed up, and resuming repairs it", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "research" });
    lab.write("specs/auth/.ralph-state.json", "{ broken");
    lab.write("specs/auth/research.md", "found");
    const before = readTree(lab.cwd);
    const shown = await lab.call("ralph_status");
    assert.equal(shown["specs"][0].phase, "corrupt");
    assert.equal(shown["next"], "ralph_start");
    assert.deepEqual(readTree(lab.cwd), before, "looking changes nothing");

    const error = await lab.fail("ralph_research", "INVALID_STATE");
    assert.match(
      error.message,
      /State corrupt\. Backup at \.ralph-state\.json\.bak\. Re-run ralph_start/,
    );
    assert.match(error.message, /resume: true/);
    assert.equal(lab.read("specs/auth/.ralph-state.json.bak"), "{ broken");
    assert.ok(!lab.exists("specs/auth/.ralph-state.json"));
    const resumed = await lab.call("ralph_start", { name: "auth", resume: true });
    assert.deepEqual(
      [resumed["name"], resumed["phase"], resumed["next"]],
      ["auth", "requirements", "ralph_requirements"],
    );
  }));

Deno.test("backups are never overwritten", () =>
  inLab(async (lab) => {
    const texts = ["one", "two"];
    for (const text of texts) {
      putSpec(lab, "auth", {});
      lab.write("specs/auth/.ralph-state.json", text);
      await lab.fail("ralph_research", "INVALID_STATE");
    }
    const kept = lab.names("specs/auth").filter((name) => name.includes(".bak"));
    assert.deepEqual(kept.map((name) => lab.read(`specs/auth/${name}`)).sort(), texts);
  }));

Deno.test("resuming infers the phase from the documents", async () => {
  const cases: [Record<string, string>, string][] = [
    [{}, "research"],
    [{ "research.md": "r" }, "requirements"],
    [{ "research.md": "r", "requirements.md": "q" }, "design"],
    [{ "design.md": "d" }, "tasks"],
    [{ "tasks.md": "- [ ] 1.1 A" }, "tasks"],
    [{ "tasks.md": "- [x] 1.1 A\n- [ ] 1.2 B" }, "execution"],
  ];
  for (const [files, phase] of cases) {
    await inLab(async (lab) => {
      lab.write("specs/auth/.progress.md", "# P\n");
      for (const [file, text] of Object.entries(files)) lab.write(`specs/auth/${file}`, text);
      const data = await lab.call("ralph_start", { name: "auth", resume: true });
      assert.equal(data["phase"], phase, JSON.stringify(files));
      assert.equal(stateOf(lab, "auth")["phase"], phase);
    });
  }
});
