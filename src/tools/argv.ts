/**
 * Turns structured input into command-line arguments, for commands that have no
 * `mcpHandler`.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import type { JsonSchema } from "./schema.ts";

/** The schema of a command that declares none: raw arguments, or named flags. */
export const ARGV_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    args: {
      type: "array",
      items: { type: "string" },
      description: "Arguments as on the command line, positionals and flags.",
    },
  },
  additionalProperties: true,
};

/**
 * Makes arguments of an input object.
 *
 * `args` is taken as it is; `_` gives positionals; `true` gives `--name`, `false`
 * gives `--no-name`, a list repeats its flag, an object is passed as JSON, and
 * what is missing is left out. Names in camelCase become kebab-case.
 *
 * @throws {RefraktError} `INVALID_ARGS` where a name or a positional could pass as another flag.
 */
export function inputToArgv(input: Readonly<Record<string, unknown>>): string[] {
  const positionals: string[] = [];
  const flags: string[] = [];
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || value === null) continue;
    if (name === "args") {
      for (const arg of asList(value)) positionals.push(asText(arg));
    } else if (name === "_") {
      for (const arg of asList(value)) positionals.push(positional(asText(arg)));
    } else {
      for (const part of asList(value)) pushFlag(flags, flagName(name), part);
    }
  }
  return [...positionals, ...flags];
}

function pushFlag(flags: string[], name: string, value: unknown): void {
  if (value === true) flags.push(`--${name}`);
  else if (value === false) flags.push(`--no-${name}`);
  else if (value !== null && value !== undefined) {
    const text = asText(value);
    // A separate value that begins with a hyphen would be read as the next flag.
    if (text.startsWith("-")) flags.push(`--${name}=${text}`);
    else flags.push(`--${name}`, text);
  }
}

function flagName(name: string): string {
  if (!/^[A-Za-z][\w-]*$/.test(name)) {
    throw new RefraktError("INVALID_ARGS", `Not the name of a flag: ${JSON.stringify(name)}`, {
      hint: "Names have letters, digits, hyphens and underscores.",
    });
  }
  return name.replace(/[A-Z]/g, (letter, index) => (index > 0 ? "-" : "") + letter.toLowerCase());
}

function positional(text: string): string {
  if (!text.startsWith("-")) return text;
  throw new RefraktError("INVALID_ARGS", `A positional may not begin with "-": ${text}`, {
    hint: 'Give flags by their names, or raw arguments in "args".',
  });
}

function asText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}
