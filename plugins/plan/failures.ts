/**
 * What the plan plugin's errors mean. It throws plain errors with the exit code
 * of its command line, and the same number means something else in each command.
 *
 * @module
 */

import { didYouMean, type ErrorCode, messageOf, RefraktError } from "../../src/errors.ts";
import { isNotFound } from "../../src/sandbox/paths.ts";
import { entityId, scanPlan } from "./scanner.ts";

const CODES: Readonly<Record<string, Readonly<Record<number, ErrorCode>>>> = {
  update: { 1: "VALIDATION_ERROR", 2: "NOT_FOUND" },
  create: { 1: "VALIDATION_ERROR", 2: "INVALID_ARGS", 3: "VALIDATION_ERROR" },
};

/**
 * Makes a coded error of what a handler threw.
 *
 * @param command The command's name.
 * @param error What was thrown.
 * @param ask What the call asked for, for the hints.
 */
export function planFailure(
  command: string,
  error: unknown,
  ask: { cwd: string; dir: string; id?: string },
): unknown {
  if (error instanceof RefraktError) return error;
  const exitCode = (error as { exitCode?: unknown } | null)?.exitCode;
  if (typeof exitCode !== "number") {
    if (!isNotFound(error)) return error;
    return new RefraktError("PLAN_DIR_MISSING", messageOf(error), {
      hint: "Call plan.init to create the plan.",
      cause: error,
    });
  }
  const message = messageOf(error);
  const code = codeOf(command, exitCode, message);
  return new RefraktError(code, message, { hint: hintFor(code, message, ask), cause: error });
}

function codeOf(command: string, exitCode: number, message: string): ErrorCode {
  // One message of create is about a value, not about the shape of the arguments.
  if (
    command === "create" && exitCode === 2 && /^(Invalid|Unknown attribute|Cannot)/.test(message)
  ) {
    return "VALIDATION_ERROR";
  }
  return CODES[command]?.[exitCode] ?? "TOOL_FAILED";
}

function hintFor(
  code: ErrorCode,
  message: string,
  ask: { cwd: string; dir: string; id?: string },
): string {
  if (code === "NOT_FOUND" && ask.id !== undefined) return unknownIdHint(ask.cwd, ask.dir, ask.id);
  const valid = /Valid(?: types)?: (.+)$/.exec(message)?.[1];
  if (valid !== undefined) return `Use one of: ${valid}.`;
  if (/criterion matching/.test(message) || /criteria match/.test(message)) {
    return `Read the entity to see its criteria${
      ask.id === undefined ? "" : ` (plan.next, or refrakt://plan/{type}/${ask.id})`
    }, and quote enough of one to single it out.`;
  }
  if (/^Could not find \w+ tag/.test(message)) {
    return "Put the whole opening tag on the first line that it begins, and call again.";
  }
  if (/already exists/i.test(message)) {
    return "Leave id out to get the next free one, or update the entity that is there.";
  }
  return "Mend the arguments and call again; nothing was written.";
}

/** The hint for an id that is not in the plan: the nearest ones, and where to see all. */
export function unknownIdHint(cwd: string, dir: string, id: string): string {
  const ids = scanPlan(cwd, dir).map(entityId).filter((known) => known !== undefined);
  return `${didYouMean(id, ids)} refrakt://plan/index lists every id.`.trim();
}

/** The error for an id that is not in the plan. */
export function unknownEntity(cwd: string, dir: string, id: string): RefraktError {
  return new RefraktError("NOT_FOUND", `Entity not found: ${id}`, {
    hint: unknownIdHint(cwd, dir, id),
  });
}
