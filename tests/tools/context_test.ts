import assert from "node:assert/strict";
import { InputNeeded } from "../../src/tools/context.ts";
import { callTool } from "../../src/tools/call.ts";
import { openProject } from "../../src/project/project.ts";
import { defineTool } from "../../src/tools/tool.ts";
import { callContext } from "../support/calls.ts";
import { makeProject } from "../support/project.ts";

Deno.test("a run that needs an answer first passes through the call with its reply, as no failure", async () => {
  const reply = { inputRequests: {} };
  const tool = defineTool({
    name: "a.ask",
    title: "Ask",
    description: "Asks.",
    input: { type: "object" },
    run: () => {
      throw new InputNeeded(reply);
    },
  });
  await assert.rejects(
    callTool(tool, {}, callContext(openProject(makeProject()))),
    (error) => error instanceof InputNeeded && error.reply === reply,
  );
});
