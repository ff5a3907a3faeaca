/** Calls of tools with a context that records progress. */

import assert from "node:assert/strict";
import { RefraktError } from "../../src/errors.ts";
import { BUNDLED } from "../../src/bundled.ts";
import { openProject } from "../../src/host/open_project.ts";
import { createMemo, type Memo } from "../../src/io/memo.ts";
import type { Project } from "../../src/plugin/project.ts";
import type { CallContext, ProgressUpdate } from "../../src/plugin/context.ts";
import type { Tool } from "../../src/plugin/tool.ts";
import { checkAnswers } from "./answers.ts";

export function callContext(
  project: Project,
  signal: AbortSignal = new AbortController().signal,
): CallContext & { updates: ProgressUpdate[] } {
  const updates: ProgressUpdate[] = [];
  return {
    // A call looks at every file again.
    get project() {
      project.memo.begin();
      return project;
    },
    agent: "test-1",
    signal,
    updates,
    tables: () => Promise.reject(new Error("No tables here")),
    progress: (update) => updates.push(update),
    log: () => {},
  };
}

/** Runs the code of test projects in this process. */
const TRUSTING = { code: { trust: true } };

/** By folder, as a server has one. */
const memos = new Map<string, Memo>();

/** Validates the input and runs the tool on the project, as a server does. */
export async function callTool(
  dir: string,
  tool: Tool,
  input: Record<string, unknown> = {},
  // deno-lint-ignore no-explicit-any -- tests look into it freely
): Promise<any> {
  const memo = memos.getOrInsertComputed(dir, () => createMemo());
  memo.begin();
  const context = callContext(openProject(dir, TRUSTING, BUNDLED, memo));
  const result = plain(await tool.run(await tool.input.parse(input), context));
  const answer = { structuredContent: "data" in result ? result["data"] : result };
  checkAnswers([{ name: tool.name, outputSchema: tool.output?.json }], [{
    name: tool.name,
    answer,
  }]);
  return result;
}

export function plain(value: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
}

export async function errorOf(call: Promise<unknown>): Promise<RefraktError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof RefraktError) return error;
    throw error;
  }
  throw new Error("Expected an error, got a result");
}

/** Asserts that each input is an error with a code. */
export async function assertCodes<Input>(
  call: (input: Input) => Promise<unknown>,
  cases: readonly (readonly [Input, string])[],
): Promise<void> {
  for (const [input, code] of cases) {
    assert.equal((await errorOf(call(input))).code, code, JSON.stringify(input));
  }
}
