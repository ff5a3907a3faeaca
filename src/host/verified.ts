/** Checks the results of tools that are not of this package: those of plugins and of embedding programs. */

import { RefraktError } from "../errors.ts";
import { blockProblem } from "../plugin/content.ts";
import { blocksIn, isTextResult } from "../plugin/result.ts";
import { breachOf } from "../plugin/schema.ts";
import { shapeResult } from "./shape.ts";
import type { Tool } from "../plugin/tool.ts";

/** How deep a result may be nested. */
const MOST_LEVELS = 100;

/**
 * Makes a tool fail if it returns what is not JSON, a malformed content block, or what its output
 * schema does not allow.
 *
 * @param owner Such as `Plugin @acme/commands`; `undefined` for the embedding program.
 */
export function verified(tool: Tool, owner?: string): Tool {
  const [start, culprit] = owner === undefined ? ["The", "tool"] : [`${owner}: the`, "plugin"];
  const fail = (problem: string) =>
    new RefraktError("TOOL_FAILED", `${start} result of ${tool.name} ${problem}`, {
      hint: `This is a defect of the ${culprit}: it ran, and may have written files.`,
    });
  return {
    ...tool,
    verify: async (value) => {
      const problem = jsonProblem(isTextResult(value) ? value.data : value, [], []) ??
        blockProblemIn(value);
      if (problem !== undefined) throw fail(`is malformed: ${problem}`);
      if (tool.output === undefined) return;
      const breach = await breachOf(tool.output.json, shapeResult(value).structuredContent);
      if (breach !== undefined) throw fail(`breaks its output schema: ${breach}`);
    },
  };
}

/** The first field that JSON cannot express, or would lose in full. */
function jsonProblem(
  value: unknown,
  path: readonly string[],
  parents: readonly unknown[],
): string | undefined {
  const expected = (actual: string) =>
    `"${path.join(".") || "result"}": must be JSON, got ${actual}`;
  const isLost = path.length === 0 && ["function", "symbol"].includes(typeof value);
  if (isLost || typeof value === "bigint") return expected(`a ${typeof value}`);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return undefined;
  if (value instanceof Map || value instanceof Set) return expected(`a ${value.constructor.name}`);
  if (parents.includes(value)) return expected("an object that contains itself");
  if (parents.length > MOST_LEVELS) return expected(`more than ${MOST_LEVELS} levels`);
  if (typeof Reflect.get(value, "toJSON") === "function") return undefined;
  for (const [key, part] of Object.entries(value)) {
    const problem = jsonProblem(part, [...path, key], [...parents, value]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The first malformed block of a value in the form of an MCP result. */
function blockProblemIn(value: unknown): string | undefined {
  for (const [index, block] of (blocksIn(value) ?? []).entries()) {
    const problem = blockProblem(block);
    if (problem !== undefined) return `"content.${index}": ${problem}`;
  }
  return undefined;
}
