import assert from "node:assert/strict";
import { join } from "node:path";
import { copyExample } from "../support/run.ts";
import { inProcess } from "../support/in_process.ts";
import { hearing, withServer } from "../support/server.ts";

Deno.test("the list of tools that models see with a plan and a site has at most 16,200 characters", async () => {
  await inProcess(copyExample("site-and-plan"), async ({ client }) => {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }: { name: string }) => name);
    for (const name of ["plan_update", "refrakt_render", "refrakt_query"]) {
      assert.ok(names.includes(name), name);
    }
    const seen = tools.map(({ name, description, inputSchema }: typeof tools[number]) =>
      JSON.stringify({ name, description, inputSchema })
    ).join("").length;
    // Room for those of plugins: with docs_extract a real project stays below 16,500.
    assert.ok(seen <= 16_200, String(seen));
  });
});

Deno.test("--tools lists only what it names, repair is listed where names show it, and the rest can be called", async () => {
  const cwd = copyExample("site-and-plan");
  const repair = ["plan_merge", "plan_renumber"];
  const theme = "contracts inspect inspect_audit validate".split(" ").map((name) =>
    `refrakt_${name}`
  );
  const args = ["--tools", "theme,refrakt_more", "--tools", "plan-next"];
  await withServer(cwd, async ({ call, tools }) => {
    const chosen = ["plan_next", ...theme, "refrakt_more"].sort();
    assert.deepEqual((await tools()).sort(), chosen);
    assert.equal((await call("refrakt_render", { path: "index.md" })).isError, undefined);
  }, { args });
  const work = join(cwd, "plan/work");
  const [first] = [...Deno.readDirSync(work)].map(({ name }) => name).sort();
  await inProcess(cwd, async ({ client, ok, tools }) => {
    const usual = await tools();
    const ours = usual.filter((name) => /^(?:plan|refrakt)_/.test(name));
    assert.ok(ours.length <= 18, String(ours));
    assert.ok(![...repair, ...theme].some((name) => usual.includes(name)), String(usual));
    const changed = hearing(client)("notifications/tools/list_changed");
    Deno.copyFileSync(join(work, first!), join(work, first!.replace(/\.md$/, "-copy.md")));
    await ok("refrakt_version");
    await changed;
    assert.deepEqual((await tools()).filter((name) => repair.includes(name)), repair);
  });
});

Deno.test("four to six tools, by kind of project, are for the model's first request", async () => {
  for (const example of ["plan", "site", "site-and-plan"]) {
    await inProcess(copyExample(example), async ({ client }) => {
      const { tools } = await client.listTools();
      const always = tools.filter(({ _meta }: { _meta?: object }) =>
        Object(_meta)["anthropic/alwaysLoad"] === true
      );
      assert.ok(always.length >= 4 && always.length <= 6, `${example}: ${always.length}`);
    });
  }
});
