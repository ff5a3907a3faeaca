/** Runs statements one after another on a database that is opened with the first one. */

import { RefraktError } from "../errors.ts";
import { giveBackMemory } from "../io/heap.ts";
import type { CallContext } from "../tools/context.ts";
import type { Table } from "../tools/tables.ts";
import { type Database, openDatabase, type ResultSet } from "./database.ts";
import { explained, rejectQuotedColumns } from "./explain.ts";
import { Loader, schemasOf, tableOfTables } from "./loader.ts";

/** The rows of a statement, and what they lack. */
export interface QueryAnswer extends ResultSet {
  /** What is missing and why, in sentences. */
  readonly notes: readonly string[];
}

export interface QueryLimits {
  /** How many rows are returned. */
  readonly rows: number;
  /** After how many characters no further row is returned. */
  readonly text: number;
}

interface Open {
  readonly tables: readonly Table[];
  readonly database: Database;
  readonly loader: Loader;
}

export class QuerySession {
  #open: Open | undefined;
  #shape = "";
  #running: Promise<unknown> = Promise.resolve();

  /** Waits for earlier statements, then runs one. */
  run(
    contributed: readonly Table[],
    sql: string,
    limits: QueryLimits,
    context: CallContext,
  ): Promise<QueryAnswer> {
    const answer = this.#running.catch(() => {})
      .then(() => this.#run(contributed, sql, limits, context));
    this.#running = answer;
    return answer;
  }

  async #run(
    contributed: readonly Table[],
    sql: string,
    limits: QueryLimits,
    context: CallContext,
  ): Promise<QueryAnswer> {
    const { tables, database, loader } = await this.#opened(contributed);
    try {
      rejectQuotedColumns(sql, database.tables);
      const notes = await loader.load(tables, database.readsOf(sql), context);
      return { ...database.run(sql, limits.rows, limits.text), notes };
    } catch (error) {
      if (!(error instanceof RefraktError)) throw error;
      throw explained(error, sql, database.tables, context.project);
    } finally {
      if (database.isBroken) this.#open = undefined;
    }
  }

  /** Opens a database; a new one if other tables are declared now. */
  async #opened(contributed: readonly Table[]): Promise<Open> {
    const shape = JSON.stringify(contributed.map(({ name, columns }) => [name, columns]));
    if (this.#open !== undefined && this.#shape !== shape) this.#open = undefined;
    if (this.#open !== undefined) {
      // The same tables, perhaps declared by another toolset.
      return this.#open = { ...this.#open, tables: withTables(contributed) };
    }
    // The memory of a dropped database, before there is another one.
    if (this.#shape !== "") await giveBackMemory();
    const tables = withTables(contributed);
    const database = await openDatabase(schemasOf(tables));
    this.#shape = shape;
    return this.#open = { tables, database, loader: new Loader(database) };
  }
}

function withTables(contributed: readonly Table[]): Table[] {
  return [...contributed, tableOfTables(contributed)];
}
