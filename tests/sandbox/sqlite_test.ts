import assert from "node:assert/strict";
import { sqliteModule } from "../../src/sandbox/sqlite.ts";

type Database = {
  exec(sql: string): void;
  prepare(sql: string): { get(): unknown };
  close(): void;
};

Deno.test("a database is opened where its path was checked, and in memory always", () => {
  const checked: unknown[] = [];
  const { DatabaseSync } = sqliteModule((path) => {
    checked.push(path);
    throw new Error("It leads out");
  }) as { DatabaseSync: new (path: string) => Database };
  const memory = new DatabaseSync(":memory:");
  memory.exec("create table t(a); insert into t values (7)");
  assert.equal((memory.prepare("select a from t").get() as { a: number }).a, 7);
  memory.close();
  assert.throws(() => new DatabaseSync("/tmp/link.db"), /It leads out/);
  assert.deepEqual(checked, ["/tmp/link.db"]);
});
