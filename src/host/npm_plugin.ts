/** Makes a plugin of what an npm package exports as `./cli-plugin`. */

import { isErrorCode, messageOf, RefraktError } from "../errors.ts";
import { fieldOf } from "../io/json.ts";
import { isRefusal } from "../io/permissions.ts";
import { printsAnswer } from "../packages/stand_in_call.ts";
import {
  type CliPlugin,
  type CliPluginCommand,
  handlerContext,
  type McpHandlerContext,
} from "../plugin/cli_plugin.ts";
import type { Plugin } from "../plugin/plugin.ts";
import { defineTool, type Tool } from "../plugin/tool.ts";
import { ARGV_SCHEMA, inputToArgv } from "./argv.ts";
import { toolName } from "../plugin/tool_names.ts";
import { verified } from "./verified.ts";

/**
 * The plugin of a package: its commands are tools.
 *
 * @param worker The plugin of ours that works with the package: its tools stay, and its commands that
 * run until stopped are known.
 */
export function npmPlugin(
  { namespace, commands }: CliPlugin,
  packageName: string,
  worker?: Plugin,
): Plugin {
  const isInShell = ({ name, longRunning }: CliPluginCommand) =>
    longRunning === true || worker?.package?.inShell.includes(name) === true;
  const { inShell = [], callable = [] } = Object.groupBy(
    commands,
    (command) => isInShell(command) ? "inShell" : "callable",
  );
  // Those beside tools of ours arrive after the first list, which clients keep.
  const listed: Tool["listed"] = worker === undefined ? {} : { to: "none" };
  return {
    name: namespace,
    tools: callable.map((command) => commandTool(namespace, command, packageName, listed)),
    inShell: () =>
      inShell.map(({ name }) => [toolName(namespace, name), `${namespace} ${name}`] as const),
  };
}

function commandTool(
  namespace: string,
  command: CliPluginCommand,
  packageName: string,
  listed: Tool["listed"],
): Tool {
  const { name, title, description, inputSchema = ARGV_SCHEMA, outputSchema } = command;
  const speaker = `Plugin ${packageName}`;
  const tool = defineTool({
    name: toolName(namespace, name),
    listed: { ...listed, namespace },
    ...(title === undefined ? {} : { title }),
    description: description.trim() || `${name} of ${packageName}, which does not describe it.`,
    input: inputSchema,
    ...(outputSchema === undefined ? {} : { output: outputSchema }),
    annotations: command.annotations ?? {},
    run: (input: Record<string, unknown>, context) =>
      runCommand(command, input, handlerContext(context), speaker),
  });
  return verified(tool, speaker);
}

/**
 * Runs a command with validated input, during a call. If the handler returns nothing, its output is
 * the result. Errors keep known codes; their hints are quoted as the `speaker`'s.
 */
async function runCommand(
  { handler, mcpHandler }: Pick<CliPluginCommand, "handler" | "mcpHandler">,
  input: Record<string, unknown>,
  context: McpHandlerContext,
  speaker: string,
): Promise<unknown> {
  printsAnswer();
  try {
    if (mcpHandler !== undefined) return await mcpHandler(input, context);
    if (handler === undefined) throw new RefraktError("TOOL_FAILED", "The command has no handler");
    await handler(inputToArgv(input));
    return undefined;
  } catch (error) {
    throw handlerError(error, speaker);
  }
}

/** Plugins may throw errors with our fields. */
function handlerError(error: unknown, speaker: string): unknown {
  if (error instanceof RefraktError || isRefusal(error)) return error;
  const [code, hint] = [fieldOf(error, "errorCode"), fieldOf(error, "hint")];
  if (!isErrorCode(code)) return error;
  return new RefraktError(code, messageOf(error), {
    // A quotation does not read like an instruction of ours.
    ...(typeof hint === "string" ? { hint: `${speaker} says: ${JSON.stringify(hint)}` } : {}),
    cause: error,
  });
}
