/** `call`: calls one tool. */

import { messageOf, RefraktError } from "../../errors.ts";
import { isObject } from "../../io/json.ts";
import { callTool, contextFor, findTool, unknownTool } from "../../host/call.ts";
import { shapeResult } from "../../host/shape.ts";
import { resultText } from "../result_text.ts";
import { errorText } from "../start.ts";
import { print, printJson, printNote } from "../terminal.ts";
import { type Command, terminalCaller, whileLoading } from "./command.ts";

export const call: Command = {
  name: "call",
  usage: "call <tool> [json | -]",
  help:
    "Call a tool with JSON arguments, such as '{\"count\":3}' (- reads them from stdin); prints " +
    "JSON, or tables on a terminal",
  needs: [1, "the name of a tool, which list tools prints"],
  mostArgs: 2,
  run: async ({ open, args: [name = "", json], flags }) => {
    const workspace = await open();
    const input = await readInput(json);
    const { inventory, tool } = await whileLoading(findTool(workspace, name));
    if (tool === undefined) {
      const unknown = unknownTool(inventory, name);
      printNote(`${errorText(unknown)}\n`);
      // A misspelt name is a mistake of the command line; a package that failed to load is not.
      return unknown.code === "NOT_FOUND" ? 2 : 1;
    }
    const context = contextFor(workspace, inventory.project, terminalCaller());
    const value = await whileLoading(callTool(tool, input, context), `${tool.name} is running`);
    const { structuredContent, content } = shapeResult(value);
    // Text results become JSON too, so that scripts can parse the output of every tool.
    const [first, ...others] = content;
    const result = structuredContent ??
      (first?.type === "text" && others.length === 0 ? { text: first.text } : { content });
    if (Deno.stdout.isTerminal() && flags.values["json"] !== true) print(resultText(result));
    else printJson(result);
    return isFailedCheck(result) ? 1 : 0;
  },
};

/** A successful call whose check has findings still fails a CI job. */
function isFailedCheck(result: Record<string, unknown>): boolean {
  const { exitCode, upToDate, valid, projectValid = valid, ok } = result;
  // Published packages are not the project's to fix.
  return typeof exitCode === "number" && exitCode !== 0 ||
    [upToDate, projectValid, ok].some((answer) => answer === false);
}

async function readInput(json: string | undefined): Promise<unknown> {
  if (json === undefined) return {};
  const text = json === "-" ? await new Response(Deno.stdin.readable).text() : json;
  if (text.trim() === "") return {};
  let problem = "The arguments must be a JSON object";
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    problem = `The arguments are not JSON: ${messageOf(error)}`;
  }
  throw new RefraktError("INVALID_ARGS", problem, {
    hint: `Write them as one JSON object, such as '{"id":"WORK-001"}'.`,
  });
}
