import assert from "node:assert/strict";
import { ralphPlugin } from "../../../../plugins/ralph/plugin.ts";
import { inLab, putSpec } from "../support.ts";

Deno.test("ralph_help lists the tools and the current phase", () =>
  inLab(async (lab) => {
    const { text, next } = await lab.call("ralph_help");
    for (const { toolName, description } of ralphPlugin.commands) {
      assert.ok(text.includes(`| ${toolName} | `) && text.includes(description), toolName);
    }
    assert.match(text, /\| ralph_start \| goal\?, name\?, quick\?/);
    assert.equal(next, "ralph_start");
    putSpec(lab, "auth", { phase: "design" });
    assert.match(await lab.text("ralph_help"), /You are here: auth, phase design/);
    await lab.fail("ralph_help", "INVALID_ARGS", { topic: "x" });
  }));
