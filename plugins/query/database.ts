/**
 * SQLite in WebAssembly: a database in memory that runs one read-only statement at a time. It has
 * no files. A progress handler stops a statement between two instructions; values are short enough,
 * and functions linear enough, for a single instruction. The heap has a limit of its own.
 */

import { quotedName } from "../../src/plain_text.ts";
import init, {
  type Database as Handle,
  type PreparedStatement,
  type Sqlite3Static,
} from "@sqlite.org/sqlite-wasm";
import { RefraktError } from "../../src/errors.ts";
import { lazily } from "../../src/io/lazily.ts";
import { patternCompiler } from "../../src/io/pattern.ts";
import type { Turn } from "../../src/io/turns.ts";
import type { Cell, Row, TablePart } from "../../src/plugin/context.ts";
import { invalid, notLoaded, type TableSchema, tooLong } from "./explain.ts";
import { boundedFunctions, type SqlFunction } from "./functions.ts";
import { sqliteBinary } from "./sqlite_binary.ts";

/** How long a statement may run, in milliseconds. */
const STATEMENT_MS = 1500;
/** After how many instructions of the statement the progress handler runs: each may be a function. */
const PROGRESS_STEPS = 50;

/** How long the rows beyond those that are returned are counted, in milliseconds. */
const COUNT_MS = 300;

/** The largest value of a statement and of loading, statement and `LIKE` pattern, in bytes; the heap. */
const MB = 1024 * 1024;
const MOST_VALUE = 2 * MB;
const MOST_LOADED = 8 * MB;
const MOST_SQL = 50_000;
const MOST_PATTERN = 200;
const MOST_HEAP = 256 * MB;

/** How many characters of rows are inserted at once. */
const MOST_INSERTED = 500_000;

/** Above this size of WebAssembly memory, which never shrinks, the database is dropped. */
const LARGEST_MEMORY = 320 * MB;

/** Functions about the database itself, and those that take long for a single large value. */
const INTERNAL = /^(?:sqlite_|fts\d|rtree|load_extension$|jsonb?_patch$|unhex$)/i;

/** Virtual tables that only read their arguments. */
const VIRTUAL = ["json_each", "json_tree"];

/** The rows of a statement. */
export interface ResultSet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** How many rows there are; `rows` has the first ones. */
  readonly total: number;
  /** Counting has stopped: there are more than `total`. */
  readonly isEndless?: true;
}

/** Where rows are in a table, by the keys of their parts. */
type Parts = Map<unknown, readonly [first: number, last: number]>;

/** Otherwise SQLite looks for a browser's files, and prints why there are none. It removes the setting. */
const WITHOUT_FILES = {
  disable: {
    vfs: { kvvfs: true, opfs: true, "opfs-vfs": true, "opfs-sahpool": true, "opfs-wl": true },
  },
};

const compiled = lazily(async () => WebAssembly.compile(await sqliteBinary()));

/** Opens an empty database with the given tables. */
export async function openDatabase(tables: readonly TableSchema[]): Promise<Database> {
  const module = await compiled();
  const start: (options: unknown) => Promise<Sqlite3Static> = init;
  Object.assign(globalThis, { sqlite3ApiConfig: WITHOUT_FILES });
  const sqlite = await start({
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) {
      void WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
    print: () => {},
    printErr: () => {},
  });
  return new Database(sqlite, tables, boundedFunctions(await patternCompiler()));
}

export class Database {
  readonly tables: readonly TableSchema[];
  readonly #sqlite: Sqlite3Static;
  readonly #db: Handle;
  readonly #parts = new Map<string, Parts>();
  /** The tables and columns that the prepared statement reads; `undefined` while filling. */
  #reads: Map<string, Set<string>> | undefined;
  #refused = "";
  #deadline = Infinity;
  #isBroken = false;

  constructor(
    sqlite: Sqlite3Static,
    tables: readonly TableSchema[],
    functions: readonly SqlFunction[],
  ) {
    this.tables = tables;
    this.#sqlite = sqlite;
    const { capi } = sqlite;
    this.#db = new sqlite.oo1.DB(":memory:");
    this.#db.exec(`pragma hard_heap_limit = ${MOST_HEAP}`);
    for (const { name, columns, numbers } of tables) {
      const list = columns.map((column) =>
        `${quoted(column)} ${numbers.has(column) ? "INTEGER" : "TEXT"}`
      );
      this.#db.exec(`create table ${quoted(name)} (${list.join(", ")})`);
      this.#parts.set(name, new Map());
    }
    for (const { name, keys } of tables) {
      for (const key of keys) {
        const index = quoted(`${name} by ${key}`);
        this.#db.exec(
          `create index ${index} on ${quoted(name)} (${key.split(",").map(quoted).join(", ")})`,
        );
      }
    }
    for (const { name, arity, run } of functions) {
      this.#db.createFunction(name, (_context, ...args) => run(...args), {
        arity,
        deterministic: true,
      });
    }
    const names = new Set(tables.map(({ name }) => name));
    capi.sqlite3_set_authorizer(
      this.#db,
      (_, action, first, second) => this.#authorize(names, action, first || "", second || ""),
      0,
    );
    capi.sqlite3_progress_handler(
      this.#db,
      PROGRESS_STEPS,
      () => performance.now() > this.#deadline ? 1 : 0,
      0,
    );
    const limits = [
      [capi.SQLITE_LIMIT_LENGTH, MOST_LOADED],
      [capi.SQLITE_LIMIT_SQL_LENGTH, MOST_SQL],
      [capi.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, MOST_PATTERN],
      [capi.SQLITE_LIMIT_ATTACHED, 0],
      [capi.SQLITE_LIMIT_EXPR_DEPTH, 200],
    ] as const;
    for (const [limit, value] of limits) capi.sqlite3_limit(this.#db, limit, value);
  }

  /** Whether the database was stopped in the middle, or its memory has grown too large. */
  get isBroken(): boolean {
    return this.#isBroken || this.#sqlite.wasm.heap8u().length > LARGEST_MEMORY;
  }

  /** Returns the columns that a statement reads, by table, without running it. */
  readsOf(sql: string): ReadonlyMap<string, ReadonlySet<string>> {
    const reads = new Map<string, Set<string>>();
    this.#prepared(sql, reads, () => {});
    // The authorizer is not asked about columns that only USING or NATURAL JOIN compare.
    const words = new Set(sql.toLowerCase().match(/\w+/g));
    const isNatural = words.has("natural");
    for (const { name, columns } of isNatural || words.has("using") ? this.tables : []) {
      if (!words.has(name)) continue;
      const read = reads.getOrInsertComputed(name, () => new Set());
      for (const column of columns) if (isNatural || words.has(column)) read.add(column);
    }
    return reads;
  }

  /**
   * Runs a statement.
   *
   * @param mostRows How many rows are returned; the others are counted for a moment.
   * @param mostText After how many characters no further row is returned.
   */
  run(sql: string, mostRows: number, mostText: number): ResultSet {
    return this.#prepared(sql, new Map(), (statement) => {
      const { capi } = this.#sqlite;
      const count = capi.sqlite3_column_count(statement);
      const columns = Array.from(
        { length: count },
        (_, at) => String(capi.sqlite3_column_name(statement, at)),
      );
      const rows: Cell[][] = [];
      let total = 0;
      let size = 0;
      const isFull = () => rows.length >= mostRows || size > mostText;
      for (;;) {
        const code = capi.sqlite3_step(statement);
        if (code === capi.SQLITE_DONE) return { columns, rows, total };
        if (code === capi.SQLITE_INTERRUPT && isFull()) {
          return { columns, rows, total, isEndless: true };
        }
        if (code !== capi.SQLITE_ROW) throw this.#failure();
        total++;
        if (isFull()) continue;
        const row = columns.map((_, at) => cellOf(capi.sqlite3_column_js(statement, at)));
        size += row.reduce<number>((sum, cell) => sum + String(cell).length, 0);
        rows.push(row);
        if (isFull()) this.#deadline = Math.min(this.#deadline, performance.now() + COUNT_MS);
      }
    });
  }

  /** Removes the parts of a table that are not listed, and adds the new ones. */
  async replace(
    name: string,
    columns: readonly string[],
    parts: Iterable<TablePart>,
    turn: Turn,
  ): Promise<void> {
    const inserted = this.#parts.get(name)!;
    const wanted = new Map([...parts].map((part) => [part.key, part]));
    try {
      for (const [key, [first, last]] of inserted) {
        if (wanted.has(key)) continue;
        this.#db.exec(`delete from ${quoted(name)} where rowid between ${first} and ${last}`);
        inserted.delete(key);
      }
      const added = wanted.values().filter(({ key }) => !inserted.has(key)).toArray();
      if (added.length === 0) return;
      const [list, values] = [columns.map(quoted), columns.map((_, at) => `value ->> ${at}`)];
      const insert = this.#db.prepare(
        `insert into ${quoted(name)} (${list}) select ${values} from json_each(?)`,
      );
      try {
        for (const part of added) {
          inserted.set(part.key, await this.#insert(insert, columns, await part.rows(), turn));
          await turn();
        }
      } finally {
        insert.finalize();
      }
    } catch (error) {
      // The table is incomplete.
      this.#isBroken = true;
      if (!(error instanceof this.#sqlite.SQLite3Error)) throw error;
      throw notLoaded(name, error, MOST_HEAP / MB);
    }
  }

  /** Inserts rows, many in one step, and returns where they are. */
  async #insert(
    statement: PreparedStatement,
    columns: readonly string[],
    rows: Iterable<Row>,
    turn: Turn,
  ): Promise<[first: number, last: number]> {
    const { capi } = this.#sqlite;
    let texts: string[] = [];
    let [size, count] = [0, 0];
    const flush = () => {
      statement.bind(`[${texts.join(",")}]`).stepReset();
      count += texts.length;
      [texts, size] = [[], 0];
    };
    for (const row of rows) {
      const text = JSON.stringify(columns.map((column) => row[column] ?? null));
      texts.push(text);
      size += text.length;
      if (size > MOST_INSERTED) flush();
      await turn();
    }
    if (size > 0) flush();
    // Rows of one table get consecutive numbers.
    const last = Number(capi.sqlite3_last_insert_rowid(this.#db));
    return [last - count + 1, last];
  }

  /** Prepares a statement and uses it, within the limits. */
  #prepared<Value>(
    sql: string,
    reads: Map<string, Set<string>>,
    use: (statement: number) => Value,
  ): Value {
    const { capi, wasm } = this.#sqlite;
    if (sql.includes("\0")) throw invalid("The statement contains a NUL character");
    this.#reads = reads;
    this.#refused = "";
    this.#deadline = performance.now() + STATEMENT_MS;
    capi.sqlite3_limit(this.#db, capi.SQLITE_LIMIT_LENGTH, MOST_VALUE);
    const scope = wasm.scopedAllocPush();
    let statement = 0;
    try {
      const text = wasm.scopedAllocCString(sql, false);
      const [out, rest] = [wasm.scopedAlloc(8), wasm.scopedAlloc(8)];
      const code = capi.sqlite3_prepare_v3(this.#db, Number(text), -1, 0, out, rest);
      if (code !== 0) throw this.#failure();
      statement = Number(wasm.peekPtr(out));
      const tail = wasm.cstrToJs(wasm.peekPtr(rest)) ?? "";
      if (statement === 0) throw invalid("The text contains no statement");
      if (/[^\s;]/.test(tail.replace(/--.*|\/\*[^]*?(?:\*\/|$)/g, ""))) {
        throw invalid("There is a second statement");
      }
      if (
        capi.sqlite3_stmt_readonly(statement) === 0 ||
        capi.sqlite3_column_count(statement) === 0
      ) throw invalid("Only SELECT is allowed");
      return use(statement);
    } finally {
      if (statement !== 0) capi.sqlite3_finalize(statement);
      wasm.scopedAllocPop(scope);
      capi.sqlite3_limit(this.#db, capi.SQLITE_LIMIT_LENGTH, MOST_LOADED);
      this.#deadline = Infinity;
      this.#reads = undefined;
    }
  }

  #authorize(names: ReadonlySet<string>, action: number, first: string, second: string): number {
    const { capi } = this.#sqlite;
    const reads = this.#reads;
    if (reads === undefined) return capi.SQLITE_OK;
    if (action === capi.SQLITE_SELECT || action === capi.SQLITE_RECURSIVE) return capi.SQLITE_OK;
    if (action === capi.SQLITE_READ) {
      if (names.has(first)) {
        const columns = reads.getOrInsertComputed(first, () => new Set());
        if (second !== "") columns.add(second);
        return capi.SQLITE_OK;
      }
      // A common table expression of which no column is read.
      const isInternal = /^(?:sqlite_|pragma_|bytecode|tables_used|dbstat)/i.test(first);
      if (VIRTUAL.includes(first) || second === "" && !isInternal) return capi.SQLITE_OK;
      this.#refused ||= `The table ${quotedName(first)} is not available`;
    } else if (action === capi.SQLITE_FUNCTION) {
      if (!INTERNAL.test(second)) return capi.SQLITE_OK;
      this.#refused ||= `The function ${second} is not available`;
    }
    this.#refused ||= "Only SELECT is allowed";
    return capi.SQLITE_DENY;
  }

  /** The last error, as one that the caller can act on. */
  #failure(): RefraktError {
    const { capi } = this.#sqlite;
    const code = capi.sqlite3_errcode(this.#db);
    const message = capi.sqlite3_errmsg(this.#db);
    if (code === capi.SQLITE_INTERRUPT) return tooLong(STATEMENT_MS);
    if (this.#refused !== "") return invalid(this.#refused);
    if (code === capi.SQLITE_NOMEM) {
      return new RefraktError("TOOL_FAILED", "Stopped: the statement needs too much memory", {
        hint: "Read fewer columns and rows, or aggregate.",
      });
    }
    return new RefraktError("INVALID_ARGS", `SQLite: ${message.replace(/^Error: /, "")}`);
  }
}

function cellOf(value: unknown): Cell {
  if (value === null || typeof value === "number" || typeof value === "string") return value;
  if (value instanceof Uint8Array) return value.toHex();
  return String(value);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
