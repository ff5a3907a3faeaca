import assert from "node:assert/strict";
import { copyExample, example, refrakt } from "../../support/run.ts";

Deno.test("read prints a resource unchanged, or as JSON", async () => {
  const cwd = example("plan");
  const text = await refrakt(cwd, ["read", "refrakt://plan/work/WORK-001"]);
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

Deno.test("read --out writes a file, and contracts_check accepts that of the contracts", async () => {
  const cwd = copyExample("site-and-plan");
  const out = "plan/contracts.json";
  const args = ["read", "refrakt://contracts", "--out", out];
  const { code, stdout, stderr } = await refrakt(cwd, args);
  assert.deepEqual([code, stdout], [0, ""], stderr);
  assert.match(stderr, /^((Note:|Waiting for) .*\n)*Wrote .*contracts\.json\n$/);
  const check = await refrakt(cwd, ["call", "refrakt_contracts_check", `{"file":"${out}"}`]);
  assert.equal(check.code, 0, check.stderr + check.stdout);
  assert.equal(JSON.parse(check.stdout).upToDate, true);
  const text = await refrakt(cwd, ["read", "refrakt://plan/index", "--out", "../outside.json"]);
  assert.equal(text.code, 1);
  assert.match(text.stderr, /^PERMISSION_DENIED/);
  const wrong = await refrakt(cwd, ["list", "--out", out]);
  assert.equal(wrong.code, 2);
});
