import assert from "node:assert/strict";
import { copyExample } from "../support/run.ts";
import { README_PERMISSIONS, type StartOptions, withServer } from "../support/server.ts";

const WITH_RALPH: readonly string[] = README_PERMISSIONS.map((grant) =>
  grant === "--allow-write=plan" ? "--allow-write=plan,specs,.gitignore" : grant
);

/** Every model is sent the list in every session: about four characters are a token. */
const LIMITS: readonly [what: string, most: number, has: string, options: StartOptions][] = [
  ["a plan and a site", 18_000, "refrakt_render", {}],
  ["a plan, a site and Ralph", 25_000, "ralph_tasks", {
    grants: WITH_RALPH,
    args: ["--plugin", "ralph"],
  }],
  ["Ralph alone", 9_000, "ralph_tasks", { grants: WITH_RALPH, entry: "plugins/ralph/mod.ts" }],
];

for (const [what, most, has, options] of LIMITS) {
  Deno.test(`the list of tools of ${what} stays under ${most} characters`, async () => {
    const cwd = copyExample("site-and-plan");
    await withServer(cwd, async (session) => {
      // The first list may come before every plugin is loaded.
      await session.ok(options.entry === undefined ? "refrakt.detect" : "ralph_status");
      const { tools } = await session.client.listTools();
      assert.ok(tools.some(({ name }: { name: string }) => name.replace(".", "_") === has));
      const { length } = JSON.stringify(tools);
      assert.ok(length < most, String(length));
    }, { ...options, client: "langchain" });
  });
}

Deno.test("a tool for views is listed to clients that show some, and can be called by others", async () => {
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
