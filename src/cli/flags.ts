/**
 * The flags of the program.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { nearest, RefraktError } from "../errors.ts";

/** One flag. */
export interface FlagDefinition {
  /** Whether it takes a value. */
  readonly type: "string" | "boolean";
  /** One letter for it. */
  readonly short?: string;
  /** Whether it may be given several times. */
  readonly multiple?: boolean;
  /** The name of its value, for the help. */
  readonly value?: string;
  /** What it does. */
  readonly help: string;
}

/** A set of flags by name. */
export type Flags = Readonly<Record<string, FlagDefinition>>;

/** What was given. */
export interface ParsedFlags {
  /** Values by name. */
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  /** What is no flag. */
  readonly rest: readonly string[];
}

/**
 * Parses arguments strictly.
 *
 * @throws {RefraktError} `INVALID_ARGS` for an unknown flag, with the nearest, or a missing value.
 */
export function parseFlags(args: readonly string[], flags: Flags): ParsedFlags {
  const names = Object.keys(flags).map((name) => `--${name}`);
  const { tokens } = parseArgs({
    args: [...args],
    options: optionsOf(flags),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined;
    if (flag === undefined) {
      const guess = nearest(token.rawName, names, 1)[0];
      throw new RefraktError("INVALID_ARGS", `Unknown flag: ${token.rawName}`, {
        hint: guess === undefined
          ? `The flags are ${names.join(", ")}.`
          : `Did you mean ${guess}? See --help.`,
      });
    }
    if (flag.type === "string" && (token.value === undefined || token.value === "")) {
      throw new RefraktError("INVALID_ARGS", `${token.rawName} needs a value`, {
        hint: `Write ${token.rawName} <${flag.value ?? "value"}>.`,
      });
    }
    if (flag.type === "boolean" && token.value !== undefined) {
      throw new RefraktError("INVALID_ARGS", `${token.rawName} takes no value`, {
        hint: `Write ${token.rawName} alone.`,
      });
    }
  }
  const { values, positionals } = parseArgs({
    args: [...args],
    options: optionsOf(flags),
    strict: false,
    allowPositionals: true,
  });
  return { values, rest: positionals };
}

/** The flags as lines of help. */
export function describeFlags(flags: Flags): string {
  const heads = Object.entries(flags).map(([name, flag]) => {
    const short = flag.short === undefined ? "" : `-${flag.short}, `;
    return { head: `${short}--${name}${flag.value === undefined ? "" : ` <${flag.value}>`}`, flag };
  });
  const width = Math.max(...heads.map(({ head }) => head.length));
  return heads.map(({ head, flag }) => `  ${head.padEnd(width)}  ${flag.help}`).join("\n");
}

function optionsOf(flags: Flags) {
  return Object.fromEntries(
    Object.entries(flags).map(([name, { type, short, multiple }]) => [name, {
      type,
      ...(short === undefined ? {} : { short }),
      ...(multiple === undefined ? {} : { multiple }),
    }]),
  );
}
