/** Plugins that npm packages export as `./cli-plugin`, and checks of what tools of others return. */

import { isErrorCode, messageOf, RefraktError } from "../errors.ts";
import { fieldOf, textOf } from "../io/json.ts";
import { isRefusal } from "../io/permissions.ts";
import { printsAnswer } from "../packages/stand_in_call.ts";
import { quotedName } from "../plain_text.ts";
import { type CliPlugin, type CliPluginCommand, handlerContext } from "../plugin/cli_plugin.ts";
import { blockProblem } from "../plugin/content.ts";
import type { CallContext } from "../plugin/context.ts";
import type { Plugin } from "../plugin/plugin.ts";
import { blocksIn, isTextResult } from "../plugin/result.ts";
import { breachOf, type JsonSchema } from "../plugin/schema.ts";
import { defineTool, type Tool, toolName } from "../plugin/tool.ts";
import { shapeResult } from "./shape.ts";

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

/** The plugin of a package: its commands, as tools beside those of `worker`, which adapts it. */
export function npmPlugin(
  { namespace, commands }: CliPlugin,
  packageName: string,
  worker?: Plugin,
): Plugin {
  const { inShell = [], tools = [] } = Object.groupBy(
    commands,
    ({ name, longRunning }) =>
      longRunning || worker?.package?.inShell.includes(name) ? "inShell" : "tools",
  );
  // Commands beside bundled tools load after the first list, which clients keep.
  const listed: Tool["listed"] = worker === undefined ? { namespace } : { namespace, to: "none" };
  return {
    name: namespace,
    tools: tools.map((command) => commandTool(command, packageName, listed)),
    inShell: () => inShell.map(({ name }) => [toolName(namespace, name), `${namespace} ${name}`]),
  };
}

function commandTool(command: CliPluginCommand, packageName: string, listed: Tool["listed"]): Tool {
  const { name, title, description, inputSchema = ARGV_SCHEMA, outputSchema } = command;
  const speaker = `Plugin ${packageName}`;
  const tool = defineTool({
    name: toolName(listed.namespace!, name),
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

/** Runs a command during a call. If the handler returns nothing, its output is the result. */
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
  const code = fieldOf(error, "errorCode");
  if (error instanceof RefraktError || isRefusal(error) || !isErrorCode(code)) return error;
  const hint = textOf(fieldOf(error, "hint"));
  return new RefraktError(code, messageOf(error), {
    // Quoted, so that it does not read like an instruction of this server.
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

/** How deep a result may be nested. */
const MOST_DEPTH = 100;

/** Makes a tool fail if its result is malformed; `owner` is such as `Plugin @acme/commands`. */
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

/** The first field that JSON cannot express or drops. */
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
  if (parents.length > MOST_DEPTH) return expected(`more than ${MOST_DEPTH} levels`);
  if (typeof Reflect.get(value, "toJSON") === "function") return undefined;
  for (const [key, part] of Object.entries(value)) {
    const problem = jsonProblem(part, [...path, key], [...parents, value]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The first malformed block of a value in the form of an MCP result. */
function blockProblemIn(value: unknown): string | undefined {
  const problems = blocksIn(value)?.map(blockProblem) ?? [];
  const index = problems.findIndex((problem) => problem !== undefined);
  return index < 0 ? undefined : `"content.${index}": ${problems[index]}`;
}
