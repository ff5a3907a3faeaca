/**
 * Every command of a plugin becomes a tool.
 *
 * @module
 */

import { ERROR_CODES, type ErrorCode, messageOf, RefraktError } from "../errors.ts";
import { runAsCall } from "../sandbox/call.ts";
import { isRefusal } from "../sandbox/permissions.ts";
import type { CallContext } from "../surface/context.ts";
import type { Contribution } from "../surface/contribution.ts";
import type { CliPlugin, CliPluginCommand, McpHandlerContext } from "../surface/plugin.ts";
import { defineTool, type Need, type Tool } from "../surface/tool.ts";
import { ARGV_SCHEMA, inputToArgv, parseOutput } from "../surface/argv.ts";
import type { DiscoveredPlugin } from "./contract.ts";

/** Commands of installed plugins that run until they are stopped, or build whole sites. */
const LONG_RUNNING = new Set(["plan.serve", "plan.build"]);

/** What a namespace's tools need from the project. */
export type NeedsOf = (
  namespace: string,
  command: string,
) => { needs?: readonly Need[]; listedWith?: readonly Need[] };

/** The contribution of one plugin. */
export function pluginContribution(
  discovered: DiscoveredPlugin,
  needsOf: NeedsOf = () => ({}),
): Contribution {
  const { plugin } = discovered;
  const shown = plugin.commands.filter((command) => !isLongRunning(plugin, command));
  return {
    tools: shown.map((command) =>
      commandTool(plugin, command, needsOf(plugin.namespace, command.name))
    ),
    resources: plugin.resources ?? [],
    prompts: plugin.prompts ?? [],
    shellOnly: plugin.commands.filter((command) => isLongRunning(plugin, command))
      .map((command) => toolNameOf(plugin, command)),
  };
}

/** The tool name of a command. */
export function toolNameOf(plugin: CliPlugin, command: CliPluginCommand): string {
  return command.toolName ?? `${plugin.namespace}.${command.name}`;
}

/** Whether a command is left to the shell. */
export function isLongRunning(plugin: CliPlugin, command: CliPluginCommand): boolean {
  return command.longRunning === true || LONG_RUNNING.has(toolNameOf(plugin, command));
}

function commandTool(
  plugin: CliPlugin,
  command: CliPluginCommand,
  needs: { needs?: readonly Need[]; listedWith?: readonly Need[] },
): Tool {
  const { mcpHandler } = command;
  return defineTool({
    name: toolNameOf(plugin, command),
    title: command.title ?? titleOf(plugin.namespace, command.name),
    description: command.description,
    input: command.inputSchema ?? ARGV_SCHEMA,
    ...(command.outputSchema === undefined ? {} : { output: command.outputSchema }),
    annotations: command.annotations ?? {},
    ...needs,
    run: (input: Record<string, unknown>, context: CallContext) =>
      mcpHandler === undefined
        ? runHandler(command, input, context)
        : runMcpHandler(mcpHandler, input, context),
  });
}

async function runMcpHandler(
  handler: NonNullable<CliPluginCommand["mcpHandler"]>,
  input: Record<string, unknown>,
  context: CallContext,
): Promise<unknown> {
  const handlerContext: McpHandlerContext = {
    cwd: context.project.cwd,
    signal: context.signal,
    progress: context.progress,
    log: context.log,
    ...(context.confirm === undefined ? {} : { confirm: context.confirm }),
  };
  try {
    const outcome = await runAsCall(
      context.project.cwd,
      () => handler(input, handlerContext),
      context.signal,
    );
    if (outcome.exitCode !== undefined && outcome.exitCode !== 0) throw exitError(outcome);
    if (outcome.value !== undefined) {
      logOutput(outcome, context);
      return outcome.value;
    }
    // A handler that printed its answer instead of returning it.
    const printed = parseOutput(outcome.stdout);
    return printed === "" ? undefined : printed;
  } catch (error) {
    throw handlerError(error);
  }
}

async function runHandler(
  command: CliPluginCommand,
  input: Record<string, unknown>,
  context: CallContext,
): Promise<unknown> {
  const argv = inputToArgv(input);
  try {
    const outcome = await runAsCall(
      context.project.cwd,
      () => command.handler!(argv),
      context.signal,
    );
    if (outcome.exitCode !== undefined && outcome.exitCode !== 0) throw exitError(outcome);
    logOutput({ stdout: "", stderr: outcome.stderr }, context);
    const printed = parseOutput(outcome.stdout);
    return printed === "" ? undefined : printed;
  } catch (error) {
    throw handlerError(error);
  }
}

/** The error of a command that ended with an exit code: what it said on stderr, else on stdout. */
function exitError(outcome: { exitCode: number | undefined; stdout: string; stderr: string }) {
  const said = (outcome.stderr.trim() || outcome.stdout.trim()).slice(0, 4000);
  return new RefraktError(
    "TOOL_FAILED",
    said === "" ? `The command ended with exit code ${outcome.exitCode}` : said,
    {
      hint:
        `The command ended with exit code ${outcome.exitCode}; mend the arguments and call again.`,
      data: { exitCode: outcome.exitCode },
    },
  );
}

/** A plugin may throw an error with our fields; anything else keeps its message. */
function handlerError(error: unknown): unknown {
  if (error instanceof RefraktError || isRefusal(error)) return error;
  if (typeof error !== "object" || error === null) return error;
  const { errorCode, hint } = error as { errorCode?: unknown; hint?: unknown };
  if (typeof errorCode !== "string" || !Object.hasOwn(ERROR_CODES, errorCode)) return error;
  return new RefraktError(errorCode as ErrorCode, messageOf(error), {
    ...(typeof hint === "string" ? { hint } : {}),
    cause: error,
  });
}

function logOutput(outcome: { stdout: string; stderr: string }, context: CallContext): void {
  for (const text of [outcome.stdout, outcome.stderr]) {
    if (text.trim() !== "") context.log("debug", text.trimEnd());
  }
}

function titleOf(namespace: string, name: string): string {
  const words = `${namespace} ${name}`.replace(/[._-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
