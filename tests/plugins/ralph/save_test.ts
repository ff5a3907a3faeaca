import assert from "node:assert/strict";
import { findFolder } from "../../../plugins/ralph/folders.ts";
import { save } from "../../../plugins/ralph/save.ts";
import { changeSpec, readSpec } from "../../../plugins/ralph/spec.ts";
import { contextOf, inLab, putSpec } from "./support.ts";
import { readTree } from "../../support/project.ts";

const CHANGES = { tasks: "- [x] 1.1 A\n", state: { phase: "execution" } };

Deno.test("save() keeps what an editor saved since the files were read", () =>
  inLab((lab) => {
    for (const file of ["tasks.md", ".progress.md", ".ralph-state.json"]) {
      putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n");
      lab.write("specs/auth/.progress.md", "# P\n");
      const spec = readSpec(findFolder(lab.cwd, "auth"), true);
      lab.write(`specs/auth/${file}`, `${lab.read(`specs/auth/${file}`)}\n`);
      const before = readTree(lab.cwd);
      const message = new RegExp(`specs/auth/${file.replaceAll(".", "\\.")}`);
      assert.throws(() => save(spec, CHANGES), { code: "CONFLICT", message });
      assert.deepEqual(readTree(lab.cwd), before, file);
    }
  }));

Deno.test("a call that an edit has overtaken writes nothing, and succeeds when repeated", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n- [ ] 1.2 B\n");
    let tries = 0;
    const change = () =>
      changeSpec(contextOf(lab), "auth", (spec) => {
        if (++tries === 1) lab.write("specs/auth/tasks.md", "- [ ] 1.1 A\n- [x] 1.2 B\n");
        const { text } = spec.files["tasks.md"];
        return save(spec, { tasks: text!.replace("[ ] 1.1", "[x] 1.1") });
      });
    await assert.rejects(change(), { code: "CONFLICT", hint: /Repeat the call/ });
    assert.equal(lab.read("specs/auth/tasks.md"), "- [ ] 1.1 A\n- [x] 1.2 B\n");
    await change();
    assert.equal(lab.read("specs/auth/tasks.md"), "- [x] 1.1 A\n- [x] 1.2 B\n");
  }));
