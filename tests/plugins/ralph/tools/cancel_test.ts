import assert from "node:assert/strict";
import { inLab, putSpec } from "../support.ts";
import { readTree } from "../../../support/project.ts";

Deno.test("cancelling removes the state and the pointer, and keeps the documents", () =>
  inLab(async (lab) => {
    await lab.call("ralph_start", { name: "other" });
    putSpec(lab, "auth", { phase: "execution" }, "- [x] 1.1 A\n- [ ] 1.2 B\n");
    const data = await lab.call("ralph_cancel");
    assert.deepEqual(
      [data["cancelled"], data["deleted"], data["current"], data["next"]],
      [true, false, null, "ralph_switch"],
    );
    assert.match(data["text"], /Phase: execution, 1\/2 tasks done/);
    assert.match(data["text"], /ralph_start \{ name: "auth", resume: true \}/);
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

Deno.test("deleting says what would be deleted, and how to confirm it, until it is confirmed", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [x] 1.1 A\n- [ ] 1.2 B\n");
    const before = readTree(lab.cwd);
    const asked = await lab.call("ralph_cancel", { delete_files: true });
    assert.deepEqual(
      [asked["cancelled"], asked["deleted"], asked["next"]],
      [false, false, "user"],
    );
    assert.match(asked["text"], /Delete specs\/auth with all .*1\/2 tasks done/);
    assert.match(
      asked["todo"],
      /ralph_cancel \{ spec_name: "auth", delete_files: true, confirm: true \}/,
    );
    const refused = await lab.call("ralph_cancel", { delete_files: true, confirm: false });
    assert.equal(refused["deleted"], false);
    await lab.fail("ralph_cancel", "INVALID_ARGS", { delete_files: true, confirm: "yes" });
    assert.deepEqual(readTree(lab.cwd), before);
    const args = { spec_name: "auth", delete_files: true, confirm: true };
    assert.equal((await lab.call("ralph_cancel", args))["deleted"], true);
    assert.ok(!lab.exists("specs/auth"));
  }));

Deno.test("a folder that does not look like a spec is not deleted", () =>
  inLab(async (lab) => {
    lab.write("specs/images/logo.svg", "<svg/>");
    for (const confirm of [undefined, true]) {
      const args = { spec_name: "images", delete_files: true, confirm };
      const error = await lab.fail("ralph_cancel", "VALIDATION_ERROR", args);
      assert.match(error.message, /does not look like a spec/);
    }
    assert.ok(lab.exists("specs/images/logo.svg"));
  }));
