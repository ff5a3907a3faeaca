/**
 * Copies what a tool returned as plain JSON data, in one walk that is bounded: a
 * value that is too large is refused before anything is made a text of.
 *
 * @module
 */

import { messageOf, RefraktError } from "../errors.ts";
import { fieldOf } from "../io/json.ts";

/** The most characters of a result before it is cut to the budget, about as JSON counts them. */
export const MOST_CHARACTERS = 20_000_000;

/** How deep a result may be nested. */
const MOST_LEVELS = 200;

/**
 * A copy as `JSON.parse(JSON.stringify(value))` would make it.
 *
 * @param value Anything.
 * @param most The most characters.
 * @throws {RefraktError} `TOOL_FAILED` for what cannot be JSON, and for what is too large.
 */
export function toPlain(value: unknown, most: number = MOST_CHARACTERS): unknown {
  const above = new Set<object>();
  let left = most;
  const spend = (characters: number) => {
    left -= characters;
    if (left < 0) throw tooLarge(most);
  };
  const copy = (raw: unknown, key: string): unknown => {
    const item = resolveToJson(raw, key);
    switch (typeof item) {
      case "string":
        spend(item.length + 2);
        return item;
      case "number":
        spend(8);
        return Number.isFinite(item) ? item : null;
      case "boolean":
        spend(5);
        return item;
      case "bigint":
        throw notJson("a BigInt cannot be written as JSON");
      case "object":
        if (item === null) {
          spend(4);
          return null;
        }
        return nested(item);
      default:
        return undefined;
    }
  };
  const nested = (item: object): unknown => {
    if (above.has(item)) throw notJson("it contains itself");
    if (above.size >= MOST_LEVELS) throw notJson(`it is nested more than ${MOST_LEVELS} deep`);
    spend(2);
    above.add(item);
    const made = Array.isArray(item)
      ? item.map((member, index) => copy(member, String(index)) ?? null)
      : copyEntries(item);
    above.delete(item);
    return made;
  };
  const copyEntries = (item: object): Record<string, unknown> => {
    const made: Record<string, unknown> = {};
    for (const key of Object.keys(item)) {
      const member = copy(fieldOf(item, key), key);
      if (member === undefined) continue;
      spend(key.length + 4);
      if (key === "__proto__") {
        Object.defineProperty(made, key, { value: member, enumerable: true });
      } else made[key] = member;
    }
    return made;
  };
  try {
    return copy(value, "");
  } catch (error) {
    // A getter or a toJSON of the value's own may throw anything.
    throw error instanceof RefraktError ? error : notJson(messageOf(error), error);
  }
}

function resolveToJson(item: unknown, key: string): unknown {
  if (typeof item !== "object" || item === null) return item;
  const toJSON = fieldOf(item, "toJSON");
  return typeof toJSON === "function" ? toJSON.call(item, key) : item;
}

function notJson(reason: string, cause?: unknown): RefraktError {
  return new RefraktError("TOOL_FAILED", `The result is not JSON: ${reason}`, {
    hint: "This is a defect of the plugin: its mcpHandler has to return plain data.",
    ...(cause === undefined ? {} : { cause }),
  });
}

function tooLarge(most: number): RefraktError {
  return new RefraktError("TOOL_FAILED", `The result has more than ${most} characters`, {
    hint: "Ask for less: filter, or name what you need.",
  });
}
