/** Runs a command of a plugin. */

import { isErrorCode, messageOf, RefraktError } from "../errors.ts";
import { fieldOf } from "../io/json.ts";
import { isRefusal } from "../io/permissions.ts";
import { printsAnswer } from "../stand_ins/call.ts";
import { inputToArgv } from "../tools/argv.ts";
import type { CliPluginCommand, McpHandlerContext } from "../tools/plugin.ts";

/**
 * Runs a command with validated input, during a call. If the handler returns nothing, its output is
 * the result. Errors keep known codes; their hints are quoted as the `speaker`'s.
 */
export async function runCommand(
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
