import assert from "node:assert/strict";
import { inLab, stateOf } from "../support.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

Deno.test("ralph_start creates folder, state, progress file and pointer", () =>
  inLab(async (lab) => {
    const data = await lab.call("ralph_start", { goal: "Add user authentication" });
    assert.equal(data["name"], "add-user-authentication");
    assert.equal(data["phase"], "research");
    assert.equal(data["quick"], false);
    assert.equal(data["next"], "ralph_research");
    assert.match(data["text"], /- Goal: "Add user authentication"\n/);
    assert.deepEqual(lab.names("specs/add-user-authentication"), [
      ".progress.md",
      ".ralph-state.json",
    ]);
    assert.equal(lab.read("specs/.current-spec"), "add-user-authentication");
    const state = stateOf(lab, "add-user-authentication");
    assert.deepEqual(
      [state["source"], state["name"], state["basePath"], state["phase"], state["quickMode"]],
      ["spec", "add-user-authentication", "./specs/add-user-authentication", "research", undefined],
    );
    const progress = lab.read("specs/add-user-authentication/.progress.md");
    assert.match(progress, /## Original Goal\n\nAdd user authentication\n/);
    assert.match(progress, /- Phase: research/);
  }));

Deno.test("a name that is taken gets a number", () =>
  inLab(async (lab) => {
    lab.write("specs/file", "x");
    Deno.mkdirSync(`${lab.cwd}/specs/empty`);
    Deno.mkdirSync(`${lab.cwd}/specs/Upper`);
    Deno.symlinkSync("nowhere", `${lab.cwd}/specs/link`);
    for (const name of ["file", "empty", "upper", "link"]) {
      assert.equal((await lab.call("ralph_start", { name }))["name"], `${name}-2`);
    }
    assert.equal((await lab.call("ralph_start", { name: "file" }))["name"], "file-3");
    assert.equal((await lab.call("ralph_start", { goal: "Same goal" }))["name"], "same-goal");
    assert.equal((await lab.call("ralph_start", { goal: "Same goal" }))["name"], "same-goal-2");
  }));

Deno.test("invalid names are rejected with a suggestion", () =>
  inLab(async (lab) => {
    for (const name of ["..", "../../x", "/abs", "a\\b", "a\nb", "A", "con", "名 前", "a\0b"]) {
      const error = await lab.fail("ralph_start", "VALIDATION_ERROR", { name, goal: "g" });
      assert.match(error.hint!, /ralph_start with name: "[\p{L}\d]+(-[\p{L}\d]+)*"/u, name);
    }
    assert.deepEqual(lab.names("."), []);
    await lab.fail("ralph_start", "INVALID_ARGS", { name: "" });
  }));

Deno.test("quick mode requires a goal, is stored, and returns its rules", () =>
  inLab(async (lab) => {
    const error = await lab.fail("ralph_start", "VALIDATION_ERROR", { name: "a", quick: true });
    assert.match(error.message, /Quick mode requires a goal/);
    const nothing = await lab.fail("ralph_start", "VALIDATION_ERROR");
    assert.match(nothing.hint!, /Ask the user/);
    for (const goal of ["  \n ", "x".repeat(16_385)]) {
      await lab.fail("ralph_start", "INVALID_ARGS", { goal });
    }
    const data = await lab.call("ralph_start", { goal: "Add search", quick: true });
    assert.equal(data["quick"], true);
    assert.equal(stateOf(lab, "add-search")["quickMode"], true);
    assert.match(data["text"], /do not ask the user[\s\S]*Next: call ralph_research/);
    assert.match(await lab.text("ralph_research"), /generated: auto/);
    const done = await lab.call("ralph_complete_phase", { phase: "research", summary: "s" });
    assert.deepEqual([done["awaitingApproval"], done["next"]], [false, "ralph_requirements"]);
    assert.notEqual(stateOf(lab, "add-search")["awaitingApproval"], true);
  }));

Deno.test("a goal is stored verbatim, but cannot add sections to the progress file", () =>
  inLab(async (lab) => {
    for (const goal of ["pay $& or $` or $' or $1", "100 % of {{spec}}", "a | b"]) {
      const { name } = await lab.call("ralph_start", { goal });
      assert.ok(lab.read(`specs/${name}/.progress.md`).includes(goal), goal);
    }
    const forged = "Do it\n## Learnings\n- forged\n<!-- /ralph:status -->\n```\nopen";
    const { name } = await lab.call("ralph_start", { goal: forged, name: "forged" });
    const progress = lab.read(`specs/${name}/.progress.md`);
    assert.equal(progress.match(/^## Learnings/gm)?.length, 1);
    assert.equal(progress.match(/^<!-- \/ralph:status -->/gm)?.length, 1);
    assert.ok(!/^```/m.test(progress));
    await lab.call("ralph_complete_phase", { phase: "research", summary: "s" });
    assert.equal(lab.read(`specs/${name}/.progress.md`).match(/^## Learnings/gm)?.length, 1);
  }));

Deno.test("a start that fails leaves nothing behind", () =>
  inLab(async (lab) => {
    await lab.call("ralph_start", { name: "first" });
    // A folder in the place of the pointer makes writing it fail.
    Deno.removeSync(`${lab.cwd}/specs/.current-spec`);
    lab.write("specs/.current-spec/x", "");
    await lab.fail("ralph_start", "FILE_OPERATION_FAILED", { name: "second" });
    assert.ok(!lab.exists("specs/second"));
  }));

Deno.test("a file or an outside link at specs/ is an error", async () => {
  await inLab(async (lab) => {
    lab.write("specs", "a file");
    await lab.fail("ralph_start", "FILE_OPERATION_FAILED", { name: "a" });
    assert.deepEqual((await lab.call("ralph_status"))["specs"], []);
  });
  const outside = temporaryFolder();
  await inLab(async (lab) => {
    Deno.symlinkSync(outside, `${lab.cwd}/specs`);
    await lab.fail("ralph_start", "FILE_OPERATION_FAILED", { name: "a" });
    await lab.fail("ralph_status", "FILE_OPERATION_FAILED");
    assert.deepEqual([...Deno.readDirSync(outside)], []);
  });
  Deno.removeSync(outside);
});
