import assert from "node:assert/strict";
import { openProject } from "../../src/host/open_project.ts";
import { callTool } from "../../src/host/call.ts";
import { defineTool, type Tool } from "../../src/plugin/tool.ts";
import { callContext, errorOf } from "../support/calls.ts";
import { makeProject } from "../support/project.ts";

const PROJECT = openProject(makeProject());

function tool(run: Tool["run"], name = "a.b"): Tool {
  const input = {
    type: "object",
    properties: { x: { type: "number" } },
    additionalProperties: false,
  };
  return defineTool({ name, title: "T", description: "D", input, run });
}

Deno.test("system errors do not reveal the path of the project", async () => {
  const { cwd } = PROJECT;
  const failing = tool(() => Promise.reject(new Error(`Too many levels: open '${cwd}/plan/a.md'`)));
  const { message } = await errorOf(callTool(failing, {}, callContext(PROJECT)));
  assert.equal(message, "Too many levels: open 'plan/a.md'");
});

Deno.test("a call cancelled before its start does not run, and a hanging one ends", async () => {
  let runs = 0;
  const gone = AbortSignal.abort();
  assert.equal(
    (await errorOf(callTool(tool(() => ++runs), {}, callContext(PROJECT, gone)))).code,
    "TIMEOUT",
  );
  assert.equal(runs, 0);
  const controller = new AbortController();
  const hanging = callTool(
    tool(() => new Promise(() => {})),
    {},
    callContext(PROJECT, controller.signal),
  );
  controller.abort();
  assert.equal((await errorOf(hanging)).code, "TIMEOUT");
});
