/** Keeps the tables of a database up to date: reads what a statement uses and what has changed. */

import { messageOf, RefraktError } from "../errors.ts";
import type { CallContext } from "../tools/context.ts";
import type { Table, TablePart, TableState } from "../tools/tables.ts";
import type { Database, TableSchema } from "./database.ts";

/** How long the load may block the event loop, in milliseconds. */
const SLICE_MS = 20;

/** What a table contains. */
interface Loaded {
  readonly columns: ReadonlySet<string>;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The table of tables and columns. */
export function tableOfTables(tables: readonly Table[]): Table {
  const all = new Map<string, Table>();
  for (const table of tables) if (!all.has(table.name)) all.set(table.name, table);
  return {
    name: "tables",
    columns: { name: "the table", column: "", meaning: "" },
    read: () =>
      Promise.resolve({
        inputs: { tables },
        parts: (): TablePart[] => [{
          key: tables,
          rows: () =>
            [...all.values()].flatMap(({ name, columns }) =>
              Object.entries(columns).map(([column, meaning]) => ({ name, column, meaning }))
            ),
        }],
      }),
  };
}

/** Merges tables that several contributors declare. */
export function schemasOf(tables: readonly Table[]): TableSchema[] {
  return [...Map.groupBy(tables, ({ name }) => name)].map(([name, same]) => ({
    name,
    columns: [...new Set(same.flatMap(({ columns }) => Object.keys(columns)))],
    numbers: new Set(same.flatMap(({ numbers = [] }) => numbers)),
    keys: [...new Set(same.flatMap(({ keys = [] }) => keys))],
  }));
}

export class Loader {
  readonly #database: Database;
  readonly #loaded = new Map<string, Loaded>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Loads what a statement reads. Returns notes about what is missing. */
  async load(
    tables: readonly Table[],
    reads: ReadonlyMap<string, ReadonlySet<string>>,
    context: CallContext,
  ): Promise<string[]> {
    const notes: string[] = [];
    const turn = turnTaker(context.signal);
    for (const [name, read] of reads) {
      // Counting rows reads no column.
      const first = this.#database.tables.find((table) => table.name === name)!.columns[0]!;
      const used = read.size === 0 ? new Set([first]) : read;
      const same = tables.filter((table) => table.name === name);
      notes.push(...await this.#loadTable(name, same, used, context, turn));
    }
    return [...new Set(notes)];
  }

  async #loadTable(
    name: string,
    same: readonly Table[],
    used: ReadonlySet<string>,
    context: CallContext,
    turn: () => Promise<void>,
  ): Promise<string[]> {
    const loaded = this.#loaded.get(name);
    let { inputs, states, notes } = await readAll(same, used, context);
    const isSame = loaded !== undefined &&
      Object.entries(inputs).every(([input, value]) => loaded.inputs[input] === value);
    if (isSame && [...used].every((column) => loaded.columns.has(column))) return notes;
    // All cheap columns, and the costly ones that other statements used before.
    const costly = new Set(same.flatMap((table) => table.costly ?? []));
    const columns = new Set([
      ...same.flatMap((table) => Object.keys(table.columns)).filter((name) => !costly.has(name)),
      ...used,
      ...isSame ? loaded.columns : [],
    ]);
    if (columns.size > used.size) ({ inputs, states } = await readAll(same, columns, context));
    const parts: TablePart[] = [];
    for (const state of states) parts.push(...await state.parts());
    const isComplete = [...columns].every((column) => loaded?.columns.has(column) === true);
    if (!isComplete) await this.#database.replace(name, [], [], turn);
    this.#loaded.delete(name);
    await this.#database.replace(name, [...columns], parts, turn);
    this.#loaded.set(name, { columns, inputs });
    return notes;
  }
}

/** Reads the states of all contributors; one that fails is a note if there are others. */
async function readAll(
  same: readonly Table[],
  columns: ReadonlySet<string>,
  context: CallContext,
): Promise<{ inputs: Record<string, unknown>; notes: string[]; states: TableState[] }> {
  const inputs: Record<string, unknown> = {};
  const notes: string[] = [];
  const states: TableState[] = [];
  for (const [at, table] of same.entries()) {
    try {
      const state = await table.read(columns, context);
      states.push(state);
      notes.push(...state.notes ?? []);
      for (const [name, value] of Object.entries(state.inputs)) inputs[`${at} ${name}`] = value;
    } catch (error) {
      if (same.length === 1 || !(error instanceof RefraktError)) throw error;
      notes.push(`Rows of ${table.name} are missing: ${messageOf(error)}`);
      inputs[`${at} error`] = error.message;
    }
  }
  return { inputs, notes, states };
}

function turnTaker(signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - since < SLICE_MS) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    since = performance.now();
  };
}
