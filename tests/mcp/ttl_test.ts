import assert from "node:assert/strict";
import { withClients } from "../support/in_process.ts";
import { copyExample } from "../support/run.ts";

Deno.test("results in the modern era say how long to cache them", async () => {
  await withClients({ cwd: copyExample("site-and-plan") }, async (connect) => {
    for (const era of ["modern", "legacy"] as const) {
      await connect(async (client) => {
        const isLoading = async () => Object(await client.listTools()).ttlMs === 0;
        // Until all packages are loaded, lists may change at any moment.
        while (await isLoading()) await new Promise((resolve) => setTimeout(resolve, 20));
        const answers = [
          await client.listTools(),
          await client.listPrompts(),
          await client.listResources(),
          await client.readResource({ uri: "ui://refrakt/plan-board" }),
          await client.readResource({ uri: "refrakt://plan/index" }),
        ];
        const kept = answers.map((answer) => (answer as { ttlMs?: number }).ttlMs);
        const none = kept.map(() => undefined);
        assert.deepEqual(kept, era === "modern" ? [1000, 1000, 1000, 3_600_000, 0] : none);
      }, { era });
    }
  });
});
