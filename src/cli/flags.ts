/**
 * The flags of the program.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { nearest, RefraktError } from "../errors.ts";

/** Stands for no command in the list of a flag. */
export const SERVING = "serving";

/** One flag; `value` names its value in the help. */
export interface FlagDefinition {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  readonly value?: string;
  readonly help: string;
  /** The commands that it is for, {@linkcode SERVING} among them; all where it is absent. */
  readonly commands?: readonly string[];
}

/** A set of flags by name. */
export type Flags = Readonly<Record<string, FlagDefinition>>;

/** A flag without a value. */
export function toggle(help: string, ...commands: string[]): FlagDefinition {
  return { type: "boolean", help, ...(commands.length === 0 ? {} : { commands }) };
}

/** A flag with a value. */
export function valued(value: string, help: string, ...commands: string[]): FlagDefinition {
  return { ...toggle(help, ...commands), type: "string", value };
}

/** A wrong value of a flag. */
export function wrongValue(flag: string, value: unknown, hint: string): RefraktError {
  return new RefraktError("INVALID_ARGS", `--${flag} does not take "${value}"`, { hint });
}

/** What was given. */
export interface ParsedFlags {
  /** Values by name. */
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  /** The other arguments. */
  readonly rest: readonly string[];
}

/**
 * Parses arguments strictly.
 *
 * @throws {RefraktError} `INVALID_ARGS` for an unknown flag, with the nearest, or a missing value.
 */
export function parseFlags(args: readonly string[], flags: Flags): ParsedFlags {
  const names = Object.keys(flags).map((name) => `--${name}`);
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, short, multiple = false }]) => [name, {
      type,
      multiple,
      ...(short === undefined ? {} : { short }),
    }]),
  );
  const { tokens, values, positionals } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { rawName, value } = token;
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined;
    const refuse = (problem: string, hint: string) =>
      new RefraktError("INVALID_ARGS", problem, { hint });
    if (flag === undefined) {
      const guess = nearest(rawName, names, 1)[0];
      throw refuse(
        `Unknown flag: ${rawName}`,
        guess === undefined
          ? `The flags are ${names.join(", ")}.`
          : `Did you mean ${guess}? See --help.`,
      );
    }
    if (flag.type === "string" && (value === undefined || value === "")) {
      throw refuse(`${rawName} needs a value`, `Write ${rawName} <${flag.value ?? "value"}>.`);
    }
    if (flag.type === "boolean" && value !== undefined) {
      throw refuse(`${rawName} takes no value`, `Write ${rawName} alone.`);
    }
  }
  return { values, rest: positionals };
}

/**
 * Refuses a flag that has no effect on a command.
 *
 * @param command The command; `undefined` for serving.
 * @throws {RefraktError} `INVALID_ARGS`, with the commands that take it.
 */
export function checkFlagsOf(
  command: string | undefined,
  { values }: ParsedFlags,
  flags: Flags,
): void {
  for (const name of Object.keys(values)) {
    const commands = Object.hasOwn(flags, name) ? flags[name]!.commands : undefined;
    // A command may follow the server's whole command line, such as doctor.
    if (commands === undefined || commands.some((each) => each === SERVING || each === command)) {
      continue;
    }
    throw new RefraktError("INVALID_ARGS", `--${name} has no effect on ${command ?? SERVING}`, {
      hint: `It goes with ${commands.join(", ")}.`,
    });
  }
}

/** The flags of a command, or of serving, in two columns: how each is written, and what it does. */
export function flagRows(flags: Flags, command: string): [string, string][] {
  return Object.entries(flags)
    .filter(([, { commands }]) => commands?.includes(command) ?? true)
    .map(([name, { short, value, help }]) => {
      const letter = short === undefined ? "" : `-${short}, `;
      return [`${letter}--${name}${value === undefined ? "" : ` <${value}>`}`, help];
    });
}
