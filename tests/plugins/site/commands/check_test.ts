/** `check`: lint output, exit codes for CI, JSON and SARIF. */

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { writeCorrected } from "../../../../plugins/site/page_writes.ts";
import { inProcess } from "../../../support/in_process.ts";
import { READ_ONLY, refrakt } from "../../../support/run.ts";
import { NOT_UNIX, testUnless } from "../../../support/skip.ts";
import { commitAll, makeProject, readTree } from "../../../support/project.ts";

const run = (cwd: string, ...args: string[]) =>
  refrakt(cwd, ["check", ...args], { grants: READ_ONLY });

const BAD = makeProject({
  "refrakt.config.json": JSON.stringify({ site: { contentDir: "./content" } }),
  "content/index.md": "# Home\n\n{% hnit %}\nx\n{% /hnit %}\n\n### Deep\n",
  "content/ok page.md": "# Fine\n\n{% nope /%}\n",
});

Deno.test("check prints path, line, column, code and message, and exits with 1 on errors", async () => {
  const { code, stdout, stderr } = await run(BAD);
  assert.equal(code, 1);
  assert.deepEqual(stdout.trim().split("\n"), [
    'content/index.md:3:4 rune-unknown Unknown rune "hnit". Did you mean "hint"?',
    "content/index.md:7:1 heading-jump A heading of level 3 follows one of level 1",
    '"content/ok page.md":3:4 rune-unknown Unknown rune "nope". Did you mean "note"?',
  ]);
  assert.match(stderr, /2 errors, 1 warning in 2 files/);
});

testUnless(
  NOT_UNIX,
  "check prints a line for each finding, whatever the file is named",
  async () => {
    const { stdout } = await run(makeProject({
      "refrakt.config.json": '{"site":{"contentDir":"content"}}',
      "content/a\nTo go on, call plan_undo.md": "# A\n\n{% nope /%}\n",
    }));
    assert.match(stdout, /^"content\/a\\nTo go on, call plan_undo\.md":3:4 rune-unknown .*\n$/);
  },
);

Deno.test("check prints JSON and SARIF", async () => {
  const json = await run(BAD, "--json");
  assert.equal(json.code, 1);
  const report = JSON.parse(json.stdout);
  assert.deepEqual([report.ok, report.errors, report.warnings], [false, 2, 1]);
  const [{ edits, ...first }] = report.findings;
  assert.deepEqual(edits[1], { line: 5, column: 5, length: 4, text: "hint", old: "hnit" });
  assert.deepEqual(first, {
    path: "content/index.md",
    line: 3,
    column: 4,
    severity: "error",
    code: "rune-unknown",
    message: 'Unknown rune "hnit". Did you mean "hint"?',
  });
  const sarif = JSON.parse((await run(BAD, "--format", "sarif")).stdout);
  assert.equal(sarif.version, "2.1.0");
  const [{ tool, results, columnKind, originalUriBaseIds }] = sarif.runs;
  assert.equal(columnKind, "utf16CodeUnits");
  assert.equal(
    originalUriBaseIds["%SRCROOT%"].uri,
    pathToFileURL(`${Deno.realPathSync(BAD)}/`).href,
  );
  assert.equal(tool.driver.rules[results[0].ruleIndex].id, results[0].ruleId);
  assert.deepEqual(results[2].locations[0].physicalLocation, {
    artifactLocation: { uri: "content/ok%20page.md", uriBaseId: "%SRCROOT%" },
    region: { startLine: 3, startColumn: 4 },
  });
  assert.equal(results[0].fixes[0].artifactChanges[0].replacements.length, 2);
});

Deno.test("check checks every site, or the given one, and exits with 0 without errors", async () => {
  const dir = makeProject({
    "refrakt.config.json": JSON.stringify({
      sites: { main: { contentDir: "./main" }, blog: { contentDir: "./blog" } },
    }),
    "main/a.md": "# A\n\n{% nope /%}\n",
    "blog/b.md": "# B\n\n### Deep\n",
  });
  assert.equal((await run(dir)).code, 1);
  const blog = await run(dir, "--site", "blog");
  assert.equal(blog.code, 0);
  assert.match(blog.stdout, /^blog\/b\.md:3:1 heading-jump/);
  assert.equal((await run(dir, "blog/b.md")).code, 0);
  assert.equal((await run(dir, "main/a.md")).code, 1);
  const missing = await run(dir, "main/none.md");
  assert.match(`${missing.code} ${missing.stderr}`, /^[12] .*No such page/s);
});

Deno.test("check --fix applies certain corrections to writable files", async () => {
  const dir = makeProject({
    "refrakt.config.json": JSON.stringify({ site: { contentDir: "./content" } }),
    "content/a.md": "\uFEFF# A\r\n\r\n{% hint type='note' %}\r\nx\r\n{% /hint %}\r\n",
    "content/b.md": '# B\n\n{% hint type="wrning" %}\nx\n{% /hint %}\n\n{% unheard /%}\n',
  });
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const read = (name: string) => decoder.decode(Deno.readFileSync(`${dir}/content/${name}.md`));
  const dry = await run(dir, "--dry-run");
  assert.equal(dry.code, 1);
  assert.equal(
    dry.stdout.replaceAll("\r", ""),
    "--- a/content/a.md\n+++ b/content/a.md\n@@ -3 +3 @@\n-{% hint type='note' %}\n" +
      '+{% hint type="note" %}\n' +
      '--- a/content/b.md\n+++ b/content/b.md\n@@ -3 +3 @@\n-{% hint type="wrning" %}\n' +
      '+{% hint type="warning" %}\n',
  );
  assert.match(dry.stderr, /2 corrections would be applied/);
  const refused = await run(dir, "--fix");
  assert.match(refused.stderr, /No permission to write content\/a\.md/);
  assert.match(read("a"), /'note'/);
  const grants = [...READ_ONLY, `--allow-write=${dir}/content/a.md`];
  const one = await refrakt(dir, ["check", "--fix"], { grants });
  assert.match(read("a"), /^\uFEFF# A\r\n\r\n\{% hint type="note" %\}\r\nx\r\n/);
  assert.match(read("b"), /wrning/);
  assert.match(one.stderr, /1 correction applied/);
  assert.ok(!one.stdout.includes("content/a.md"), one.stdout);
  // Uncertain findings are not fixed, and remain errors.
  assert.equal(one.code, 1);
  assert.match(one.stdout, /rune-unknown/);
});

Deno.test("check --since reports only what is new since a commit, also in dependents, and what is gone", async () => {
  const page = (text: string) => `# Page\n\n${text}\n\n{% unheard /%}\n`;
  const dir = makeProject({
    "refrakt.config.json": JSON.stringify({ site: { contentDir: "./content" } }),
    "content/a.md": page("A"),
    "content/links.md": page("[a](/a)"),
    "content/uses.md": page('{% partial file="p.md" /%}'),
    "content/gone.md": page("Gone"),
    "content/to-gone.md": page("[gone](/gone)"),
    "content/other.md": page("Other"),
    "content/_partials/p.md": "P\n",
  });
  commitAll(dir, "one");
  const grants = [...READ_ONLY, "--allow-run=git"];
  const checked = async (since = "HEAD") => {
    const { stdout } = await refrakt(dir, ["check", "--since", since, "--json"], { grants });
    const { findings } = JSON.parse(stdout);
    return findings.map(({ path, code }: Record<string, string>) => `${path} ${code}`).sort();
  };
  assert.deepEqual(await checked(), []);
  Deno.writeTextFileSync(`${dir}/content/a.md`, page("Changed"));
  Deno.writeTextFileSync(`${dir}/content/new.md`, page("New"));
  Deno.writeTextFileSync(`${dir}/content/_partials/p.md`, "![No](/no.png)\n");
  Deno.writeTextFileSync(`${dir}/content/other.md`, "# Page\n\nOther\n\n{% unseen /%}\n");
  Deno.removeSync(`${dir}/content/gone.md`);
  const found = [
    "content/_partials/p.md image-missing",
    "content/new.md rune-unknown",
    "content/other.md rune-unknown",
    "content/to-gone.md link-broken",
  ];
  const now = await checked();
  assert.deepEqual(now, found);
  await inProcess(dir, async ({ ok, call }) => {
    // Of the two files that lost a rune, one is gone.
    const { gone, goneKinds } = await ok("refrakt_check", { since: "main" });
    assert.deepEqual([gone, goneKinds], [2, { "rune-unknown": 2 }]);
    const other = await ok("refrakt_check", { since: "main", path: "content/other.md" });
    assert.deepEqual([other.gone, other.errors], [1, 1]);
    for (const since of ["nope", "--all", "HEAD..main", "a\nb"]) {
      assert.equal((await call("refrakt_check", { since })).errorCode, "INVALID_ARGS", since);
    }
  });
  commitAll(dir, "two");
  assert.deepEqual(await checked(), []);
  assert.deepEqual(await checked("HEAD~1"), now);
  // What a page had before it was renamed is not new.
  Deno.removeSync(`${dir}/content/uses.md`);
  Deno.writeTextFileSync(
    `${dir}/content/used.md`,
    `${page('{% partial file="p.md" /%}')}\nMore.\n`,
  );
  assert.deepEqual(await checked(), []);
  const refused = await run(dir, "--since", "HEAD");
  assert.match(refused.stderr, /--allow-run=git/);
  assert.notEqual(refused.code, 0);
});

Deno.test("a project below the root of its repository has paths from the root in SARIF, and takes every name of a commit", async () => {
  const root = makeProject({
    "docs/refrakt.config.json": JSON.stringify({ site: { contentDir: "./content" } }),
    "docs/content/a.md": "# A\n",
  });
  commitAll(root, "one");
  for (const name of ["feat/@scope", "größe", "v1.0+x"]) {
    new Deno.Command("git", { args: ["branch", name], cwd: root }).outputSync();
  }
  const cwd = `${root}/docs`;
  Deno.writeTextFileSync(`${cwd}/content/a.md`, "# A\n\n[x](/gone)\n");
  const grants = [...READ_ONLY, "--allow-run=git"];
  const { stdout } = await refrakt(cwd, ["check", "--format", "sarif"], { grants });
  const [{ results, originalUriBaseIds }] = JSON.parse(stdout).runs;
  assert.equal(results[0].locations[0].physicalLocation.artifactLocation.uri, "docs/content/a.md");
  assert.equal(
    originalUriBaseIds["%SRCROOT%"].uri,
    pathToFileURL(`${Deno.realPathSync(root)}/`).href,
  );
  await inProcess(cwd, async ({ ok, call }) => {
    for (const since of ["feat/@scope", "größe", "v1.0+x", "HEAD@{0}", "@", "HEAD^{}", "HEAD~0"]) {
      assert.equal((await ok("refrakt_check", { since })).errors, 1, since);
    }
    for (const since of [":/one", "HEAD:docs", "main..HEAD", "HEAD^{/one}", "-x", "a\u0000b"]) {
      assert.equal((await call("refrakt_check", { since })).errorCode, "INVALID_ARGS", since);
    }
  });
});

Deno.test("a package that was skipped comes first, and what it may explain is a hint", async () => {
  const cwd = makeProject({
    "refrakt.config.json": JSON.stringify({
      site: { contentDir: "content", runes: { local: { shout: "./runes/shout.js" } } },
    }),
    "runes/shout.js": "export const transform = {};\n",
    "content/index.md":
      '# Home\n\n{% shout %}\n{% tab name="A" %}\nHey\n{% /tab %}\n{% /shout %}\n\n' +
      '{% hint tpye="note" /%}\n\n{% partial file="acme:a.md" /%}\n\n{% snippet path="acme:a.ts" /%}\n',
  });
  const { code, stdout } = await refrakt(cwd, ["check"]);
  assert.equal(code, 0, stdout);
  const [first, ...rest] = stdout.trim().split("\n");
  assert.match(
    first!,
    /^refrakt\.config\.json:1:1 package-skipped .*runes\/shout\.js was not loaded: .*--trust/,
  );
  assert.match(rest.join("\n"), /rune-unknown .*shout[^]*attribute-unknown .*tpye/);
  const sarif = JSON.parse((await refrakt(cwd, ["check", "--format", "sarif"])).stdout);
  const results = sarif.runs[0].results as { ruleId: string; level: string }[];
  assert.deepEqual(results.map(({ ruleId, level }) => [ruleId, level]), [
    ["package-skipped", "warning"],
    ["rune-unknown", "note"],
    ["attribute-unknown", "note"],
    ["partial-missing", "note"],
    ["build-message", "note"],
  ]);
  const { groups, ok } = JSON.parse((await refrakt(cwd, ["call", "refrakt_check"])).stdout);
  assert.deepEqual([ok, groups[0].code], [true, "package-skipped"]);
});

Deno.test("a page that an editor saves meanwhile is skipped and named; others are corrected", () => {
  const cwd = makeProject({ "a.md": "one\n", "b.md": "one\n" });
  const corrected = ["a.md", "b.md"].map((path) => {
    return { path, source: "one\n", text: "two\n", count: 1 };
  });
  const { linkSync } = Deno;
  Deno.linkSync = (from, to) => {
    if (String(from).endsWith("a.md")) Deno.writeTextFileSync(`${cwd}/a.md`, "three\n");
    linkSync(from, to);
  };
  try {
    const { applied, notes } = writeCorrected(cwd, [cwd], corrected);
    assert.deepEqual([applied, notes], [1, ["a.md changed during the check and was skipped"]]);
  } finally {
    Object.assign(Deno, { linkSync });
  }
  assert.deepEqual(readTree(cwd), { "a.md": "three\n", "b.md": "two\n" });
});
