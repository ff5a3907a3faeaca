/**
 * Checks values by JSON Schemas, with a library that knows all of the language; it is
 * imported when the first value is checked.
 *
 * @module
 */

import type { OutputUnit } from "@cfworker/json-schema";
import { RefraktError } from "../errors.ts";
import { asObject, fieldOf, isObject, textOf, textsOf } from "../io/json.ts";
import { inTime } from "../io/time_limit.ts";
import type { JsonSchema, SchemaIssue, ZodSchema } from "./schema_types.ts";
import { dialectOf } from "./schema_problem.ts";

/**
 * How long a value may be checked, in milliseconds: the patterns of a package run here against what
 * a client sends, and may be slow.
 */
const CHECK_LIMIT_MS = 250;

/** Keywords whose own error only says that something below them is wrong. */
const CONTAINERS = new Set([
  "$ref",
  "$recursiveRef",
  "allOf",
  "contains",
  "dependencies",
  "dependentSchemas",
  "if",
  "items",
  "additionalItems",
  "patternProperties",
  "prefixItems",
  "properties",
  "unevaluatedItems",
]);

/** Keywords that name a property where none may be. */
const CLOSED = new Set(["additionalProperties", "unevaluatedProperties"]);

/** Keywords whose branches each fail for reasons of their own. */
const BRANCHES = new Set(["anyOf", "oneOf"]);

/** What is wrong by a keyword that a value does not fit, given what the keyword wants. */
const MESSAGES: Readonly<Record<string, (wanted: unknown) => string>> = {
  minLength: (wanted) => `must have at least ${wanted} characters`,
  maxLength: (wanted) => `must have at most ${wanted} characters`,
  minItems: (wanted) => `must have at least ${wanted} items`,
  maxItems: (wanted) => `must have at most ${wanted} items`,
  minProperties: (wanted) => `must have at least ${wanted} properties`,
  maxProperties: (wanted) => `must have at most ${wanted} properties`,
  minimum: (wanted) => `must be at least ${wanted}`,
  maximum: (wanted) => `must be at most ${wanted}`,
  exclusiveMinimum: (wanted) => `must be more than ${wanted}`,
  exclusiveMaximum: (wanted) => `must be less than ${wanted}`,
  multipleOf: (wanted) => `must be a multiple of ${wanted}`,
  pattern: (wanted) => `must match ${wanted}`,
  format: (wanted) => `must be a valid ${wanted}`,
  uniqueItems: () => "must have no item twice",
  anyOf: (wanted) => `must be one of: ${branchesOf(wanted)}`,
  oneOf: (wanted) => `must be exactly one of: ${branchesOf(wanted)}`,
  not: (wanted) => `must not be ${formOf(wanted)}`,
  false: () => "is not allowed",
};

/**
 * Makes the check of a schema that {@linkcode schemaProblem} found nothing wrong with.
 *
 * @param schema The schema; it is copied.
 */
export async function compileSchema(schema: JsonSchema): Promise<ZodSchema> {
  const { Validator } = await import("@cfworker/json-schema");
  const copy = structuredClone(schema);
  const validator = new Validator(copy, dialectOf(schema) ?? "2020-12", false);
  return {
    safeParse: (value) => {
      try {
        const data = withDefaults(copy, structuredClone(value));
        const { valid, errors } = inTime(
          CHECK_LIMIT_MS,
          () => validator.validate(withoutPrototypes(data)),
        );
        if (valid) return { success: true, data };
        return { success: false, error: { issues: issuesOf(errors, copy, data) } };
      } catch (error) {
        return { success: false, error: { issues: [{ path: [], message: unchecked(error) }] } };
      }
    },
    toJSONSchema: () => schema,
  };
}

/** Why a value cannot be checked; it is refused. */
function unchecked(error: unknown): string {
  // The stack ends where input is nested tens of thousands deep.
  if (error instanceof RangeError) return "nested too deeply";
  if (error instanceof RefraktError && error.code === "TIMEOUT") {
    return "takes too long to check; give shorter texts";
  }
  throw error;
}

/** Fills in the defaults of properties that are missing. */
function withDefaults(schema: unknown, value: unknown): unknown {
  if (!isObject(schema) || !isObject(value)) return value;
  const { properties } = schema;
  if (!isObject(properties)) return value;
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    if (Object.hasOwn(value, name)) withDefaults(property, value[name]);
    else if (property["default"] !== undefined && name !== "__proto__") {
      value[name] = structuredClone(property["default"]);
    }
  }
  return value;
}

/** A copy that has only what was sent: a property called `constructor` is missing where it is not. */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, part] of Object.entries(value)) copy[key] = withoutPrototypes(part);
  return copy;
}

/** What is wrong, in the same form as Zod says it: the innermost reasons alone. */
function issuesOf(
  units: readonly OutputUnit[],
  schema: JsonSchema,
  value: unknown,
): SchemaIssue[] {
  const branches = units.filter(({ keyword }) => BRANCHES.has(keyword))
    .map((unit) => `${unit.keywordLocation}/`);
  const issues: SchemaIssue[] = [];
  const closed: { path: string[]; key: string }[] = [];
  let container = "";
  for (const unit of units) {
    if (branches.some((branch) => unit.keywordLocation.startsWith(branch))) continue;
    const path = pathOf(unit.instanceLocation);
    if (unit.keyword === "false" && CLOSED.has(container)) {
      closed.push({ path: path.slice(0, -1), key: path.at(-1)! });
    } else if (CLOSED.has(unit.keyword) || unit.keyword === "propertyNames") {
      container = unit.keyword;
    } else if (!CONTAINERS.has(unit.keyword)) {
      issues.push(...issueOf(unit, path, schema, value));
    }
  }
  // A property that is wrong in itself counts as unevaluated too, and is named once.
  const wrong = new Set(issues.map((issue) => issue.path.join("/")));
  for (const { path, key } of closed) {
    if ([...wrong].some((other) => `${other}/`.startsWith(`${[...path, key].join("/")}/`))) {
      continue;
    }
    issues.push({ code: "unrecognized_keys", path, keys: [key], message: "" });
  }
  return issues.length > 0 ? unique(issues) : [{ path: [], message: "does not fit the schema" }];
}

function issueOf(
  { keyword, keywordLocation, error }: OutputUnit,
  path: string[],
  schema: JsonSchema,
  value: unknown,
): SchemaIssue[] {
  const wanted = at(schema, keywordLocation);
  const issue = (message: string, rest: Partial<SchemaIssue> = {}): SchemaIssue[] => [
    { path, message, ...rest },
  ];
  switch (keyword) {
    case "type": {
      const expected = [wanted].flat().join(" or ");
      return expected === "" ? issue(error) : issue(error, { code: "invalid_type", expected });
    }
    case "enum":
      return issue(error, { code: "invalid_value", values: [wanted].flat() });
    case "const":
      return issue(error, { code: "invalid_value", values: [wanted] });
    case "required": {
      // The library names the property in its message alone, once for each that is missing.
      const parent = at(schema, keywordLocation.replace(/\/required$/, ""));
      const present = asObject(valueAt(value, path));
      return textsOf(wanted).filter((name) => !Object.hasOwn(present, name)).map((name) => {
        const property = fieldOf(fieldOf(parent, "properties"), name);
        const expected = textOf(fieldOf(property, "type"));
        return {
          path: [...path, name],
          message: "required",
          ...(expected === undefined ? {} : { code: "invalid_type", expected }),
        };
      });
    }
    default:
      if (keyword === "minLength" && valueAt(value, path) === "") return issue("must not be empty");
      return issue(MESSAGES[keyword]?.(wanted) ?? error);
  }
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(fieldOf, value);
}

function branchesOf(branches: unknown): string {
  return Array.isArray(branches) ? branches.map(formOf).join("; ") : "the allowed forms";
}

/** A schema in a few words. */
function formOf(schema: unknown): string {
  if (!isObject(schema)) return String(schema);
  const { type, enum: values, const: value, required, title, pattern } = schema;
  if (typeof title === "string") return title;
  if (value !== undefined) return JSON.stringify(value);
  if (Array.isArray(values)) return values.map((entry) => JSON.stringify(entry)).join(", ");
  const names = Array.isArray(required) && required.length > 0
    ? `with ${required.map((name) => `"${name}"`).join(" and ")}`
    : "";
  if (typeof pattern === "string") return `text that matches ${pattern}`;
  const kind = type === undefined
    ? names === "" ? "another form" : ""
    : String([type].flat().join(" or "));
  return [kind, names].filter(Boolean).join(" ");
}

function unique(issues: SchemaIssue[]): SchemaIssue[] {
  const seen = new Map(issues.map((issue) => [JSON.stringify(issue), issue]));
  return [...seen.values()];
}

function pathOf(location: string): string[] {
  return location.split("/").slice(1).map(unescape);
}

/** What stands at a place of a schema; references within it are followed. */
function at(schema: JsonSchema, location: string): unknown {
  let part: unknown = schema;
  for (const step of pathOf(location)) {
    if (typeof part !== "object" || part === null) return undefined;
    const next = fieldOf(part, step);
    part = step === "$ref" && typeof next === "string"
      ? /^#(\/|$)/.test(next) ? at(schema, next) : undefined
      : next;
  }
  return part;
}

function unescape(step: string): string {
  const plain = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
