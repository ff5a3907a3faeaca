import assert from "node:assert/strict";
import { inLab, putSpec, snapshot, stateOf } from "./support.ts";

Deno.test("cancelling removes the state, clears the pointer and keeps the documents", () =>
  inLab(async (lab) => {
    await lab.call("ralph_start", { name: "other" });
    putSpec(lab, "auth", { phase: "execution" }, "- [x] 1.1 A\n- [ ] 1.2 B\n");
    const data = await lab.call("ralph_cancel");
    assert.deepEqual(
      [
        data["name"],
        data["cancelled"],
        data["deleted"],
        data["phase"],
        data["done"],
        data["total"],
      ],
      ["auth", true, false, "execution", 1, 2],
    );
    assert.deepEqual([data["current"], data["remaining"]], [null, ["other"]]);
    assert.match(data["message"], /ralph_start \{ name: "auth", resume: true \}/);
    assert.ok(!lab.exists("specs/.current-spec"));
    assert.deepEqual(lab.names("specs/auth"), [".progress.md", "tasks.md"]);
    assert.match(
      lab.read("specs/auth/.progress.md"),
      /Cancelled in phase execution, 1\/2 tasks done\./,
    );
    const row = (await lab.call("ralph_status"))["specs"][0];
    assert.deepEqual([row.phase, row.next], ["cancelled", "ralph_start"]);
    assert.match(
      (await lab.call("ralph_cancel", { spec_name: "auth" }))["warnings"].join(),
      /before/,
    );
    assert.equal(lab.read("specs/auth/.progress.md").match(/### Cancelled/g)?.length, 1);
    const resumed = await lab.call("ralph_start", { name: "auth", resume: true });
    assert.equal(resumed["phase"], "execution");
    assert.equal((await lab.call("ralph_status"))["specs"][0].status, "active");
  }));

Deno.test("cancelling another spec leaves the pointer alone", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "design" });
    await lab.call("ralph_start", { name: "other" });
    const data = await lab.call("ralph_cancel", { spec_name: "auth" });
    assert.equal(data["current"], "other");
    assert.equal(lab.read("specs/.current-spec"), "other");
  }));

Deno.test("deleting removes one folder, and the pointer never jumps to one of several", () =>
  inLab(async (lab) => {
    for (const name of ["a", "b", "c"]) await lab.call("ralph_start", { name });
    const first = await lab.call("ralph_cancel", { delete_files: true });
    assert.deepEqual([first["name"], first["deleted"], first["current"]], ["c", true, null]);
    assert.ok(!lab.exists("specs/c") && !lab.exists("specs/.current-spec"));
    assert.equal(first["next"], "ralph_switch");
    await lab.call("ralph_switch", { name: "a" });
    const second = await lab.call("ralph_cancel", { delete_files: true });
    assert.equal(second["current"], "b", "the only one left");
    const third = await lab.call("ralph_cancel", { delete_files: true });
    assert.deepEqual([third["current"], third["remaining"], third["next"]], [
      null,
      [],
      "ralph_start",
    ]);
    assert.ok(!lab.exists("specs/.current-spec"), "no stale pointer");
    await lab.fail("ralph_cancel", "MISSING_PREREQUISITES");
  }));

Deno.test("a spec that is partly done is deleted only when that is confirmed", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [x] 1.1 A\n- [ ] 1.2 B\n");
    const before = snapshot(lab.cwd);
    const error = await lab.fail("ralph_cancel", "VALIDATION_ERROR", { delete_files: true });
    assert.match(error.message, /partly done \(1\/2 tasks\)/);
    assert.match(error.hint!, /confirm: "auth"/);
    await lab.fail("ralph_cancel", "VALIDATION_ERROR", { delete_files: true, confirm: "yes" });
    const asked: string[] = [];
    const declined = await lab.call("ralph_cancel", { delete_files: true }, (question) => {
      asked.push(question);
      return Promise.resolve(false);
    });
    assert.deepEqual([declined["cancelled"], declined["deleted"]], [false, false]);
    assert.match(asked[0]!, /specs\/auth.*1 of 2 tasks done/);
    assert.deepEqual(snapshot(lab.cwd), before);
    const done = await lab.call("ralph_cancel", { delete_files: true, confirm: "auth" });
    assert.equal(done["deleted"], true);
    assert.ok(!lab.exists("specs/auth"));
  }));

Deno.test("a client that can ask is asked before anything is deleted", () =>
  inLab(async (lab) => {
    await lab.call("ralph_start", { name: "auth" });
    const data = await lab.call(
      "ralph_cancel",
      { delete_files: true },
      () => Promise.resolve(true),
    );
    assert.equal(data["deleted"], true);
  }));

Deno.test("a folder that is no spec is not deleted", () =>
  inLab(async (lab) => {
    lab.write("specs/images/logo.svg", "<svg/>");
    const error = await lab.fail("ralph_cancel", "VALIDATION_ERROR", {
      spec_name: "images",
      delete_files: true,
    });
    assert.match(error.message, /does not look like a spec/);
    assert.ok(lab.exists("specs/images/logo.svg"));
  }));

Deno.test("links inside a deleted spec are removed, not what they point to", () =>
  inLab(async (lab) => {
    lab.write("src/keep.ts", "keep");
    await lab.call("ralph_start", { name: "auth" });
    Deno.symlinkSync("../../src", `${lab.cwd}/specs/auth/link`);
    await lab.call("ralph_cancel", { delete_files: true });
    assert.equal(lab.read("src/keep.ts"), "keep");
  }));

Deno.test("a corrupt state is kept by a cancellation", () =>
  inLab(async (lab) => {
    lab.write("specs/auth/.ralph-state.json", "{ broken");
    const data = await lab.call("ralph_cancel", { spec_name: "auth" });
    assert.match(data["warnings"].join(), /\.ralph-state\.json\.bak/);
    assert.equal(lab.read("specs/auth/.ralph-state.json.bak"), "{ broken");
    assert.equal((await lab.call("ralph_status"))["specs"][0].phase, "cancelled");
  }));

Deno.test("switching shows how the spec stands", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [x] 1.1 A\n- [ ] 1.2 B\n");
    await lab.call("ralph_start", { name: "other" });
    const data = await lab.call("ralph_switch", { name: "auth" });
    assert.deepEqual(
      [
        data["previous"],
        data["name"],
        data["switched"],
        data["phase"],
        data["done"],
        data["total"],
      ],
      ["other", "auth", true, "execution", 1, 2],
    );
    assert.deepEqual([data["artifacts"], data["next"]], [["tasks.md"], "ralph_implement"]);
    assert.equal(lab.read("specs/.current-spec"), "auth");
    const same = await lab.call("ralph_switch", { name: "auth" });
    assert.equal(same["switched"], false);
    assert.match(same["message"], /already/);
    lab.write("specs/.current-spec", "gone");
    const stale = await lab.call("ralph_switch", { name: "auth" });
    assert.deepEqual([stale["previous"], stale["warnings"].length], [null, 1]);
    await lab.fail("ralph_switch", "INVALID_ARGS");
    const none = await lab.fail("ralph_switch", "SPEC_NOT_FOUND", { name: "x" });
    assert.match(none.hint!, /auth, other/);
    assert.equal(stateOf(lab, "auth")["revision"], undefined, "switching writes no state");
  }));
