/**
 * The context of calls by one-shot commands.
 *
 * @module
 */

import { writeStderr } from "../../io/pipes.ts";
import { plainLine } from "../../plain_text.ts";
import type { CallContext } from "../../tools/context.ts";
import type { Workspace } from "../../tools/workspace.ts";
import { printNote } from "../print.ts";

/** How much of a message of progress is shown. */
const MOST_MESSAGE = 200;

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
      if (!Deno.stderr.isTerminal()) return;
      writeStderr(
        `\r\x1b[K${plainLine(message ?? "", MOST_MESSAGE)} ${progress}${
          total === undefined ? "" : `/${total}`
        }`,
      );
      if (progress === total) writeStderr("\r\x1b[K");
    },
    log: (level, message) => {
      if (level === "warning" || level === "error") printNote(`${level}: ${message}\n`);
    },
  };
}
