/** The command-line flags. */

import { nearest, RefraktError } from "../errors.ts";
import { nodeModule } from "../io/node_module.ts";

/** Represents the absence of a command in {@linkcode FlagDefinition.commands}. */
export const SERVING = "serving";

/** `value` is the placeholder of the flag's value in the help. */
export interface FlagDefinition {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  readonly value?: string;
  readonly help: string;
  /** The commands that accept the flag; all by default. */
  readonly commands?: readonly string[] | undefined;
}

export type Flags = Readonly<Record<string, FlagDefinition>>;

export function toggle(help: string, ...commands: string[]): FlagDefinition {
  return { type: "boolean", help, commands: commands.length === 0 ? undefined : commands };
}

export function valued(value: string, help: string, ...commands: string[]): FlagDefinition {
  return { ...toggle(help, ...commands), type: "string", value };
}

export function wrongValue(flag: string, value: unknown, hint: string): RefraktError {
  return new RefraktError("INVALID_ARGS", `Invalid value for --${flag}: "${value}"`, { hint });
}

export interface ParsedFlags {
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  /** The positional arguments. */
  readonly rest: readonly string[];
}

/** @throws {RefraktError} `INVALID_ARGS` for an unknown flag or a missing or extra value. */
export function parseFlags(args: readonly string[], flags: Flags): ParsedFlags {
  if (args.length === 0) return { values: {}, rest: [] };
  const names = Object.keys(flags).map((name) => `--${name}`);
  const { tokens, values, positionals } = nodeModule("node:util").parseArgs({
    args: [...args],
    options: flags,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { rawName, value } = token;
    const invalid = (problem: string, hint: string) =>
      new RefraktError("INVALID_ARGS", problem, { hint });
    if (!Object.hasOwn(flags, token.name)) {
      const [guess] = nearest(rawName, names, 1);
      const all = `The flags are ${names.join(", ")}.`;
      throw invalid(`Unknown flag: ${rawName}`, guess ? `Did you mean ${guess}? See --help.` : all);
    }
    const flag = flags[token.name]!;
    if (flag.type === "string" && !value) {
      throw invalid(`${rawName} needs a value`, `Write ${rawName} <${flag.value}>.`);
    }
    if (flag.type === "boolean" && value !== undefined) {
      throw invalid(`${rawName} takes no value`, `Write ${rawName} alone.`);
    }
  }
  return { values, rest: positionals };
}

/** Rejects a flag that has no effect on a command, by default on serving. */
export function checkFlagsOf(command = SERVING, { values }: ParsedFlags, flags: Flags): void {
  for (const name of Object.keys(values)) {
    const { commands = [SERVING] } = flags[name]!;
    // The server's flags are always accepted: `doctor` may follow a complete server command line.
    if (commands.some((each) => each === SERVING || each === command)) continue;
    throw new RefraktError("INVALID_ARGS", `--${name} has no effect on ${command}`, {
      hint: `It applies to ${commands.join(", ")}.`,
    });
  }
}

/** The flags of a command as rows for the help. */
export function flagRows(flags: Flags, command: string): [string, string][] {
  return Object.entries(flags)
    .filter(([, { commands }]) => commands?.includes(command) ?? true)
    .map(([name, { short, value, help }]) => {
      const letter = short === undefined ? "" : `-${short}, `;
      return [`${letter}--${name}${value === undefined ? "" : ` <${value}>`}`, help];
    });
}
