import assert from "node:assert/strict";
import { makeProject, SMALL_PLAN } from "../../support/project.ts";
import { example, refrakt } from "../../support/run.ts";

Deno.test("list prints tools, resources and prompts as text", async () => {
  const { code, stdout, stderr } = await refrakt(example("plan"), ["list"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^tools\n {2}plan_claim +\S/);
  assert.match(stdout, /\nresources\n/);
  assert.match(stdout, /\n {2}refrakt:\/\/plan\/\{type\}\/\{id\} /);
  assert.match(stdout, /\nprompts\n/);
  for (const line of stdout.split("\n")) assert.ok(line.length <= 100, line);
});

Deno.test("list takes one kind, and --json", async () => {
  const cwd = example("two-sites");
  const text = await refrakt(cwd, ["list", "tools"]);
  assert.match(text.stdout, /^ {2}\S/);
  assert.ok(!text.stdout.includes("refrakt://"));
  const json = await refrakt(cwd, ["list", "--json"]);
  const listed = JSON.parse(json.stdout);
  assert.deepEqual(Object.keys(listed), ["tools", "resources", "prompts"]);
  for (const { name, title, description } of listed.tools) {
    assert.ok(name && title && description, name);
    assert.ok(text.stdout.includes(`  ${name} `), name);
  }
  const one = JSON.parse((await refrakt(cwd, ["list", "prompts", "--json"])).stdout);
  assert.deepEqual(Object.keys(one), ["prompts"]);
});

Deno.test("list tools with a name shows the arguments", async () => {
  const cwd = example("plan");
  const { code, stdout } = await refrakt(cwd, ["list", "tools", "plan_update"]);
  assert.equal(code, 0);
  assert.match(stdout, /^plan_update: .* \(writes.*\)\n/);
  assert.match(stdout, /Arguments:\n(?: {2}.*\n)* {2}id +string/);
  const json = JSON.parse((await refrakt(cwd, ["list", "tools", "plan_update", "--json"])).stdout);
  assert.ok(json.inputSchema.properties.id);
});

Deno.test("list explains why a tool is unavailable, and suggests the nearest name for an unknown one", async () => {
  const cwd = example("plan");
  const hidden = await refrakt(cwd, ["list", "tools", "refrakt_inspect"]);
  assert.match(hidden.stdout, /Not listed here: this project has no site\./);
  const unknown = await refrakt(cwd, ["list", "tools", "plan.nxt"]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /Unknown tool: "plan\.nxt"\nDid you mean "plan_next"/);
});

Deno.test("list says which plugins are not loaded, and fails", async () => {
  for (const name of ["@refrakt-md/nowhere", "@acme/x"]) {
    const config = JSON.stringify({ plugins: [name] });
    const cwd = makeProject({ ...SMALL_PLAN, "refrakt.config.json": config });
    for (const flags of [[], ["--json"]]) {
      const { code, stdout, stderr } = await refrakt(cwd, ["list", "tools", ...flags]);
      assert.equal(code, 1, stderr);
      assert.ok(stderr.includes(name), stderr);
      assert.match(stdout, /plan_next/);
    }
  }
});
