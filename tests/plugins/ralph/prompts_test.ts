import assert from "node:assert/strict";
import { prompts } from "../../../plugins/ralph/prompts.ts";
import { contextOf, inLab, putSpec } from "./support.ts";
import { readTree } from "../../support/project.ts";

Deno.test("there is one prompt per phase, and rendering it changes nothing", () =>
  inLab(async (lab) => {
    const context = contextOf(lab);
    assert.deepEqual(
      prompts.map((prompt) => prompt.name),
      "ralph_research ralph_requirements ralph_design ralph_tasks ralph_implement".split(" "),
    );
    putSpec(lab, "auth", { phase: "execution", awaitingApproval: true }, "- [ ] 1.1 A\n");
    const before = readTree(lab.cwd);
    for (const { name, render } of prompts) {
      const current = String(await render({}, context));
      assert.ok(current.startsWith(`Call ${name}`) && !current.includes("spec_name"), current);
      const named = String(await render({ spec_name: "auth" }, context));
      assert.ok(named.startsWith(`Call ${name} { spec_name: "auth" }`), named);
    }
    assert.deepEqual(readTree(lab.cwd), before);
  }));
