/** The one-shot commands of the Ralph program. */

import assert from "node:assert/strict";
import { makeProject } from "../support/project.ts";
import { ralph } from "../support/ralph_program.ts";

Deno.test("call, list and read work without a client, as in the main program", async () => {
  const cwd = makeProject();
  const started = await ralph(cwd, ["call", "ralph_start", '{"goal":"Add search"}']);
  assert.equal(started.code, 0, started.stderr);
  const answer = JSON.parse(started.stdout);
  assert.deepEqual([answer.name, answer.next], ["add-search", "ralph_research"]);
  assert.match(answer.instructions, /Next: call ralph_research/);
  const list = await ralph(cwd, ["list", "tools"]);
  assert.match(list.stdout, /^ {2}ralph_cancel +\S/);
  const specs = await ralph(cwd, ["read", "ralph://specs"]);
  assert.equal(JSON.parse(specs.stdout).current, "add-search");
  const failed = await ralph(cwd, ["call", "ralph_design"]);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /PHASE_MISMATCH/);
});

Deno.test("an unknown command or flag exits with 2 and suggests the nearest", async () => {
  const cwd = makeProject();
  const cases = [
    [["calls"], /Did you mean "call"/],
    [["list", "a", "b", "c"], /Usage: list/],
    [["--jsn"], /--json/],
    [["--json"], /applies to call/],
  ] as const;
  for (const [args, hint] of cases) {
    const { code, stderr } = await ralph(cwd, args);
    assert.equal(code, 2, args.join(" "));
    assert.match(stderr, hint);
  }
  const help = await ralph(cwd, ["help"]);
  assert.match(help.stdout, /Commands:\n {2}call <tool>/);
});
