import assert from "node:assert/strict";
import { look } from "../../../plugins/ralph/view.ts";
import { resolveSpec } from "../../../plugins/ralph/specs.ts";
import { inLab } from "./support.ts";

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
