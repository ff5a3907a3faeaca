/** The context that tools, resources and prompts run with. */

import type { Project } from "./project.ts";

/** The levels of the log, from the lowest severity. */
export type LogLevel = "debug" | "info" | "warning" | "error";

/** A progress report; `progress` must increase, `total` is optional. */
export interface ProgressUpdate {
  /** The work done, in any unit. */
  readonly progress: number;
  /** The total work, in the same unit. */
  readonly total?: number;
  /** A short line for people. */
  readonly message?: string;
}

/** The project and the client connection of one call. */
export interface CallContext {
  /** The project, detected just before this call. */
  readonly project: Project;
  /** Aborts when the client cancels or disconnects. */
  readonly signal: AbortSignal;
  /** The same object for all calls of a client's session, or of all clients over HTTP. */
  readonly session?: object;
  /** The maximum size of the result in characters, if not the default. */
  readonly budget?: number;
  /** Reports progress, if the client requested it. */
  progress(update: ProgressUpdate): void;
  /** Writes to the server's log on stderr. */
  log(level: LogLevel, message: string, data?: Record<string, unknown>): void;
}
