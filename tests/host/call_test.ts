import assert from "node:assert/strict";
import { callTool } from "../../src/host/call.ts";
import { openProject } from "../../src/host/open_project.ts";
import { defineTool, type Tool } from "../../src/plugin/tool.ts";
import { callContext, errorOf } from "../support/calls.ts";
import { makeProject } from "../support/project.ts";

const PROJECT = openProject(makeProject());

const failureOf = (run: Tool["run"], signal?: AbortSignal) => {
  const named = { name: "a.b", title: "T", description: "D" };
  const tool = defineTool({ ...named, input: { type: "object" }, run });
  return errorOf(callTool(tool, {}, callContext(PROJECT, signal)));
};

Deno.test("system errors do not reveal the path of the project", async () => {
  const error = new Error(`Too many levels: open '${PROJECT.cwd}/plan/a.md'`);
  const { message } = await failureOf(() => Promise.reject(error));
  assert.equal(message, "Too many levels: open 'plan/a.md'");
});

Deno.test("a call cancelled before its start does not run, and a hanging one ends", async () => {
  let runs = 0;
  assert.equal((await failureOf(() => ++runs, AbortSignal.abort())).code, "TIMEOUT");
  assert.equal(runs, 0);
  const controller = new AbortController();
  const hanging = failureOf(() => new Promise(() => {}), controller.signal);
  controller.abort();
  assert.equal((await hanging).code, "TIMEOUT");
});
