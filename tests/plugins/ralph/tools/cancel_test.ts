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

Deno.test("deleting requires confirm if the client has no elicitation", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [x] 1.1 A\n");
    const before = readTree(lab.cwd);
    const asked = await lab.call("ralph_cancel", { delete_files: true });
    assert.deepEqual(
      [asked["cancelled"], asked["deleted"], asked["next"]],
      [false, false, "user"],
    );
    assert.match(
      asked["todo"],
      /ralph_cancel \{ spec_name: "auth", delete_files: true, confirm: "auth" \}/,
    );
    for (const confirm of ["yes", "", "Auth"]) {
      const again = await lab.call("ralph_cancel", { delete_files: true, confirm });
      assert.equal(again["deleted"], false);
    }
    assert.deepEqual(readTree(lab.cwd), before);
    const done = await lab.call("ralph_cancel", { delete_files: true, confirm: "auth" });
    assert.equal(done["deleted"], true);
    assert.ok(!lab.exists("specs/auth"));
  }));

Deno.test("deleting always asks the user if the client has elicitation", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [x] 1.1 A\n- [ ] 1.2 B\n");
    const before = readTree(lab.cwd);
    const questions: string[] = [];
    const person = (answer: boolean) => (question: string) => {
      questions.push(question);
      return Promise.resolve(answer);
    };
    const args = { delete_files: true, confirm: "auth" };
    const declined = await lab.call("ralph_cancel", args, person(false));
    assert.deepEqual([declined["cancelled"], declined["deleted"]], [false, false]);
    assert.deepEqual(readTree(lab.cwd), before);
    const agreed = await lab.call("ralph_cancel", { delete_files: true }, person(true));
    assert.equal(agreed["deleted"], true);
    assert.equal(questions.length, 2);
    assert.match(questions[0]!, /specs\/auth.*1 of 2 tasks done/);
  }));

Deno.test("a folder that does not look like a spec is not deleted", () =>
  inLab(async (lab) => {
    lab.write("specs/images/logo.svg", "<svg/>");
    const error = await lab.fail("ralph_cancel", "VALIDATION_ERROR", {
      spec_name: "images",
      delete_files: true,
    });
    assert.match(error.message, /does not look like a spec/);
    assert.ok(lab.exists("specs/images/logo.svg"));
  }));
