/** The context that tools, resources and prompts run with, and the tables that they may read. */

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
  /** The default name of the agent: that of its client, with an id of this connection. */
  readonly agent: string;
  /** The maximum size of the result in characters, if not the default. */
  readonly budget?: number;
  /** The tables of all plugins, for SQL statements. */
  tables(): Promise<readonly Table[]>;
  /** Reports progress, if the client requested it. */
  progress(update: ProgressUpdate): void;
  /** Writes to the server's log on stderr. */
  log(level: LogLevel, message: string, data?: Record<string, unknown>): void;
}

/** A value of a row; truth values are 0 and 1, dates are texts in UTC. */
export type Cell = string | number | null;

/** A row by column; absent columns are null. */
export type Row = Readonly<Record<string, Cell | undefined>>;

/** Rows that are replaced together, such as those of one file. */
export interface TablePart {
  /** Identifies this state of the part: an object by identity, or a text. */
  readonly key: unknown;
  /** The rows, computed only if the part is not loaded yet. */
  rows(): Iterable<Row> | Promise<Iterable<Row>>;
}

/** The state of a table's rows. */
export interface TableState {
  /** The sources of the rows by name. If they are the same as before, nothing is read again. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** What is missing and why, in sentences. */
  readonly notes?: readonly string[];
  /** All parts, changed or not. */
  parts(): Iterable<TablePart> | Promise<Iterable<TablePart>>;
}

/**
 * A table. Several plugins may declare the same one, with the same columns: it has the rows of
 * all of them.
 */
export interface Table {
  /** The name in statements. */
  readonly name: string;
  /** The meaning of each column, in order. */
  readonly columns: Readonly<Record<string, string>>;
  /** The columns with whole numbers. */
  readonly numbers?: readonly string[];
  /** The columns that statements join by; `path,n` for two together. */
  readonly keys?: readonly string[];
  /** Columns that are only read if a statement uses them. */
  readonly costly?: readonly string[];
  /**
   * Reads the current state.
   *
   * @param columns The columns that the statement uses.
   */
  read(columns: ReadonlySet<string>, context: CallContext): Promise<TableState>;
}
