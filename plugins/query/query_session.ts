/**
 * Runs statements one after another on a database that is opened with the first one, whose tables are
 * filled with what a statement uses and what has changed.
 */

import { messageOf, RefraktError } from "../../src/errors.ts";
import { turnTaker } from "../../src/io/turns.ts";
import { unshown } from "../../src/plain_text.ts";
import type { CallContext, Table, TablePart, TableState } from "../../src/plugin/context.ts";
import type { Database, ResultSet } from "./database.ts";
import { explained, rejectQuotedColumns, type TableSchema } from "./explain.ts";

/** The rows of a statement, and what is missing and why, in sentences. */
type QueryAnswer = ResultSet & { readonly notes: readonly string[] };

/** What a table contains. */
interface Loaded {
  readonly columns: ReadonlySet<string>;
  readonly inputs: ReadonlyMap<string, unknown>;
}

export class QuerySession {
  #database: Database | undefined;
  readonly #loaded = new Map<string, Loaded>();
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
      const notes = new Set<string>();
      for (const [name, columns] of database.readsOf(meant)) {
        const same = tables.filter((table) => table.name === name);
        for (const note of await this.#fill(database, same, columns, context)) notes.add(note);
      }
      return { ...database.run(meant, rows, text), notes: [...notes] };
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
    if (this.#shape === shape && this.#database !== undefined) return this.#database;
    this.#shape = shape;
    this.#loaded.clear();
    // SQLite is loaded with the first statement.
    const { openDatabase } = await import("./database.ts");
    return this.#database = await openDatabase(schemasOf(tables));
  }

  /** Reads a table that several plugins may declare, if it has changed; returns what is missing. */
  async #fill(
    database: Database,
    same: readonly Table[],
    used: ReadonlySet<string>,
    context: CallContext,
  ): Promise<string[]> {
    const turn = turnTaker(context.signal);
    const all = same.flatMap(({ columns }) => Object.keys(columns));
    const costly = new Set(same.flatMap((table) => table.costly ?? []));
    // Counting rows reads no column.
    const read = used.size === 0 ? new Set(all.slice(0, 1)) : used;
    const columns = new Set(all.filter((column) => !costly.has(column))).union(read);
    const { inputs, states, notes } = await readAll(same, columns, context);
    const [{ name }] = same as [Table];
    const loaded = this.#loaded.get(name);
    const isComplete = loaded !== undefined && columns.isSubsetOf(loaded.columns);
    if (isComplete && [...inputs].every(([key, value]) => loaded.inputs.get(key) === value)) {
      return notes;
    }
    const parts: TablePart[] = [];
    for (const state of states) parts.push(...await state.parts());
    this.#loaded.delete(name);
    if (!isComplete) await database.replace(name, [], [], turn);
    await database.replace(name, [...columns], parts, turn);
    this.#loaded.set(name, { columns, inputs });
    return notes;
  }
}

/** Reads the states of all plugins; one that fails is a note if there are others. */
async function readAll(same: readonly Table[], columns: ReadonlySet<string>, context: CallContext) {
  const inputs = new Map<string, unknown>();
  const notes: string[] = [];
  const states: TableState[] = [];
  for (const [at, table] of same.entries()) {
    try {
      const state = await table.read(columns, context);
      states.push(state);
      notes.push(...state.notes ?? []);
      for (const [name, value] of Object.entries(state.inputs)) inputs.set(`${at} ${name}`, value);
    } catch (error) {
      if (same.length === 1 || !(error instanceof RefraktError)) throw error;
      notes.push(`Rows of ${table.name} are missing: ${messageOf(error)}`);
      inputs.set(`${at} error`, error.message);
    }
  }
  return { inputs, notes, states };
}

/** The table of tables and columns. */
function tableOfTables(tables: readonly Table[]): Table {
  const rows = () =>
    [...Map.groupBy(tables, ({ name }) => name)].flatMap(([name, [first]]) =>
      Object.entries(first!.columns).map(([column, meaning]) => ({ name, column, meaning }))
    );
  return {
    name: "tables",
    columns: { name: "the table", column: "", meaning: "" },
    read: () => Promise.resolve({ inputs: { tables }, parts: () => [{ key: tables, rows }] }),
  };
}

/** Merges tables that several plugins declare. */
function schemasOf(tables: readonly Table[]): TableSchema[] {
  return [...Map.groupBy(tables, ({ name }) => name)].map(([name, same]) => ({
    name,
    columns: [...new Set(same.flatMap(({ columns }) => Object.keys(columns)))],
    numbers: new Set(same.flatMap(({ numbers = [] }) => numbers)),
    keys: [...new Set(same.flatMap(({ keys = [] }) => keys))],
  }));
}
