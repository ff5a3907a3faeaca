import assert from "node:assert/strict";
import { ralphPlugin } from "../../../plugins/ralph/plugin.ts";
import { RefraktError } from "../../../src/errors.ts";
import { contextOf, inLab, putSpec } from "./support.ts";
import { readTree } from "../../support/project.ts";

Deno.test("there is one prompt per phase, and rendering it changes nothing", () =>
  inLab(async (lab) => {
    const context = contextOf(lab);
    const prompts = ralphPlugin.prompts!;
    assert.deepEqual(
      prompts.map((prompt) => prompt.name),
      "ralph_research ralph_requirements ralph_design ralph_tasks ralph_implement".split(" "),
    );
    putSpec(lab, "auth", { phase: "execution", awaitingApproval: true }, "- [ ] 1.1 A\n");
    const before = readTree(lab.cwd);
    for (const prompt of prompts) {
      const text = String(await prompt.render({}, context));
      assert.ok(text.includes(`${prompt.name}`) && text.includes('"auth"'), prompt.name);
    }
    assert.deepEqual(readTree(lab.cwd), before);
    putSpec(lab, "auth", { phase: "research" });
    await assert.rejects(
      async () => await prompts[2]!.render({ spec_name: "auth" }, context),
      (error) => error instanceof RefraktError && error.code === "PHASE_MISMATCH",
    );
    await assert.rejects(
      async () => await prompts[0]!.render({ spec_name: ".." }, context),
      (error) => error instanceof RefraktError && error.code === "SPEC_NOT_FOUND",
    );
  }));
