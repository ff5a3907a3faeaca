/** Keeps the tables of a database up to date: reads what a statement uses and what has changed. */

import { messageOf, RefraktError } from "../../src/errors.ts";
import { turnTaker } from "../../src/io/turns.ts";
import type { CallContext } from "../../src/plugin/context.ts";
import type { Table, TablePart, TableState } from "../../src/plugin/context.ts";
import type { Database, TableSchema } from "./database.ts";

/** What a table contains. */
interface Loaded {
  readonly columns: ReadonlySet<string>;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The table of tables and columns. */
export function tableOfTables(tables: readonly Table[]): Table {
  const all = new Map<string, Table>();
  for (const table of tables) all.getOrInsert(table.name, table);
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

/** Merges tables that several plugins declare. */
export function schemasOf(tables: readonly Table[]): TableSchema[] {
  return [...Map.groupBy(tables, ({ name }) => name)].map(([name, same]) => ({
    name,
    columns: [...new Set(same.flatMap(({ columns }) => Object.keys(columns)))],
    numbers: new Set(same.flatMap(({ numbers = [] }) => numbers)),
    keys: [...new Set(same.flatMap(({ keys = [] }) => keys))],
  }));
}

/** What the tables of a database contain, by name. */
export type Contents = Map<string, Loaded>;

/** Loads what a statement reads. Returns notes about what is missing. */
export async function load(
  database: Database,
  contents: Contents,
  tables: readonly Table[],
  reads: ReadonlyMap<string, ReadonlySet<string>>,
  context: CallContext,
): Promise<string[]> {
  const notes: string[] = [];
  const turn = turnTaker(context.signal);
  for (const [name, read] of reads) {
    const same = tables.filter((table) => table.name === name);
    // Counting rows reads no column.
    const used = read.size === 0 ? Object.keys(same[0]!.columns).slice(0, 1) : [...read];
    const loaded = contents.get(name);
    const costly = same.flatMap((table) => table.costly ?? []);
    const columns = new Set([
      ...same.flatMap((table) => Object.keys(table.columns)).filter((column) =>
        !costly.includes(column)
      ),
      ...used,
    ]);
    const { inputs, states, notes: missing } = await readAll(same, columns, context);
    notes.push(...missing);
    const isSame = loaded !== undefined &&
      Object.entries(inputs).every(([input, value]) => loaded.inputs[input] === value);
    const isComplete = loaded !== undefined && columns.isSubsetOf(loaded.columns);
    if (isSame && isComplete) continue;
    const parts: TablePart[] = [];
    for (const state of states) parts.push(...await state.parts());
    contents.delete(name);
    if (!isComplete) await database.replace(name, [], [], turn);
    await database.replace(name, [...columns], parts, turn);
    contents.set(name, { columns, inputs });
  }
  return [...new Set(notes)];
}

/** Reads the states of all plugins; one that fails is a note if there are others. */
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
