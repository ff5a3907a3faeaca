/**
 * Copies what a tool returned as plain JSON data.
 *
 * @module
 */

import { messageOf, RefraktError } from "../errors.ts";

/** The most characters of a result before it is cut to the budget, about as JSON counts them. */
export const MOST_CHARACTERS = 20_000_000;

/**
 * A copy as `JSON.parse(JSON.stringify(value))` would make it.
 *
 * @param value Anything.
 * @param most The most characters.
 * @throws {RefraktError} `TOOL_FAILED` for what cannot be JSON, and for what is too large.
 */
export function toPlain(value: unknown, most: number = MOST_CHARACTERS): unknown {
  let left = most;
  // Counts while the text is made: a result that is too large is given up early.
  const count = (key: string, item: unknown) => {
    left -= key.length + (typeof item === "string" ? item.length : 2);
    if (left < 0) throw tooLarge(most);
    return item;
  };
  try {
    const json = JSON.stringify(value, count);
    return json === undefined ? undefined : JSON.parse(json);
  } catch (error) {
    // A cycle, a BigInt, a stack that is too deep, or what a getter of the value throws.
    throw error instanceof RefraktError ? error : notJson(error);
  }
}

function notJson(cause: unknown): RefraktError {
  const [reason] = messageOf(cause).split("\n");
  return new RefraktError("TOOL_FAILED", `The result is not JSON: ${reason}`, {
    hint: "This is a defect of the plugin: its mcpHandler has to return plain data.",
    cause,
  });
}

function tooLarge(most: number): RefraktError {
  return new RefraktError("TOOL_FAILED", `The result has more than ${most} characters`, {
    hint: "Ask for less: filter, or name what you need.",
  });
}
