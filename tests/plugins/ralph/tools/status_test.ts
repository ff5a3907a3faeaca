import assert from "node:assert/strict";
import { ralphTools } from "../../../../plugins/ralph/entries.ts";
import { type Data, inLab, putSpec, stateOf } from "../support.ts";
import { readTree } from "../../../support/project.ts";

Deno.test("ralph_status has a row with a status for every spec", () =>
  inLab(async (lab) => {
    putSpec(lab, "a-research", { phase: "research" });
    putSpec(lab, "b-waiting", { phase: "design", awaitingApproval: true });
    lab.write("specs/b-waiting/research.md", "r");
    lab.write("specs/b-waiting/requirements.md", " \n");
    putSpec(
      lab,
      "c-running",
      { phase: "execution", taskIndex: 0, totalTasks: 99 },
      "- [x] 1.1 A\n- [ ] V1 B\n",
    );
    putSpec(lab, "d-complete", { phase: "execution", completedAt: "2026-01-01" }, "- [x] 1.1 A\n");
    lab.write("specs/e-corrupt/.ralph-state.json", "{");
    lab.write("specs/f-lost/design.md", "d");
    putSpec(lab, "g-counters", { phase: "execution", taskIndex: 5, totalTasks: 10 });
    lab.write("specs/.index/x", "");
    lab.write("specs/_epics/x", "");
    lab.write("specs/README.md", "");
    const before = readTree(lab.cwd);
    const data = await lab.call("ralph_status");
    assert.deepEqual(readTree(lab.cwd), before);
    assert.deepEqual([data["current"], data["next"]], ["g-counters", "ralph_tasks"]);
    assert.deepEqual(
      data["specs"].map((row: Data) => [
        row["name"],
        row["phase"],
        row["status"],
        `${row["done"]}/${row["total"]}`,
        row["artifacts"].join(),
        row["next"],
      ]),
      [
        ["a-research", "research", "active", "0/0", "", "ralph_research"],
        ["b-waiting", "design", "awaiting-approval", "0/0", "research.md", "user"],
        ["c-running", "execution", "active", "1/2", "tasks.md", "ralph_implement"],
        ["d-complete", "execution", "complete", "1/1", "tasks.md", "ralph_start"],
        ["e-corrupt", "corrupt", "corrupt", "0/0", "", "ralph_start"],
        ["f-lost", "unknown", "no-state", "0/0", "design.md", "ralph_start"],
        ["g-counters", "execution", "active", "5/10", "", undefined],
      ],
    );
    const detail = await lab.call("ralph_status", { spec_name: "c-running" });
    assert.deepEqual(detail["specs"].length, 1);
    assert.deepEqual(detail["specs"][0].open, ['V1 "B"']);
  }));

Deno.test("ralph_help lists the tools and the current phase", () =>
  inLab(async (lab) => {
    const { text, next } = await lab.call("ralph_help");
    for (const { name, description } of ralphTools) {
      assert.ok(text.includes(`| ${name} | `) && text.includes(description), name);
    }
    assert.match(text, /\| ralph_start \| goal\?, name\?, quick\?/);
    assert.equal(next, "ralph_start");
    putSpec(lab, "auth", { phase: "design" });
    assert.match(await lab.text("ralph_help"), /You are here: auth, phase design/);
    await lab.fail("ralph_help", "INVALID_ARGS", { topic: "x" });
  }));

Deno.test("ralph_switch shows the status of the spec", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [x] 1.1 A\n- [ ] 1.2 B\n");
    await lab.call("ralph_start", { name: "other" });
    const data = await lab.call("ralph_switch", { name: "auth" });
    assert.deepEqual(
      [data["spec"].name, data["spec"].phase, data["spec"].done, data["spec"].total],
      ["auth", "execution", 1, 2],
    );
    assert.match(data["text"], /^Switched: other → auth\./);
    assert.deepEqual([data["spec"].artifacts, data["next"]], [["tasks.md"], "ralph_implement"]);
    assert.equal(lab.read("specs/.current-spec"), "auth");
    lab.write("specs/.current-spec", "gone");
    const stale = await lab.call("ralph_switch", { name: "auth" });
    assert.match(stale["warnings"].join(), /'gone'/);
    await lab.fail("ralph_switch", "INVALID_ARGS");
    const none = await lab.fail("ralph_switch", "SPEC_NOT_FOUND", { name: "x" });
    assert.match(none.hint!, /auth, other/);
    assert.equal(stateOf(lab, "auth")["revision"], undefined, "switching writes no state");
  }));
