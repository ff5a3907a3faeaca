import assert from "node:assert/strict";
import type { Tool } from "@modelcontextprotocol/server";
import { join } from "node:path";
import { openWorkspace } from "../../src/host/open_workspace.ts";
import { propertiesOf } from "../../src/plugin/schema.ts";
import { detected } from "../support/detected.ts";
import { makeProject } from "../support/project.ts";
import { copyExample, refrakt } from "../support/run.ts";
import { inProcess } from "../support/in_process.ts";
import { hearing, withServer } from "../support/server.ts";

const EIGHT = "contracts contracts_check inspect inspect_audit inspect_list package_validate " +
  "reference validate";
const BASE = "detect more query";
const PLAN = "claim create get history list next next_id rename review status undo update validate";

const named = (group: string, names: string) => names.split(" ").map((name) => `${group}_${name}`);

/** What a model reads of tools, in characters. */
function seen(tools: readonly Tool[]): number {
  return tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, inputSchema })
  ).join("").length;
}

Deno.test("a project lists the tools that are about what it has, in at most 20,000 characters", async () => {
  const site = named("refrakt", `${EIGHT} ${BASE} check render move rename`);
  const cases: [string, string[]][] = [
    [makeProject(), ["plan_init", "ralph_start", ...named("refrakt", "detect more undo version")]],
    [copyExample("plan"), ["ralph_start", ...named("plan", PLAN), ...named("refrakt", BASE)]],
    [copyExample("site"), ["docs_extract", "plan_init", "ralph_start", "refrakt_undo", ...site]],
    [copyExample("site-and-plan"), [
      "docs_extract",
      "ralph_start",
      ...named("plan", PLAN),
      ...site,
    ]],
  ];
  for (const [cwd, expected] of cases) {
    await inProcess(cwd, async ({ client }) => {
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map(({ name }: Tool) => name), expected.sort());
      assert.ok(seen(tools) <= 20_000, String(seen(tools)));
      for (const { name, description = "" } of tools) {
        assert.ok(description.length <= 1024, `${name}: ${description.length}`);
      }
      const eight = tools.filter(({ name }: Tool) => named("refrakt", EIGHT).includes(name));
      assert.ok(seen(eight) < 3200, String(seen(eight)));
    });
  }
});

Deno.test("every argument of every tool of ours has a description", async () => {
  const cwd = copyExample("site-and-plan");
  const { tools, ownerOf, plugins } = await openWorkspace({ cwd, plugins: ["ralph"] })
    .inventory("all");
  const ours = tools.filter((tool) => !plugins.some(({ plugin }) => plugin === ownerOf(tool)));
  assert.ok(ours.length > 45, String(ours.length));
  const silent = ours.flatMap(({ name, input }) =>
    Object.entries(propertiesOf(input.json))
      .flatMap(([argument, { description }]) => description ? [] : `${name}.${argument}`)
  );
  assert.deepEqual(silent, []);
});

Deno.test("refrakt_move and refrakt_rename are listed where the server may write pages, and detect says why they are not elsewhere", async () => {
  const cwd = copyExample("site");
  await withServer(cwd, async ({ ok, tools }) => {
    assert.ok(!(await tools()).includes("refrakt_move"));
    const { withheld, callable } = await detected(ok);
    assert.deepEqual(withheld.map(({ name }: { name: string }) => name), [
      "refrakt_move",
      "refrakt_rename",
    ]);
    assert.match(withheld[0].reason, /no permission/);
    assert.ok(callable.every(({ name }: { name: string }) => name !== "refrakt_move"));
  });
  const grants = ["--no-prompt", "--allow-read=.", "--allow-write=content"];
  await withServer(cwd, async ({ tools }) => {
    const listed = await tools();
    assert.ok(listed.includes("refrakt_move") && listed.includes("refrakt_rename"));
  }, { grants });
});

Deno.test("--tools lists exactly what it names, and is refused if it names what is not there", async () => {
  const cwd = copyExample("site-and-plan");
  const chosen = async (...args: string[]) => {
    const { code, stdout, stderr } = await refrakt(cwd, ["list", "tools", "--json", ...args]);
    if (code !== 0) return { code, stderr, names: [] };
    const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
    return { code, stderr, names: tools.map(({ name }) => name) };
  };
  const repeated = await chosen("--tools", "plan-next,refrakt_more", "--tools", "refrakt.version");
  assert.deepEqual(repeated.names, ["plan_next", "refrakt_more", "refrakt_version"]);
  const { names: plugin } = await chosen("--tools", "docs,refrakt_plugins_list");
  assert.deepEqual(plugin, ["docs_extract", "refrakt_plugins_list"]);
  const { names: all } = await chosen("--tools", "all");
  const every = [
    ...named("plan", `${PLAN} init merge`),
    ...named("refrakt", `${EIGHT} ${BASE} check render version plugins_list`),
  ];
  for (const name of every) assert.ok(all.includes(name), name);
  const { names: site } = await chosen("--tools", "site");
  assert.ok(site.every((name) => name.startsWith("refrakt_")) && site.length >= 13, String(site));
  for (const wrong of ["nope", "plan_nope", "theme"]) {
    const { code, stderr } = await chosen("--tools", `plan_next,${wrong}`);
    assert.equal(code, 2, wrong);
    assert.match(stderr, new RegExp(`Invalid value for --tools: "${wrong}"`));
    const started = await refrakt(cwd, ["--tools", `plan_next,${wrong}`]);
    assert.deepEqual([started.code, started.stdout], [2, ""], wrong);
    assert.match(started.stderr, /The groups are plan, repair, site/);
  }
});

Deno.test("repair is listed where names show it, and the rest can be called", async () => {
  const cwd = copyExample("site-and-plan");
  const repair = ["plan_merge", "plan_migrate"];
  await withServer(cwd, async ({ call, tools }) => {
    assert.deepEqual(await tools(), ["plan_next"]);
    assert.equal((await call("refrakt_render", { path: "index.md" })).isError, undefined);
  }, { args: ["--tools", "plan_next"] });
  const work = join(cwd, "plan/work");
  const [first] = [...Deno.readDirSync(work)].map(({ name }) => name).sort();
  await inProcess(cwd, async ({ client, ok, tools }) => {
    const usual = await tools();
    assert.ok(!repair.some((name) => usual.includes(name)), String(usual));
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
      const always = tools.filter(({ _meta }: Tool) =>
        Object(_meta)["anthropic/alwaysLoad"] === true
      );
      assert.ok(always.length >= 4 && always.length <= 6, `${example}: ${always.length}`);
    });
  }
});
