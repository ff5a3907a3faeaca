/**
 * `call`: one tool, once.
 *
 * @module
 */

import { messageOf, RefraktError } from "../../errors.ts";
import { writeStderr, writeStdout } from "../../sandbox/pipes.ts";
import { callTool, toRefraktError, unknownTool } from "../../surface/call.ts";
import { findTool } from "../../surface/lookup.ts";
import { shapeResult } from "../../surface/shape.ts";
import { describeError } from "../exit.ts";
import { terminalContext } from "./context.ts";
import type { Command } from "./types.ts";

/** The command. */
export const call: Command = {
  name: "call",
  usage: "call <tool> [json | -]",
  help: "Call a tool with JSON arguments (- reads them from stdin); prints the result as JSON",
  mostArgs: 2,
  run: async ({ workspace, args }) => {
    const [name, json] = args;
    if (name === undefined) {
      throw new RefraktError("INVALID_ARGS", "call needs the name of a tool", {
        hint: "List them with: list tools",
      });
    }
    const input = await readInput(json);
    const { surface, tool } = await findTool(workspace, name);
    const context = { ...terminalContext(workspace), project: surface.project };
    try {
      if (tool === undefined) throw unknownTool(surface, name);
      const shaped = shapeResult(await callTool(tool, input, context), Infinity);
      // Plain text becomes JSON too: what reads stdout need not know which tool gives what.
      const result = shaped.structured ?? { text: shaped.text };
      writeStdout(`${JSON.stringify(result, null, 2)}\n`);
      return isFailedCheck(result) ? 1 : 0;
    } catch (error) {
      writeStderr(`${describeError(toRefraktError(error, context, "TOOL_FAILED"))}\n`);
      return 1;
    }
  },
};

/** A check that found something ends a CI job, though the call itself went well. */
function isFailedCheck({ exitCode, upToDate, valid, ok }: Record<string, unknown>): boolean {
  return typeof exitCode === "number" && exitCode !== 0 ||
    [upToDate, valid, ok].some((answer) => answer === false);
}

async function readInput(json: string | undefined): Promise<unknown> {
  if (json === undefined) return {};
  const text = json === "-" ? await new Response(Deno.stdin.readable).text() : json;
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new RefraktError("INVALID_ARGS", `The arguments are not JSON: ${messageOf(error)}`, {
      hint: `Write them as one JSON object, such as '{"id":"WORK-001"}'.`,
    });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new RefraktError("INVALID_ARGS", "The arguments must be a JSON object", {
    hint: `Write them as one JSON object, such as '{"id":"WORK-001"}'.`,
  });
}
