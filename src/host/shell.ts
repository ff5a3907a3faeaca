/**
 * Quotes printed commands for the shell of the system. The desktop bundle runs it on Node: it imports
 * nothing that needs Deno.
 */

import { RefraktError } from "../errors.ts";
import { TESTED_DENO } from "../runtime.ts";

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

export type Shell = "posix" | "PowerShell" | "cmd";

/** The shells of this system, the usual one first. */
export function shellsOf(): readonly [Shell, ...Shell[]] {
  return Deno.build.os === "windows" ? ["PowerShell", "cmd"] : ["posix"];
}

/** A command line for a shell; by default the usual one of this system. */
export function shellLine({ command, args }: Launch, shell: Shell = shellsOf()[0]): string {
  return [command, ...args].map((word) => shellWord(word, shell)).join(" ");
}

/** A command line that starts in a folder. PowerShell 5.1 does not know `&&`. */
export function lineIn(folder: string, launch: Launch, shell: Shell = shellsOf()[0]): string {
  const word = shellWord(folder.startsWith("-") ? `./${folder}` : folder, shell);
  return `cd ${word}${shell === "PowerShell" ? ";" : " &&"} ${shellLine(launch, shell)}`;
}

/** PowerShell reads typographic quotes as quotes, too. */
const INNER_QUOTES = /["$`\u201c-\u201e\u2018-\u201b]/;
const SINGLE_QUOTES = /['\u2018-\u201b]/g;

/** Quotes a word, so that the shell passes it on unchanged; throws if cmd would run a part of it. */
export function shellWord(word: string, shell: Shell = shellsOf()[0]): string {
  if (shell === "posix") {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  }
  // PowerShell makes a list of a comma, and a variable of an @ at the start.
  if (/^[\w+=:./\\-][\w@+=:./\\-]*$/.test(word)) return word;
  // The program removes the quotes: a backslash before one would escape it.
  const escaped = word.replace(
    /(\\*)("|$)/g,
    (_all, slashes: string, quote: string) => slashes + slashes + (quote === "" ? "" : '\\"'),
  );
  // An inner quote ends the quotes for cmd.
  if (shell === "cmd" && word.includes('"') && /[&|<>^%!]/.test(word)) throw notForCmd(word);
  if (shell === "cmd" || !INNER_QUOTES.test(word)) return `"${escaped}"`;
  // Up to version 7.2, and for scripts such as code.cmd, it adds the outer quotes only to spaces.
  return `'${escaped.replace(SINGLE_QUOTES, "$&$&")}'`;
}

export const DENO: Launch = { command: "deno", args: [] };

/** Deno from npm. On Windows npx is a script and requires a shell. */
export function denoByNpx(os: typeof Deno.build.os = Deno.build.os): Launch {
  const args = ["-y", `deno@${TESTED_DENO}`];
  return os === "windows"
    ? { command: "cmd", args: ["/c", "npx", ...args] }
    : { command: "npx", args };
}

/**
 * Checks a command that is started through cmd, which interprets these characters: some in quotes,
 * too, the others where no space makes the program quote the argument. npx.cmd reads it again.
 */
export function requireForCmd({ command, args }: Launch): void {
  if (command !== "cmd") return;
  const unsafe = args.find((word) =>
    /["%!\r\n]/.test(word) || /[&|<>^()]/.test(word) && !/[ \t]/.test(word)
  );
  if (unsafe !== undefined) throw notForCmd(unsafe);
}

function notForCmd(word: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `cmd cannot pass this on: ${word}`, {
    hint: 'It interprets & | < > ^ ( ) % ! ", and so does npx on Windows. Install Deno and start ' +
      "the server without npx, or rename the folder.",
  });
}

/** What to know about a file that colleagues share, if its command is one of Windows. */
export const CMD_NOTE = "Only Windows has cmd: for colleagues on other systems, install Deno and " +
  'run the command without "--npx".';
