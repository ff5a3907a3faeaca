/** Helpers for tests of the Ralph tools: a temporary project, and calls as the server makes them. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { ralphTools } from "../../../plugins/ralph/entries.ts";
import type { RefraktError } from "../../../src/errors.ts";
import { openProject } from "../../../src/host/open_project.ts";
import type { CallContext } from "../../../src/plugin/context.ts";
import { isTextResult } from "../../../src/plugin/result.ts";
import { propertiesOf } from "../../../src/plugin/schema.ts";
import type { Tool } from "../../../src/plugin/tool.ts";
import { checkAnswers, checkText } from "../../support/answers.ts";
import { callContext, errorOf } from "../../support/calls.ts";
import { exists, writeFiles } from "../../support/project.ts";
import { temporaryFolder } from "../../support/temporary.ts";

// deno-lint-ignore no-explicit-any -- tests look into results of every shape
export type Data = Record<string, any>;

export interface Lab {
  readonly cwd: string;
  call(tool: string, args?: Record<string, unknown>): Promise<Data>;
  text(tool: string, args?: Record<string, unknown>): Promise<string>;
  /** Calls a tool that must fail with this code. */
  fail(tool: string, code: string, args?: Record<string, unknown>): Promise<RefraktError>;
  write(path: string, text: string): void;
  read(path: string): string;
  exists(path: string): boolean;
  names(path: string): string[];
}

/** Runs a test in a fresh project; `git` makes it look like a work tree. */
export async function inLab(
  run: (lab: Lab) => Promise<void> | void,
  options: { git?: boolean } = {},
): Promise<void> {
  const cwd = temporaryFolder();
  if (options.git) Deno.mkdirSync(join(cwd, ".git"));
  await run(labAt(cwd));
}

function labAt(cwd: string): Lab {
  const result = async (tool: string, args: Record<string, unknown>) => {
    const found = ralphTools.find(({ name }) => name === tool);
    assert.ok(found, `no tool ${tool}`);
    const value = await found.run(await found.input.parse(args), callContext(openProject(cwd)));
    assert.ok(isTextResult(value), `${tool} returns text and data`);
    checkOutput(found, value.data);
    checkText(tool, value.text, value.data);
    assert.deepEqual(JSON.parse(JSON.stringify(value.data)), value.data, "data is plain JSON");
    return { text: value.text, data: value.data as Data };
  };
  return {
    cwd,
    call: async (tool, args = {}) => {
      const { data, text } = await result(tool, args);
      return { ...data, text };
    },
    text: async (tool, args = {}) => (await result(tool, args)).text,
    fail: async (tool, code, args = {}) => {
      const error = await errorOf(result(tool, args));
      assert.equal(error.code, code, `${error.code}: ${error.message}`);
      assert.ok(error.message.length + (error.hint?.length ?? 0) < 4_000, "the error is short");
      if (code !== "INVALID_ARGS") {
        assert.match(`${error.message} ${error.hint}`, /ralph_\w+/, "it names the next tool");
      }
      return error;
    },
    write: (path, text) => writeFiles(cwd, { [path]: text }),
    read: (path) => Deno.readTextFileSync(join(cwd, path)),
    exists: (path) => exists(join(cwd, path)),
    names: (path) => [...Deno.readDirSync(join(cwd, path))].map((entry) => entry.name).sort(),
  };
}

/** Asserts that an answer has exactly the fields of its output schema. */
function checkOutput({ name, output }: Tool, data: Data): void {
  // Answers about all specs have no spec_name; the host adds the other two.
  const fields = Object.keys(propertiesOf(output!.json!))
    .filter((field) =>
      !["more", "undo"].includes(field) && (field !== "spec_name" || "spec_name" in data)
    );
  assert.deepEqual(Object.keys(data).sort(), fields.sort(), name);
  checkAnswers([{ name, outputSchema: output }], [{ name, answer: { structuredContent: data } }]);
}

export function stateOf(lab: Lab, name: string): Data {
  return JSON.parse(lab.read(`specs/${name}/.ralph-state.json`));
}

/** Writes the state of a spec and, if given, its `tasks.md`; makes it the current spec. */
export function putSpec(
  lab: Lab,
  name: string,
  state: Record<string, unknown>,
  tasks?: string,
): void {
  lab.write(
    `specs/${name}/.ralph-state.json`,
    JSON.stringify({ source: "spec", name, basePath: `./specs/${name}`, ...state }, null, 2),
  );
  if (tasks !== undefined) lab.write(`specs/${name}/tasks.md`, tasks);
  lab.write("specs/.current-spec", name);
}

/** The context of resources and prompts in a project. */
export function contextOf(lab: Lab): CallContext {
  return callContext(openProject(lab.cwd));
}

/** Ticks a task by hand. */
export function tick(lab: Lab, id: string, name = "auth"): void {
  const path = `specs/${name}/tasks.md`;
  const text = lab.read(path);
  const after = text.replace(
    new RegExp(`^([-*] )\\[ \\] ${id.replaceAll(".", "\\.")}(?![\\d.])`, "m"),
    (_all, mark) => `${mark}[x] ${id}`,
  );
  assert.notEqual(after, text, `${id} was open`);
  lab.write(path, after);
}
