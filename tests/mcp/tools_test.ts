import assert from "node:assert/strict";
import { copyExample } from "../support/run.ts";
import { withServer } from "../support/server.ts";

Deno.test("the list of tools that models see with a plan and a site has at most 16,200 characters", async () => {
  await withServer(copyExample("site-and-plan"), async ({ client }) => {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }: { name: string }) => name);
    for (const name of ["plan.update", "refrakt.render", "refrakt.query"]) {
      assert.ok(names.includes(name), name);
    }
    const seen = tools.map(({ name, description, inputSchema }: typeof tools[number]) =>
      JSON.stringify({ name, description, inputSchema })
    ).join("").length;
    // Room for those of plugins: with docs.extract a real project stays below 16,500.
    assert.ok(seen <= 16_200, String(seen));
  });
});

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
