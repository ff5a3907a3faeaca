/** Runs statements one after another on a database that is opened with the first one. */

import { RefraktError } from "../../src/errors.ts";
import { unshown } from "../../src/plain_text.ts";
import type { CallContext } from "../../src/plugin/context.ts";
import type { Table } from "../../src/plugin/context.ts";
import type { Database, ResultSet } from "./database.ts";
import { explained, rejectQuotedColumns } from "./explain.ts";
import { type Contents, load, schemasOf, tableOfTables } from "./loader.ts";

/** The rows of a statement, and what they lack. */
export interface QueryAnswer extends ResultSet {
  /** What is missing and why, in sentences. */
  readonly notes: readonly string[];
}

export class QuerySession {
  #database: Database | undefined;
  #contents: Contents = new Map();
  #shape = "";
  #running: Promise<unknown> = Promise.resolve();

  /**
   * Waits for earlier statements, then runs one.
   *
   * @param rows How many rows are returned; the others are counted for a moment.
   * @param text After how many characters no further row is returned.
   */
  run(sql: string, context: CallContext, rows: number, text: number): Promise<QueryAnswer> {
    const answer = this.#running.catch(() => {}).then(() => this.#run(sql, context, rows, text));
    this.#running = answer;
    return answer;
  }

  async #run(
    sql: string,
    context: CallContext,
    rows: number,
    text: number,
  ): Promise<QueryAnswer> {
    const declared = await context.tables();
    const tables = [...declared, tableOfTables(declared)];
    const database = await this.#opened(tables);
    try {
      rejectQuotedColumns(sql, database.tables);
      // A text of an earlier answer stands in the tables as it is.
      const meant = unshown(sql);
      const notes = await load(database, this.#contents, tables, database.readsOf(meant), context);
      return { ...database.run(meant, rows, text), notes };
    } catch (error) {
      if (!(error instanceof RefraktError)) throw error;
      throw explained(error, sql, database.tables, context.project);
    } finally {
      if (database.isBroken) this.#database = undefined;
    }
  }

  /** Opens a database; a new one if other tables are declared now. */
  async #opened(tables: readonly Table[]): Promise<Database> {
    const shape = JSON.stringify(tables.map(({ name, columns }) => [name, columns]));
    if (this.#shape !== shape) this.#database = undefined;
    if (this.#database !== undefined) return this.#database;
    this.#shape = shape;
    this.#contents = new Map();
    // SQLite is loaded with the first statement.
    const { openDatabase } = await import("./database.ts");
    return this.#database = await openDatabase(schemasOf(tables));
  }
}
