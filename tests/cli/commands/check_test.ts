/** `check`: lines like a linter's, exit codes for CI, JSON and SARIF. */

import assert from "node:assert/strict";
import { READ_ONLY, refrakt } from "../../support/run.ts";
import { makeProject } from "../../support/project.ts";

const run = (cwd: string, ...args: string[]) =>
  refrakt(cwd, ["check", ...args], { grants: READ_ONLY });

const BAD = makeProject({
  "refrakt.config.json": JSON.stringify({ site: { contentDir: "./content" } }),
  "content/index.md": "# Home\n\n{% hnt %}\nx\n{% /hnt %}\n\n### Deep\n",
  "content/ok page.md": "# Fine\n\n{% nope /%}\n",
});

Deno.test("check prints path, line, column, code and message, and ends with 1 on errors", async () => {
  const { code, stdout, stderr } = await run(BAD);
  assert.equal(code, 1);
  assert.deepEqual(stdout.trim().split("\n"), [
    'content/index.md:3:4 rune-unknown Unknown rune "hnt". Did you mean "hint"?',
    "content/index.md:7:1 heading-jump A heading of level 3 follows one of level 1",
    'content/ok page.md:3:4 rune-unknown Unknown rune "nope". Did you mean "note"?',
  ]);
  assert.match(stderr, /2 errors, 1 warning in 2 files/);
});

Deno.test("warnings alone end with 0, and so does a site in order", async () => {
  const dir = makeProject({
    "refrakt.config.json": JSON.stringify({ site: { contentDir: "." } }),
    "a.md": "# A\n\n### Deep\n",
    "b.md": "# B\n",
  });
  const all = await run(dir);
  assert.equal(all.code, 0);
  assert.match(all.stdout, /^a\.md:3:1 heading-jump/);
  const one = await run(dir, "b.md");
  assert.deepEqual([one.code, one.stdout], [0, ""]);
});

Deno.test("check prints JSON, and SARIF that code hosts read", async () => {
  const json = await run(BAD, "--json");
  assert.equal(json.code, 1);
  const report = JSON.parse(json.stdout);
  assert.deepEqual([report.ok, report.files, report.errors, report.warnings], [false, 2, 2, 1]);
  assert.deepEqual(report.findings[0], {
    path: "content/index.md",
    line: 3,
    column: 4,
    severity: "error",
    code: "rune-unknown",
    message: 'Unknown rune "hnt". Did you mean "hint"?',
  });
  const sarif = JSON.parse((await run(BAD, "--format", "sarif")).stdout);
  assert.equal(sarif.version, "2.1.0");
  const [{ tool, results }] = sarif.runs;
  for (const { ruleId, ruleIndex } of results) {
    assert.equal(tool.driver.rules[ruleIndex].id, ruleId);
  }
  assert.deepEqual(results[2].locations[0].physicalLocation, {
    artifactLocation: { uri: "content/ok%20page.md" },
    region: { startLine: 3, startColumn: 4 },
  });
  assert.deepEqual(results.map(({ level }: { level: string }) => level), [
    "error",
    "warning",
    "error",
  ]);
});

Deno.test("every site is checked, or the one that is named", async () => {
  const dir = makeProject({
    "refrakt.config.json": JSON.stringify({
      sites: { main: { contentDir: "./main" }, blog: { contentDir: "./blog" } },
    }),
    "main/a.md": "# A\n\n{% nope /%}\n",
    "blog/b.md": "# B\n",
  });
  assert.equal((await run(dir)).code, 1);
  assert.equal((await run(dir, "--site", "blog")).code, 0);
  assert.equal((await run(dir, "blog/b.md")).code, 0);
  assert.equal((await run(dir, "main/a.md")).code, 1);
});

Deno.test("what cannot be checked is an error of its own", async () => {
  const none = await run(makeProject({ "a.md": "# A\n" }));
  assert.notEqual(none.code, 0);
  assert.match(none.stderr, /No site is declared/);
  const format = await run(BAD, "--format", "xml");
  assert.equal(format.code, 2);
  const missing = await run(BAD, "content/none.md");
  assert.notEqual(missing.code, 0);
  assert.match(missing.stderr, /No such page/);
});
