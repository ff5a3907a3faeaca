import assert from "node:assert/strict";
import { look, save } from "../../../plugins/ralph/view.ts";
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

Deno.test("a document counts as written when it is more than blanks and template", () =>
  inLab(async (lab) => {
    await lab.call("ralph_start", { name: "auth", goal: "g" });
    const spec = resolveSpec(lab.cwd, "auth");
    const template = /~~~~markdown\n([\s\S]*?)\n~~~~/.exec(await lab.text("ralph_research"))![1]!;
    for (
      const [text, written] of [[" \n", false], [template, false], ["x", true], [
        "y".repeat(9_000),
        true,
      ]] as const
    ) {
      lab.write("specs/auth/research.md", text);
      assert.equal(look(spec, true).written.has("research"), written);
    }
  }));
