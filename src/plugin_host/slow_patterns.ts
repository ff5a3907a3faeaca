/**
 * Regular expressions of a package's schemas run in the server, against what a client
 * sends. Those that may take long are left to the plugin; everything else is checked.
 *
 * @module
 */

import { isObject } from "../io/json.ts";
import type { JsonSchema } from "../tools/schema.ts";
import { SCHEMA_KEYWORDS, SCHEMA_LISTS, SCHEMA_MAPS } from "../tools/schema_problem.ts";

/** Leaves out slow patterns; what a value without them would be refused for goes with them. */
export function withoutSlowPatterns(schema: JsonSchema): JsonSchema {
  return isObject(schema) ? loosened(schema).schema : schema;
}

/** A schema, and whether it allows more than it did. */
interface Loosened {
  readonly schema: JsonSchema;
  readonly isLooser: boolean;
}

function loosened(schema: JsonSchema): Loosened {
  const copy: Record<string, unknown> = {};
  const looser = new Set<string>();
  const part = (keyword: string, value: unknown): unknown => {
    if (!isObject(value)) return value;
    const { schema, isLooser } = loosened(value);
    if (isLooser) looser.add(keyword);
    return schema;
  };
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "pattern" && !isQuickPattern(value)) {
      looser.add(keyword);
    } else if (SCHEMA_MAPS.has(keyword) && isObject(value)) {
      const entries = Object.entries(value).filter(([name]) =>
        keyword !== "patternProperties" || isQuickPattern(name)
      );
      if (entries.length < Object.keys(value).length) looser.add(keyword);
      define(
        copy,
        keyword,
        Object.fromEntries(entries.map(([name, value]) => [name, part(keyword, value)])),
      );
    } else if (Array.isArray(value) && (SCHEMA_LISTS.has(keyword) || keyword === "items")) {
      define(copy, keyword, value.map((value) => part(keyword, value)));
    } else if (SCHEMA_KEYWORDS.has(keyword) || keyword === "items") {
      define(copy, keyword, part(keyword, value));
    } else {
      define(copy, keyword, value);
    }
  }
  // A property whose pattern is not known is one more than the others.
  if (looser.has("patternProperties")) {
    delete copy["additionalProperties"];
    delete copy["unevaluatedProperties"];
  }
  // What allows more refuses more where it is negated, or where one branch alone may fit.
  if (looser.has("not")) delete copy["not"];
  if (looser.has("if")) { for (const keyword of ["if", "then", "else"]) delete copy[keyword]; }
  if (looser.has("oneOf") && copy["anyOf"] === undefined) copy["anyOf"] = copy["oneOf"];
  if (looser.has("oneOf")) delete copy["oneOf"];
  return { schema: copy, isLooser: looser.size > 0 };
}

/** An ordinary assignment to `__proto__` would set the prototype. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/**
 * Whether a pattern takes time in proportion to the text that it is held against:
 * repeated groups, back references and many repetitions do not.
 */
function isQuickPattern(pattern: unknown): boolean {
  if (typeof pattern !== "string" || pattern.length > 200) return false;
  const bare = pattern.replace(/\\[^1-9k]/g, "x").replace(/\[[^\]]*\]/g, "x");
  return !/\)\s*[*+{?]|\\|\(\?[=!<]/.test(bare) && (bare.match(/[*+]|\{\d*,/g) ?? []).length <= 2;
}
