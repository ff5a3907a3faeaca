/**
 * The context of calls by one-shot commands, and the line on stderr that says what takes long. A
 * pipe gets none of it.
 *
 * @module
 */

import type { CallContext } from "../../tools/context.ts";
import type { Workspace } from "../../tools/workspace.ts";
import { writeStderr } from "../../io/pipes.ts";
import { plainLine } from "../../plain_text.ts";
import { printNote } from "../print.ts";
import { lineWidth, type OutputStream } from "../terminal.ts";

/** Progress and warnings go to stderr; Ctrl-C ends the call. */
export function terminalContext(workspace: Workspace): CallContext {
  const controller = new AbortController();
  try {
    Deno.addSignalListener("SIGINT", () => controller.abort());
  } catch {
    // Not every platform has it; the process then simply ends.
  }
  return {
    project: workspace.project(),
    signal: controller.signal,
    // Output to a terminal or a pipe is not cut.
    budget: Number.POSITIVE_INFINITY,
    progress: ({ message, progress, total }) => {
      if (progress === total) return clearProgress();
      showProgress(`${progress}${total === undefined ? "" : `/${total}`} ${message ?? ""}`);
    },
    log: (level, message) => {
      if (level === "warning" || level === "error") printNote(`${level}: ${message}\n`);
    },
  };
}

/** After how long, and how often, the line is shown, in milliseconds. */
const TICK_MS = 1_000;

/** Erases the line. */
const ERASE = "\r\x1b[K";

/** The line that is shown; empty while there is none. */
let shown = "";

/** Shows a line in place of the one before. */
export function showProgress(text: string, stream: OutputStream = Deno.stderr): void {
  if (!stream.isTerminal()) return;
  shown = plainLine(text, lineWidth(stream) - 1);
  writeStderr(ERASE + shown);
}

/** Removes the line. */
export function clearProgress(): void {
  if (shown !== "") writeStderr(ERASE);
  shown = "";
}

/**
 * Waits for something that may take long, and shows for how long already, unless it reports
 * progress itself.
 *
 * @param what What is under way.
 */
export async function whileLoading<Value>(
  loading: Promise<Value>,
  what = "Loading the project's packages, which are downloaded the first time",
): Promise<Value> {
  const start = performance.now();
  const timer = setInterval(() => {
    // A line of the work's own says more.
    if (shown !== "" && !shown.startsWith(what.slice(0, 16))) return;
    showProgress(`${what} (${Math.round((performance.now() - start) / 1000)} s)`);
  }, TICK_MS);
  try {
    return await loading;
  } finally {
    clearInterval(timer);
    clearProgress();
  }
}
