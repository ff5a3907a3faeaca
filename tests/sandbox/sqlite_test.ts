import assert from "node:assert/strict";
import { sqliteModule } from "../../src/sandbox/sqlite.ts";

type Database = {
  exec(sql: string): void;
  prepare(sql: string): { get(): unknown };
  close(): void;
};

Deno.test("a database is opened where its path was checked, and in memory always", () => {
  const checked: unknown[] = [];
  const { DatabaseSync, backup } = sqliteModule((path) => {
    checked.push(path);
    throw new Error("It leads out");
  }) as {
    DatabaseSync: new (path: string) => Database;
    backup: (from: Database, path: string) => unknown;
  };
  const memory = new DatabaseSync(":memory:");
  memory.exec("create table t(a); insert into t values (7)");
  assert.equal((memory.prepare("select a from t").get() as { a: number }).a, 7);
  assert.throws(() => backup(memory, "/tmp/copy.db"), /It leads out/);
  memory.close();
  assert.throws(() => new DatabaseSync("/tmp/link.db"), /It leads out/);
  assert.deepEqual(checked, ["/tmp/copy.db", "/tmp/link.db"]);
});
