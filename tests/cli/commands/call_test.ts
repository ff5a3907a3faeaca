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

type Case = readonly [args: readonly string[], message: RegExp];

/** Commands that fail with an exit code, and print why. */
async function fail(cases: readonly Case[], expected: number): Promise<void> {
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await refrakt(example("plan"), args);
    assert.deepEqual([code, stdout], [expected, ""], args.join(" "));
    assert.match(stderr, /^(?:Error|[A-Z_]+): /);
    assert.match(stderr, message);
    assert.ok(!stderr.includes("    at "), "no stack");
  }
}

Deno.test("call and read exit with 1 and print to stderr if the tool or the resource fails", () =>
  fail([
    [["read", "refrakt://plan/work/WORK-999"], /^NOT_FOUND: .*WORK-999/],
    [["read", "refrakt://plam/index"], /^NOT_FOUND: /],
    [["call", "plan_update", '{"id":"WORK-999","status":"done"}'], /^NOT_FOUND: /],
    [["call", "refrakt_inspect", '{"rune":"hint"}'], /^SITE_CONFIG_MISSING: /],
  ], 1));

Deno.test("call exits with 1 if the answer has errors, and prints it", async () => {
  const cwd = copyExample("site-and-plan");
  const odd = entity("work", { id: "WORK-099", status: "odd" }, "Odd", "");
  writeFiles(cwd, { "plan/work/WORK-099-odd.md": odd, "contracts.json": '{"runes":{}}' });
  const validated = await refrakt(cwd, ["call", "plan_validate"]);
  assert.deepEqual([validated.code, JSON.parse(validated.stdout).exitCode], [1, 1]);
  const args = ["call", "refrakt_contracts_check", '{"file":"contracts.json"}'];
  const checked = await refrakt(cwd, args);
  assert.deepEqual([checked.code, JSON.parse(checked.stdout).upToDate], [1, false]);
});

Deno.test("commands exit with 2 if the command line is invalid", () =>
  fail([
    [["read"], /needs the URI/],
    [["help", "docter"], /Unknown command: "docter"\nDid you mean "doctor"/],
    [["call"], /needs the name of a tool/],
    [["call", "plan_next", "{count:1}"], /not JSON/],
    [["call", "plan_next", "[1]"], /must be a JSON object/],
    [["call", "plan_next", '{"bogus":1}'], /INVALID_ARGS: .*bogus/],
    [["call", "plan_next", '{"count":"many"}'], /INVALID_ARGS: .*count/],
    [["call", "plan.nxt"], /^NOT_FOUND: .*\nDid you mean "plan_next"/],
    [["status"], /Did you mean "call plan_status"/],
    [["plan.next"], /Did you mean "call plan_next"\?/],
    [["validate"], /Did you mean "call plan_validate" or "call refrakt_validate"\?/],
    [["cal", "plan_next"], /Unknown command: "cal"\nDid you mean "call"\?/],
    [["plan", "next"], /Unknown command: "plan"\nDid you mean "call plan_next"/],
    [["plna", "next"], /Did you mean "call plan_next"/],
    [["plugins", "list"], /Did you mean "call refrakt_plugins_list"/],
  ], 2));
