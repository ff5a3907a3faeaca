import assert from "node:assert/strict";
import { copyExample } from "../support/run.ts";
import { withServer } from "../support/server.ts";

Deno.test("tools for views are listed to clients that show views, and others can call them", async () => {
  const cwd = copyExample("site-and-plan");
  const views = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
  for (const extensions of [views, undefined]) {
    await withServer(cwd, async ({ tools, ok }) => {
      const listed = (await tools()).includes("refrakt.preview");
      assert.equal(listed, extensions !== undefined);
      if (!listed) assert.equal((await ok("refrakt.preview", { rune: "hint" })).kind, "rune");
    }, { capabilities: extensions === undefined ? {} : { extensions } });
  }
});
