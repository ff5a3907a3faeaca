import assert from "node:assert/strict";
import { save } from "../../../plugins/ralph/save.ts";
import { look } from "../../../plugins/ralph/view.ts";
import { resolveSpec } from "../../../plugins/ralph/specs.ts";
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
