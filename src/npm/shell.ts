/** Quotes printed commands for the shell of the system. */

import { RefraktError } from "../errors.ts";
import type { Launch } from "./serve_command.ts";

export type Shell = "posix" | "PowerShell" | "cmd";

/** The shells of this system, the usual one first. */
export function shellsOf(): readonly [Shell, ...Shell[]] {
  return Deno.build.os === "windows" ? ["PowerShell", "cmd"] : ["posix"];
}

/** A command line for a shell; by default for the usual one of this system. */
export function shellLine({ command, args }: Launch, shell: Shell = shellsOf()[0]): string {
  return [command, ...args].map((word) => shellWord(word, shell)).join(" ");
}

/** A command line that starts in a folder. PowerShell 5.1 does not know `&&`. */
export function lineIn(folder: string, launch: Launch, shell: Shell = shellsOf()[0]): string {
  const word = shellWord(folder.startsWith("-") ? `./${folder}` : folder, shell);
  return `cd ${word}${shell === "PowerShell" ? ";" : " &&"} ${shellLine(launch, shell)}`;
}

/** Quotes a word, so that the shell passes it on unchanged. */
export function shellWord(word: string, shell: Shell = shellsOf()[0]): string {
  if (shell === "posix") {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  }
  // PowerShell makes a list of a comma, and a variable of an @ at the start.
  if (/^[\w+=:./\\-][\w@+=:./\\-]*$/.test(word)) return word;
  // The program removes the quotes: a backslash before one would escape it.
  const given = word.replace(/(\\*)("|$)/g, (_all, slashes: string, quote: string) => {
    return slashes + slashes + (quote === "" ? "" : '\\"');
  });
  if (shell === "cmd" || !/["$`]/.test(word)) return `"${given}"`;
  // Up to version 7.2, and for scripts such as code.cmd, it adds the outer quotes only to spaces.
  return `'${given.replaceAll("'", "''")}'`;
}

/**
 * Checks a command that a client starts through cmd, which no quotes can protect from these
 * characters: npx.cmd reads its arguments a second time.
 *
 * @throws {RefraktError} `VALIDATION_ERROR`
 */
export function requireForCmd({ command, args }: Launch): void {
  if (command !== "cmd") return;
  const wrong = args.find((word) => /["%]/.test(word) || /[&|<>^]/.test(word) && !/\s/.test(word));
  if (wrong === undefined) return;
  throw new RefraktError("VALIDATION_ERROR", `npx cannot pass this on Windows: ${wrong}`, {
    hint:
      'Its script splits arguments at & | < > ^ and replaces %. Install Deno, and leave "--npx" ' +
      "out, or rename the folder.",
  });
}

/** What to know about a file that colleagues share, if its command is one of Windows. */
export const CMD_NOTE = "Only Windows has cmd: for colleagues on other systems, install Deno and " +
  'run the command without "--npx".';
