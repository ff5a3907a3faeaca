/**
 * Copies what a package declares as JSON data, within bounds and without running code of it.
 *
 * @module
 */

import { isObject } from "../io/json.ts";
import { plainText } from "../plain_text.ts";

/** The most values that are copied, how deep they may be nested, and the longest text. */
const MOST_VALUES = 5000;
const MOST_DEPTH = 32;
export const LONGEST_TEXT = 4000;
/**
 * Copies a value as JSON would, within bounds and without running code of it.
 *
 * @param value Anything.
 * @param name What it is, for the error: `inputSchema`.
 * @param most How many values are copied.
 * @returns The copy; `undefined` for what JSON does not have, such as a function.
 * @throws {Error} Where it is too large or too deep, or has a getter.
 */
export function copyJson(value: unknown, name: string, most: number = MOST_VALUES): unknown {
  let left = most;
  const tooLarge = () => new Error(`its ${name} has more than ${most} values`);
  const copyOf = (value: unknown, depth: number): unknown => {
    if (--left < 0) throw tooLarge();
    if (depth > MOST_DEPTH) throw new Error(`its ${name} is deeper than ${MOST_DEPTH}`);
    if (typeof value === "string") return plainText(value, LONGEST_TEXT);
    if (typeof value === "number") return Number.isFinite(value) ? value : null;
    if (typeof value === "boolean" || value === null) return value;
    if (Array.isArray(value)) {
      if (value.length > left) throw tooLarge();
      return Array.from(
        { length: value.length },
        (_, index) => copyOf(ownValue(value, String(index), name), depth + 1) ?? null,
      );
    }
    if (!isObject(value)) return undefined;
    const copy: Record<string, unknown> = {};
    for (const key in value) {
      if (!Object.hasOwn(value, key)) continue;
      const copied = copyOf(ownValue(value, key, name), depth + 1);
      if (copied === undefined) continue;
      // An ordinary assignment to "__proto__" would set the prototype.
      Object.defineProperty(copy, key, {
        value: copied,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    return copy;
  };
  return copyOf(value, 0);
}

function ownValue(target: object, key: string, name: string): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(target, key);
  if (descriptor === undefined) return undefined;
  if (!("value" in descriptor)) throw new Error(`its ${name} has a getter`);
  return descriptor.value;
}
