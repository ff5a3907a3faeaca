import assert from "node:assert/strict";
import { makeProject } from "../support/project.ts";
import { ralph } from "../support/ralph_program.ts";

Deno.test("call and read work without a client, as in the main program", async () => {
  const cwd = makeProject();
  const started = await ralph(cwd, ["call", "ralph_start", '{"goal":"Add search"}']);
  assert.equal(started.code, 0, started.stderr);
  const answer = JSON.parse(started.stdout);
  assert.deepEqual([answer.name, answer.next], ["add-search", "ralph_research"]);
  assert.match(answer.instructions, /Next: call ralph_research/);
  const specs = await ralph(cwd, ["read", "ralph://specs"]);
  assert.equal(JSON.parse(specs.stdout).current, "add-search");
  const failed = await ralph(cwd, ["call", "ralph_design"]);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /PHASE_MISMATCH/);
});
