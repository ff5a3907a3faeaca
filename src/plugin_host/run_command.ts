/**
 * Runs a command of a plugin: its structured handler, or the one for the command line,
 * whose output is the answer.
 *
 * @module
 */

import { ERROR_CODES, type ErrorCode, messageOf, RefraktError } from "../errors.ts";
import { isRefusal } from "../io/permissions.ts";
import { runAsCall } from "../sandbox/call.ts";
import { inputToArgv, parseOutput } from "../tools/argv.ts";
import type { CliPluginCommand, McpHandlerContext } from "../tools/plugin.ts";

/**
 * Runs a command on checked input.
 *
 * @throws {RefraktError} What the command threw with one of our codes, or its exit code.
 */
export function runCommand(
  command: Pick<CliPluginCommand, "handler" | "mcpHandler">,
  input: Record<string, unknown>,
  context: McpHandlerContext,
): Promise<unknown> {
  const { handler, mcpHandler } = command;
  if (mcpHandler !== undefined) return runMcpHandler(mcpHandler, input, context);
  if (handler !== undefined) return runHandler(handler, input, context);
  throw new RefraktError("TOOL_FAILED", "The command has no handler");
}

async function runMcpHandler(
  handler: NonNullable<CliPluginCommand["mcpHandler"]>,
  input: Record<string, unknown>,
  context: McpHandlerContext,
): Promise<unknown> {
  try {
    const outcome = await runAsCall(
      context.cwd,
      () => handler(input, context),
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
  handler: NonNullable<CliPluginCommand["handler"]>,
  input: Record<string, unknown>,
  context: McpHandlerContext,
): Promise<unknown> {
  const argv = inputToArgv(input);
  try {
    const outcome = await runAsCall(
      context.cwd,
      () => handler(argv),
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

function logOutput(outcome: { stdout: string; stderr: string }, context: McpHandlerContext): void {
  for (const text of [outcome.stdout, outcome.stderr]) {
    if (text.trim() !== "") context.log("debug", text.trimEnd());
  }
}
