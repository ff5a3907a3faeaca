/** The one-shot commands of the Ralph program. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { runProcess } from "../support/process.ts";
import { makeProject, writeFiles } from "../support/project.ts";
import { ROOT } from "../support/server.ts";

const GRANTS = ["--no-prompt", "--allow-read=.", "--allow-write=specs,.gitignore"];

function ralph(cwd: string, args: readonly string[], grants: readonly string[] = GRANTS) {
  const entry = join(ROOT, "plugins/ralph/mod.ts");
  return runProcess(Deno.execPath(), ["run", "--no-lock", ...grants, entry, ...args], cwd);
}

Deno.test("call, list and read work without a client, as those of the main program do", async () => {
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

Deno.test("doctor names missing grants and specs without a state", async () => {
  const cwd = makeProject();
  writeFiles(cwd, { "specs/lost/research.md": "r", "specs/.current-spec": "gone" });
  const text = await ralph(cwd, ["doctor"], GRANTS.slice(0, 2));
  assert.equal(text.code, 0, text.stderr);
  assert.match(text.stdout, /warn +grant +--allow-write=specs is missing/);
  assert.match(text.stdout, /warn +specs +specs\/\.current-spec is stale/);
  assert.match(text.stdout, /warn +specs +lost has no usable state/);
  const json = JSON.parse((await ralph(cwd, ["doctor", "--json"])).stdout);
  assert.equal(json.healthy, true);
  assert.ok(json.findings.every((finding: { topic: string }) => finding.topic !== "git"));
});

Deno.test("an unknown command or flag is told the nearest, and ends with 2", async () => {
  const cwd = makeProject();
  for (
    const [args, hint] of [
      [["calls"], /Did you mean "call"/],
      [["list", "a", "b", "c"], /Usage: list/],
      [["--jsn"], /--json/],
      [["--json"], /goes with call/],
    ] as const
  ) {
    const { code, stderr } = await ralph(cwd, args);
    assert.equal(code, 2, args.join(" "));
    assert.match(stderr, hint);
  }
  const help = await ralph(cwd, ["help"]);
  assert.match(help.stdout, /Commands:\n {2}call <tool>/);
});
