/** Tables of the project's facts, which plugins declare and `refrakt_query` reads. */

import type { CallContext } from "./context.ts";

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
