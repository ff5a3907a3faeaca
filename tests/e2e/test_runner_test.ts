import assert from "node:assert/strict";
import { testsOf } from "../support/chosen.ts";
import { runProcess } from "../support/process.ts";
import { makeProject } from "../support/project.ts";
import { ROOT } from "../support/server.ts";

async function runTests(source: string) {
  const cwd = makeProject({ "made_up_test.ts": source });
  const args = ["run", "-A", "--no-check", `${ROOT}.ci/test.ts`, `${cwd}/made_up_test.ts`];
  const { code, stdout } = await runProcess(Deno.execPath(), args, cwd);
  return { code, stdout, last: stdout.trimEnd().split("\n").at(-1) };
}

Deno.test("the runner prints only the output of failing tests, and one total", async () => {
  const { code, stdout, last } = await runTests(`
    Deno.test("good", () => console.error("[refrakt] quiet"));
    Deno.test("bad", () => { console.error("[refrakt] loud"); throw new Error("no"); });
    Deno.test("steps", async (t) => {
      console.log("quiet, too");
      await t.step("one ... ok", () => console.error("[refrakt] quiet"));
    });
    Deno.test({ name: "elsewhere (skipped: only there)", ignore: true, fn: () => {} });`);
  assert.deepEqual([code, last], [1, "2 passed, 1 failed"], stdout);
  assert.doesNotMatch(stdout, /quiet/);
  assert.match(stdout, /\[refrakt\] loud/);
  assert.match(stdout, /^skipped: elsewhere \(skipped: only there\)$/m);
  assert.match(stdout, /^skipped:[^]*^bad => [^]*error: Error: no/m, "the errors come last");
});

Deno.test("the runner fails if tests leave temporary files", async () => {
  const left = await runTests(`Deno.test("good", () => void Deno.makeTempFileSync());`);
  assert.deepEqual([left.code, left.last], [1, "1 passed, 1 failed"], left.stdout);
  assert.match(left.stdout, /^FAILED: the tests left 1 files or folders/m);
});

Deno.test("a changed file is tested by what names it, else by the folder of its name", () => {
  // A path in one piece would name this test.
  const testsOfOne = (folder: string, name: string) => testsOf([`${folder}/${name}`]);
  assert.ok(
    testsOfOne("plugins/query", "made_up.ts").includes("tests/plugins/query/hostile_test.ts"),
  );
  const claim = testsOfOne("plugins/plan/tools", "claim.ts");
  assert.ok(claim.includes("tests/plugins/plan/tools/claim_test.ts"), claim.join());
  assert.ok(!claim.includes("tests/plugins/query/hostile_test.ts"));
  const [readme, generate] = ["readme", "generate"].map((name) => `tests/docs/${name}_test.ts`);
  const files: readonly [folder: string, name: string, tests: readonly string[]][] = [
    [".", "README.md", [readme!]],
    ["docs", "ralph.md", [readme!, generate!]],
    ["tests/snapshots", "tools.json", [generate!]],
    [".", "deno.json", ["tests/e2e/workflows_test.ts"]],
    [".github/workflows", "release.yml", ["tests/e2e/workflows_test.ts"]],
    ["examples/site-and-plan", "refrakt.config.json", ["tests/mcp/tools_test.ts"]],
  ];
  for (const [folder, name, expected] of files) {
    const tests = testsOfOne(folder, name);
    for (const path of expected) assert.ok(tests.includes(path), `${name}: ${tests}`);
  }
});
