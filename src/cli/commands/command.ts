/** What one-shot commands declare, and what they run with: their program, and the terminal. */

import { type Caller, contextFor, quietCaller } from "../../host/call.ts";
import type { OnlyPlugin, Workspace } from "../../host/open_workspace.ts";
import { writeStderr } from "../../io/pipes.ts";
import { shortLine, withEscapes } from "../../plain_text.ts";
import type { CallContext } from "../../plugin/context.ts";
import type { PluginCommand } from "../../plugin/plugin.ts";
import type { Flags, ParsedFlags } from "../flags.ts";
import { lineWidth, printNote } from "../terminal.ts";

export interface Command extends Omit<PluginCommand, "run"> {
  /** Prints the result and returns the exit code; 0 by default. */
  run(input: CommandInput): Promise<number | void>;
}

export interface CommandInput {
  readonly args: readonly string[];
  readonly flags: ParsedFlags;
  readonly program: Program;
  /** Opens the project; by default with the flags of the command line. */
  open(flags?: ParsedFlags): Promise<Workspace>;
}

export interface Program {
  readonly name: string;
  /** A description for the help. */
  readonly about: string;
  /** The command line that starts it. */
  readonly launch: string;
  readonly flags: Flags;
  /** The names of its commands; all by default. */
  readonly commands?: readonly string[];
  /** The plugin that it serves alone. */
  readonly only?: OnlyPlugin;
}

/** Prints progress and warnings to stderr. Nothing aborts the call: Ctrl-C ends the process. */
export function terminalCaller(): Caller {
  return {
    ...quietCaller(),
    // Output to a terminal or a pipe is not truncated.
    budget: Number.POSITIVE_INFINITY,
    progress: ({ message, progress, total }) => {
      if (progress === total) return showProgress("");
      showProgress(`${progress}${total === undefined ? "" : `/${total}`} ${message ?? ""}`);
    },
    log: (level, message) => {
      if (level === "warning" || level === "error") printNote(`${level}: ${message}\n`);
    },
  };
}

export function terminalContext(workspace: Workspace): CallContext {
  return contextFor(workspace, workspace.project(), terminalCaller());
}

/** The delay and interval of the progress line. */
const TICK_MS = 1_000;

const ERASE = "\r\x1b[K";

const progressLine = { line: "" };

/** Replaces the line of progress on a terminal; an empty text removes it. */
function showProgress(text: string): void {
  if (!Deno.stderr.isTerminal() || text === progressLine.line) return;
  progressLine.line = shortLine(withEscapes(text), lineWidth(Deno.stderr) - 1);
  writeStderr(ERASE + progressLine.line);
}

/** Shows the activity and the elapsed time during a long operation that reports no progress itself. */
export async function whileLoading<Value>(
  loading: Promise<Value>,
  activity = "Loading the project's packages, which are downloaded the first time",
): Promise<Value> {
  const start = performance.now();
  const timer = setInterval(() => {
    // Progress that the operation reports takes precedence.
    if (progressLine.line !== "" && !progressLine.line.startsWith(activity.slice(0, 16))) return;
    showProgress(`${activity} (${Math.round((performance.now() - start) / 1000)} s)`);
  }, TICK_MS);
  try {
    return await loading;
  } finally {
    clearInterval(timer);
    showProgress("");
  }
}
