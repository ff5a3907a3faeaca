/** Makes a plugin of what an npm package exports as `./cli-plugin`. */

import { isErrorCode, messageOf, RefraktError } from "../errors.ts";
import { fieldOf, textOf } from "../io/json.ts";
import { isRefusal } from "../io/permissions.ts";
import { printsAnswer } from "../packages/stand_in_call.ts";
import { quotedName } from "../plain_text.ts";
import { type CliPlugin, type CliPluginCommand, handlerContext } from "../plugin/cli_plugin.ts";
import type { CallContext } from "../plugin/context.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { JsonSchema } from "../plugin/schema.ts";
import { defineTool, type Tool } from "../plugin/tool.ts";
import { toolName } from "../plugin/tool_names.ts";
import { verified } from "./verified.ts";

/** The schema of commands that declare none: raw arguments or named flags. */
const ARGV_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    args: {
      type: "array",
      items: { type: "string" },
      description: "Arguments as on the command line, positionals and flags.",
    },
  },
  additionalProperties: true,
};

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
  // Those beside tools of ours arrive after the first list, which clients keep.
  const listed: Tool["listed"] = worker === undefined ? { namespace } : { namespace, to: "none" };
  return {
    name: namespace,
    tools: commands.filter((command) => !isInShell(command))
      .map((command) => commandTool(command, packageName, { name: namespace, listed })),
    inShell: () =>
      commands.filter(isInShell).map((
        { name },
      ) => [toolName(namespace, name), `${namespace} ${name}`]),
  };
}

function commandTool(
  command: CliPluginCommand,
  packageName: string,
  { name: namespace, listed }: Pick<Tool, "name" | "listed">,
): Tool {
  const { name, title, description, inputSchema = ARGV_SCHEMA, outputSchema } = command;
  const speaker = `Plugin ${packageName}`;
  const tool = defineTool({
    name: toolName(namespace, name),
    listed,
    title,
    description: description.trim() || `${name} of ${packageName}, which does not describe it.`,
    input: inputSchema,
    output: outputSchema,
    annotations: command.annotations ?? {},
    run: (input: Record<string, unknown>, context) => runCommand(command, input, context, speaker),
  });
  return verified(tool, speaker);
}

/**
 * Runs a command with validated input, during a call. If the handler returns nothing, its output is
 * the result. Errors keep known codes; their hints are quoted as the `speaker`'s.
 */
async function runCommand(
  { handler, mcpHandler }: CliPluginCommand,
  input: Record<string, unknown>,
  context: CallContext,
  speaker: string,
): Promise<unknown> {
  printsAnswer();
  try {
    if (mcpHandler !== undefined) return await mcpHandler(input, handlerContext(context));
    await handler!(inputToArgv(input));
    return undefined;
  } catch (error) {
    throw handlerError(error, speaker);
  }
}

/** Plugins may throw errors with our fields. */
function handlerError(error: unknown, speaker: string): unknown {
  if (error instanceof RefraktError || isRefusal(error)) return error;
  const code = fieldOf(error, "errorCode");
  if (!isErrorCode(code)) return error;
  const hint = textOf(fieldOf(error, "hint"));
  return new RefraktError(code, messageOf(error), {
    // A quotation does not read like an instruction of ours.
    hint: hint && `${speaker} says: ${JSON.stringify(hint)}`,
    cause: error,
  });
}

/**
 * Converts input to arguments: `args` is passed as it is, `_` as positionals; `true` becomes `--name`,
 * `false` `--no-name`; a list repeats its flag, an object becomes JSON. Names become kebab-case.
 *
 * @throws {RefraktError} `INVALID_ARGS` if a name or a positional could pass for another flag.
 */
function inputToArgv(input: Readonly<Record<string, unknown>>): string[] {
  const positionals: string[] = [];
  const flags: string[] = [];
  for (const [name, value] of Object.entries(input)) {
    for (const part of [value].flat()) {
      if (part === undefined || part === null) continue;
      const text = typeof part === "object" ? JSON.stringify(part) : String(part);
      if (name === "args") positionals.push(text);
      else if (name === "_") positionals.push(positional(text));
      else if (part === true) flags.push(`--${flagName(name)}`);
      else if (part === false) flags.push(`--no-${flagName(name)}`);
      // As a separate argument, a value with a leading hyphen would be parsed as a flag.
      else if (text.startsWith("-")) flags.push(`--${flagName(name)}=${text}`);
      else flags.push(`--${flagName(name)}`, text);
    }
  }
  return [...positionals, ...flags];
}

function flagName(name: string): string {
  if (!/^[A-Za-z][\w-]*$/.test(name)) {
    throw new RefraktError("INVALID_ARGS", `Not a flag name: ${quotedName(name)}`, {
      hint: "Names have letters, digits, hyphens and underscores.",
    });
  }
  return name.replace(/[A-Z]/g, (letter, index) => (index > 0 ? "-" : "") + letter.toLowerCase());
}

function positional(text: string): string {
  if (!text.startsWith("-")) return text;
  throw new RefraktError("INVALID_ARGS", `A positional argument must not begin with "-": ${text}`, {
    hint: 'Pass flags by name, or raw arguments in "args".',
  });
}
