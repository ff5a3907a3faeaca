import assert from "node:assert/strict";
import { copyExample, READ_ONLY, refrakt } from "../support/run.ts";

Deno.test("list shows tools, resources and prompts for a person", async () => {
  const { code, stdout, stderr } = await refrakt(copyExample("plan"), ["list"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^tools\n {2}plan\.create +\S/);
  assert.match(stdout, /\nresources\n/);
  assert.match(stdout, /\n {2}refrakt:\/\/plan\/\{type\}\/\{id\} /);
  assert.match(stdout, /\nprompts\n/);
  for (const line of stdout.split("\n")) assert.ok(line.length <= 100, line);
});

Deno.test("list takes one kind, and --json", async () => {
  const cwd = copyExample("two-sites");
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

Deno.test("list shows the Ralph tools where they are asked for", async () => {
  const cwd = copyExample("plan");
  const without = await refrakt(cwd, ["list", "tools"]);
  assert.ok(!without.stdout.includes("ralph_"));
  const { stdout } = await refrakt(cwd, ["list", "--plugin", "ralph"]);
  assert.match(stdout, /ralph_start/);
  assert.match(stdout, /prompts\n {2}\S/);
});

Deno.test("list names the nearest kind", async () => {
  const { code, stdout, stderr } = await refrakt(copyExample("plan"), ["list", "tool"]);
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /list does not know "tool"\nDid you mean tools\?/);
});

Deno.test("read prints a resource as it is, or as JSON", async () => {
  const cwd = copyExample("plan");
  const text = await refrakt(cwd, ["read", "refrakt://plan/work/WORK-001"], { grants: READ_ONLY });
  assert.equal(text.code, 0, text.stderr);
  assert.match(text.stdout, /^\{% work id="WORK-001"/);
  const json = await refrakt(cwd, ["read", "refrakt://plan/work/WORK-001", "--json"]);
  const { uri, mimeType, text: body } = JSON.parse(json.stdout);
  assert.equal(uri, "refrakt://plan/work/WORK-001");
  assert.equal(mimeType, "text/markdown");
  assert.equal(body, text.stdout);
  const data = await refrakt(cwd, ["read", "refrakt://detect"]);
  assert.equal(JSON.parse(data.stdout).cwd, cwd);
});

Deno.test("read ends with 1 for what is not there, and with 2 without a URI", async () => {
  const cwd = copyExample("plan");
  const missing = await refrakt(cwd, ["read", "refrakt://plan/work/WORK-999"]);
  assert.equal(missing.code, 1);
  assert.equal(missing.stdout, "");
  assert.match(missing.stderr, /^NOT_FOUND: .*WORK-999/);
  const unknown = await refrakt(cwd, ["read", "refrakt://plam/index"]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /^NOT_FOUND: /);
  const none = await refrakt(cwd, ["read"]);
  assert.equal(none.code, 2);
  assert.match(none.stderr, /needs the URI/);
});
