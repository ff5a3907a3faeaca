import assert from "node:assert/strict";
import { makeProject, writeFiles } from "../../support/project.ts";
import { ralph, RALPH_GRANTS } from "../../support/ralph_program.ts";

Deno.test("doctor names missing grants and specs without a state", async () => {
  const cwd = makeProject();
  writeFiles(cwd, { "specs/lost/research.md": "r", "specs/.current-spec": "gone" });
  const text = await ralph(cwd, ["doctor"], RALPH_GRANTS.slice(0, 2));
  assert.equal(text.code, 0, text.stderr);
  assert.match(text.stdout, /warn +grant +--allow-write=specs is missing/);
  assert.match(text.stdout, /warn +specs +specs\/\.current-spec is stale/);
  assert.match(text.stdout, /warn +specs +lost has no usable state/);
  const json = JSON.parse((await ralph(cwd, ["doctor", "--json"])).stdout);
  assert.equal(json.healthy, true);
  assert.ok(json.findings.every((finding: { topic: string }) => finding.topic !== "git"));
});
