/** What a statement or a table fails with, as errors that the caller can act on. */

import { quotedName } from "../../src/plain_text.ts";
import { RefraktError, saidBy } from "../../src/errors.ts";

const MB = 1024 * 1024;

export function notLoaded(name: string, reason: string, most: number): RefraktError {
  return new RefraktError(
    "TOOL_FAILED",
    `The table ${quotedName(name)} cannot be loaded: ${reason}`,
    {
      hint: `All tables together may take ${most / MB} MB. Ask another table, or the tool that ` +
        "searches, such as plan_list with text.",
    },
  );
}

export function tooLarge(name: string, bytes: number, most: number): RefraktError {
  return notLoaded(name, `it would take about ${Math.round(bytes / MB)} MB`, most);
}

export function plainMessage(error: unknown): string {
  return saidBy(error).replace(/^.*sqlite3? result code \d+: /i, "");
}

export function invalid(message: string): RefraktError {
  return new RefraktError("INVALID_ARGS", message, {
    hint: "Pass one SELECT statement (WITH is allowed).",
  });
}

export function tooLong(milliseconds: number): RefraktError {
  const message = `Stopped: it takes longer than ${milliseconds / 1000} seconds`;
  return new RefraktError("TIMEOUT", message, {
    hint: "Filter before joining, join on id or path, and replace long patterns by LIKE or GLOB.",
  });
}
