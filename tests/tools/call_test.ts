import assert from "node:assert/strict";
import { openProject } from "../../src/project/project.ts";
import {
  callTool,
  readResource,
  toRefraktError,
  unknownPrompt,
  unknownTool,
} from "../../src/tools/call.ts";
import { buildToolset } from "../../src/tools/registry.ts";
import { defineTool, type Tool } from "../../src/tools/tool.ts";
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

Deno.test("invalid input never reaches the tool, and the hint says to call it again", async () => {
  let runs = 0;
  const counting = tool(() => ++runs);
  const error = await errorOf(callTool(counting, { x: "1" }, callContext(PROJECT)));
  assert.deepEqual([error.code, runs], ["INVALID_ARGS", 0]);
  assert.match(error.hint ?? "", /^Call a\.b again\./);
  assert.equal(await callTool(counting, { x: 1 }, callContext(PROJECT)), 1);
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

Deno.test("an error about an unknown name suggests a similar one, or where to look", async () => {
  const toolset = buildToolset(PROJECT, [{
    tools: [tool(() => 1, "plan.list")],
    shellOnly: ["plan.serve"],
  }]);
  assert.match(unknownTool(toolset, "plan.lsit").hint ?? "", /plan\.list/);
  assert.match(
    unknownTool(toolset, "plan_serve").hint ?? "",
    /npx --package=@refrakt-md\/cli refrakt plan serve/,
  );
  const long = unknownTool(toolset, `${"x".repeat(10_000)}\n`);
  assert.ok(long.message.length < 200 && !long.message.includes("\n"));
  assert.match(unknownPrompt(toolset, "none").hint ?? "", /There are no prompts/);
  assert.equal(
    (await errorOf(readResource(toolset, "refrakt://none", callContext(PROJECT)))).code,
    "NOT_FOUND",
  );
});

Deno.test("a missing file differs from other failures", () => {
  const context = callContext(PROJECT);
  const missing = toRefraktError(
    new Deno.errors.NotFound("No such file"),
    context,
    "RESOURCE_FAILED",
  );
  assert.deepEqual([missing.code, /missing/.test(missing.hint ?? "")], ["RESOURCE_FAILED", true]);
  assert.ok(
    toRefraktError(new Error("x".repeat(1e6)), context, "TOOL_FAILED").message.length <= 4000,
  );
});
