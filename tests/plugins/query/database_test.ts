import assert from "node:assert/strict";
import { openDatabase } from "../../../plugins/query/database.ts";

Deno.test("a database whose filling has failed is not used again", async () => {
  const table = { name: "pages", columns: ["path"], numbers: new Set<string>(), keys: [] };
  const database = await openDatabase([table]);
  const parts = [
    { key: 1, rows: () => [{ path: "a.md" }] },
    { key: 2, rows: () => Promise.reject(new Error("The project is changing")) },
  ];
  const fill = database.replace("pages", table.columns, parts, () => Promise.resolve());
  await assert.rejects(fill, /is changing/);
  assert.ok(database.isBroken);
});
