import assert from "node:assert/strict";
import { save } from "../../../plugins/ralph/save.ts";
import { resolveSpec } from "../../../plugins/ralph/specs.ts";
import { changeSpec, look } from "../../../plugins/ralph/view.ts";
import { inLab, putSpec, snapshot } from "./support.ts";

Deno.test("a change that cannot be written whole is not written at all", () =>
  inLab((lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n");
    lab.write("specs/auth/.progress.md", "# P\n");
    const before = snapshot(lab.cwd);
    const view = look(resolveSpec(lab.cwd, "auth"), true);
    // The state file cannot be replaced, because a folder is in its place.
    Deno.removeSync(`${lab.cwd}/specs/auth/.ralph-state.json`);
    lab.write("specs/auth/.ralph-state.json/x", "");
    assert.throws(() => save(view, { tasks: "- [x] 1.1 A\n", state: { phase: "execution" } }), {
      code: "FILE_OPERATION_FAILED",
    });
    assert.equal(lab.read("specs/auth/tasks.md"), before["specs/auth/tasks.md"]);
    assert.equal(lab.read("specs/auth/.progress.md"), before["specs/auth/.progress.md"]);
    return Promise.resolve();
  }));

const FILES = ["tasks.md", ".progress.md", ".ralph-state.json"];

Deno.test("what an editor saves between the reading and the writing stays, and nothing is half written", () =>
  inLab((lab) => {
    for (const file of FILES) {
      putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n");
      lab.write("specs/auth/.progress.md", "# P\n");
      const view = look(resolveSpec(lab.cwd, "auth"), true);
      // It is read when it is first asked for.
      assert.equal(view.progressFile.text, "# P\n");
      const edited = `${lab.read(`specs/auth/${file}`)}\n`;
      lab.write(`specs/auth/${file}`, edited);
      const before = snapshot(lab.cwd);
      assert.throws(
        () => save(view, { tasks: "- [x] 1.1 A\n", state: { phase: "execution" } }),
        { code: "CONFLICT", message: new RegExp(`specs/auth/${file.replaceAll(".", "\\.")}`) },
      );
      assert.deepEqual(snapshot(lab.cwd), before, file);
    }
    return Promise.resolve();
  }));

Deno.test("a call begins again where an editor was faster, and keeps what both have written", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n- [ ] 1.2 B\n");
    let tries = 0;
    const { signal } = new AbortController();
    await changeSpec(lab.cwd, "auth", signal, () => {}, (view) => {
      if (++tries === 1) lab.write("specs/auth/tasks.md", "- [ ] 1.1 A\n- [x] 1.2 B\n");
      return save(view, { tasks: view.tasksFile.text!.replace("[ ] 1.1", "[x] 1.1") });
    });
    assert.equal(tries, 2);
    assert.equal(lab.read("specs/auth/tasks.md"), "- [x] 1.1 A\n- [x] 1.2 B\n");
    const always = changeSpec(lab.cwd, "auth", signal, () => {}, (view) => {
      lab.write("specs/auth/tasks.md", `- [ ] 1.1 Another ${++tries}\n`);
      return save(view, { tasks: "- [x] 1.1 A\n" });
    });
    await assert.rejects(always, { code: "CONFLICT", hint: /ralph_status/ });
    assert.equal(lab.read("specs/auth/tasks.md"), `- [ ] 1.1 Another ${tries}\n`);
  }));
