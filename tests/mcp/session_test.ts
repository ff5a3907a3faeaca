import assert from "node:assert/strict";
import { ERAS, withClient } from "../support/in_process.ts";

Deno.test("lists have one page: cursors are rejected with a reason, in both eras", async () => {
  for (const era of ERAS) {
    await withClient({}, async (client) => {
      const cursor = { cursor: "next" };
      const lists = [client.listTools(cursor), client.listResources(cursor)];
      for (const list of lists) {
        await assert.rejects(list, { code: -32602, message: /"next" is unknown/ });
      }
    }, { era });
  }
});
