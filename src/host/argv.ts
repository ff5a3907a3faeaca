/** Converts structured input to command-line arguments, for commands without an `mcpHandler`. */

import { quotedName } from "../plain_text.ts";
import { RefraktError } from "../errors.ts";
import type { JsonSchema } from "../plugin/schema.ts";

/** The schema of commands that declare none: raw arguments or named flags. */
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
 * `args` is passed as it is, `_` as positionals; `true` becomes `--name`, `false` `--no-name`; a list
 * repeats its flag, an object becomes JSON. Names become kebab-case.
 *
 * @throws {RefraktError} `INVALID_ARGS` if a name or a positional could pass for another flag.
 */
export function inputToArgv(input: Readonly<Record<string, unknown>>): string[] {
  const positionals: string[] = [];
  const flags: string[] = [];
  for (const [name, value] of Object.entries(input)) {
    for (const part of [value].flat()) {
      if (part === undefined || part === null) continue;
      const text = typeof part === "object" ? JSON.stringify(part) : String(part);
      if (name === "args") positionals.push(text);
      else if (name === "_") positionals.push(positional(text));
      else if (part === true) flags.push(`--${flagName(name)}`);
      else if (part === false) flags.push(`--no-${flagName(name)}`);
      // As a separate argument, a value with a leading hyphen would be parsed as a flag.
      else if (text.startsWith("-")) flags.push(`--${flagName(name)}=${text}`);
      else flags.push(`--${flagName(name)}`, text);
    }
  }
  return [...positionals, ...flags];
}

function flagName(name: string): string {
  if (!/^[A-Za-z][\w-]*$/.test(name)) {
    throw new RefraktError("INVALID_ARGS", `Not a flag name: ${quotedName(name)}`, {
      hint: "Names have letters, digits, hyphens and underscores.",
    });
  }
  return name.replace(/[A-Z]/g, (letter, index) => (index > 0 ? "-" : "") + letter.toLowerCase());
}

function positional(text: string): string {
  if (!text.startsWith("-")) return text;
  throw new RefraktError("INVALID_ARGS", `A positional argument must not begin with "-": ${text}`, {
    hint: 'Pass flags by name, or raw arguments in "args".',
  });
}
