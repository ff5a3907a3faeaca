import assert from "node:assert/strict";
import { entity, writeFiles } from "../../support/project.ts";
import { copyExample, example, refrakt } from "../../support/run.ts";

Deno.test("call takes its arguments as JSON, and from stdin", async () => {
  const cwd = example("plan");
  const input = JSON.stringify({ count: 1 });
  const direct = await refrakt(cwd, ["call", "plan_next", input]);
  assert.deepEqual([direct.code, direct.stderr], [0, ""]);
  const piped = await refrakt(cwd, ["call", "plan_next", "-"], { input: `${input}\n` });
  assert.equal(piped.code, 0, piped.stderr);
  assert.equal(piped.stdout, direct.stdout);
  assert.equal(JSON.parse(piped.stdout).items.length, 1);
});

Deno.test("call exits with 1 and prints to stderr if the tool fails", async (t) => {
  const cwd = example("plan");
  const cases: [string, string[], RegExp][] = [
    ["an unknown entity", ["plan_update", '{"id":"WORK-999","status":"done"}'], /^NOT_FOUND: /],
    ["a tool that needs a site", ["refrakt_inspect", '{"rune":"hint"}'], /^SITE_CONFIG_MISSING: /],
  ];
  for (const [name, args, message] of cases) {
    await t.step(name, async () => {
      const { code, stdout, stderr } = await refrakt(cwd, ["call", ...args]);
      assert.equal(code, 1);
      assert.equal(stdout, "");
      assert.match(stderr, message);
      assert.ok(!stderr.includes("    at "), "no stack");
    });
  }
});

Deno.test("call exits with 1 if the answer has errors, and prints it", async () => {
  const cwd = copyExample("site-and-plan");
  const odd = entity("work", { id: "WORK-099", status: "odd" }, "Odd", "");
  writeFiles(cwd, { "plan/work/WORK-099-odd.md": odd, "contracts.json": '{"runes":{}}' });
  const validated = await refrakt(cwd, ["call", "plan_validate"]);
  assert.deepEqual([validated.code, JSON.parse(validated.stdout).exitCode], [1, 1]);
  const checked = await refrakt(cwd, [
    "call",
    "refrakt_contracts_check",
    '{"file":"contracts.json"}',
  ]);
  assert.deepEqual([checked.code, JSON.parse(checked.stdout).upToDate], [1, false]);
});

Deno.test("call exits with 2 if the command line is invalid", async (t) => {
  const cwd = example("plan");
  const cases: [string, string[], RegExp][] = [
    ["no tool", ["call"], /needs the name of a tool/],
    ["no JSON", ["call", "plan_next", "{count:1}"], /not JSON/],
    ["no object", ["call", "plan_next", "[1]"], /must be a JSON object/],
    ["an unknown argument", ["call", "plan_next", '{"bogus":1}'], /INVALID_ARGS: .*bogus/],
    ["a wrong value", ["call", "plan_next", '{"count":"many"}'], /INVALID_ARGS: .*count/],
    ["an unknown tool", ["call", "plan.nxt"], /^NOT_FOUND: .*\nDid you mean "plan_next"/],
    ["a tool as a command", ["status"], /Did you mean "call plan_status"/],
    ["a tool's name as a command", ["plan.next"], /Did you mean "call plan_next"\?/],
    [
      "one of two",
      ["validate"],
      /Did you mean "call plan_validate" or "call refrakt_validate"\?/,
    ],
    ["an unknown command", ["cal", "plan_next"], /Unknown command: "cal"\nDid you mean "call"\?/],
    [
      "a tool in two words",
      ["plan", "next"],
      /Unknown command: "plan"\nDid you mean "call plan_next"/,
    ],
    ["its misspelt plugin", ["plna", "next"], /Did you mean "call plan_next"/],
    ["a tool's last words", ["plugins", "list"], /Did you mean "call refrakt_plugins_list"/],
  ];
  for (const [name, args, message] of cases) {
    await t.step(name, async () => {
      const { code, stdout, stderr } = await refrakt(cwd, args);
      assert.equal(code, 2);
      assert.equal(stdout, "");
      assert.match(stderr, /^(Error|INVALID_ARGS|NOT_FOUND): /);
      assert.match(stderr, message);
    });
  }
});
