import assert from "node:assert/strict";
import { save } from "../../../plugins/ralph/save.ts";
import { resolveSpec } from "../../../plugins/ralph/specs.ts";
import { changeSpec, look } from "../../../plugins/ralph/view.ts";
import { contextOf, inLab, putSpec } from "./support.ts";
import { readTree } from "../../support/project.ts";

const CHANGES = { tasks: "- [x] 1.1 A\n", state: { phase: "execution" } };

Deno.test("save() keeps what an editor saved since the files were read", () =>
  inLab((lab) => {
    for (const file of ["tasks.md", ".progress.md", ".ralph-state.json"]) {
      putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n");
      lab.write("specs/auth/.progress.md", "# P\n");
      const view = look(resolveSpec(lab.cwd, "auth"), true);
      lab.write(`specs/auth/${file}`, `${lab.read(`specs/auth/${file}`)}\n`);
      const before = readTree(lab.cwd);
      const message = new RegExp(`specs/auth/${file.replaceAll(".", "\\.")}`);
      assert.throws(() => save(view, CHANGES), { code: "CONFLICT", message });
      assert.deepEqual(readTree(lab.cwd), before, file);
    }
  }));

Deno.test("changeSpec() starts again after an edit, and keeps both changes", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n- [ ] 1.2 B\n");
    let tries = 0;
    await changeSpec(contextOf(lab), "auth", (view) => {
      if (++tries === 1) lab.write("specs/auth/tasks.md", "- [ ] 1.1 A\n- [x] 1.2 B\n");
      const { text } = view.documents.tasks;
      return save(view, { tasks: text!.replace("[ ] 1.1", "[x] 1.1") });
    });
    assert.equal(tries, 2);
    assert.equal(lab.read("specs/auth/tasks.md"), "- [x] 1.1 A\n- [x] 1.2 B\n");
    const always = changeSpec(contextOf(lab), "auth", (view) => {
      lab.write("specs/auth/tasks.md", `- [ ] 1.1 Another ${++tries}\n`);
      return save(view, CHANGES);
    });
    await assert.rejects(always, { code: "CONFLICT", hint: /ralph_status/ });
    assert.equal(lab.read("specs/auth/tasks.md"), `- [ ] 1.1 Another ${tries}\n`);
  }));
