/**
 * What a tool, a resource or a prompt is handed while it runs.
 *
 * @module
 */

import type { Project } from "../project/project.ts";

/** The levels of MCP logging that the server uses, least severe first. */
export type LogLevel = "debug" | "info" | "warning" | "error";

/** One step of long work: `progress` rises, `total` is known or left out. */
export interface ProgressUpdate {
  /** How much is done, in units of the work's own. */
  readonly progress: number;
  /** How much there is in all, in the same units. */
  readonly total?: number;
  /** One short line for a person. */
  readonly message?: string;
}

/** The facts and channels that belong to one call. */
export interface CallContext {
  /** The project as it was detected just before this call. */
  readonly project: Project;
  /** Aborts when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** Reports progress; does nothing where the client asked for none. */
  progress(update: ProgressUpdate): void;
  /** Writes to the server's log, never to stdout. */
  log(level: LogLevel, message: string, data?: Record<string, unknown>): void;
  /**
   * Asks the person a yes-or-no question, where the client can; absent where it
   * cannot. Answers `false` for no, cancel and failure.
   */
  confirm?(question: string): Promise<boolean>;
}
