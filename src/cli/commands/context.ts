/**
 * The context of calls by one-shot commands.
 *
 * @module
 */

import type { CallContext } from "../../tools/context.ts";
import type { Workspace } from "../../tools/workspace.ts";
import { printNote } from "../print.ts";
import { clearProgress, showProgress } from "./waiting.ts";

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
