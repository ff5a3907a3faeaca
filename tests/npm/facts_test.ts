import assert from "node:assert/strict";
import { declaredDependencies, packageFacts, preparePackageFacts } from "../../src/npm/facts.ts";
import { openProject } from "../../src/project/project.ts";
import { LAB_VERSION } from "../support/lab.ts";
import { makeProject, writeFiles } from "../support/project.ts";
import { initialized } from "../support/raw.ts";
import { README_PERMISSIONS } from "../support/server.ts";
import { NOT_LINUX, testUnless } from "../support/skip.ts";
import { singleSite } from "../site/projects.ts";

Deno.test("facts are read once for each snapshot of a project", () => {
  const cwd = makeProject({ "package.json": '{"dependencies":{"a":"1.0.0"}}' });
  const project = openProject(cwd);
  assert.deepEqual(declaredDependencies(project).map(({ name, range }) => [name, range]), [[
    "a",
    "1.0.0",
  ]]);
  writeFiles(cwd, { "package.json": '{"dependencies":{"a":"2.0.0"}}' });
  assert.equal(packageFacts(project).declared[0]?.range, "1.0.0");
  assert.equal(packageFacts(openProject(cwd)).declared[0]?.range, "2.0.0");
});

Deno.test("the first lock file that pins a package is the one that is named", () => {
  const { locked } = packageFacts(openProject(makeProject({
    "package-lock.json": '{"packages":{"node_modules/a":{"version":"1.0.0"}}}',
    "yarn.lock": 'a@^1:\n  version "1.1.0"\nb@^1:\n  version "1.2.0"\n',
  })));
  assert.deepEqual([locked("a")?.file, locked("a")?.version], ["package-lock.json", "1.0.0"]);
  assert.deepEqual([locked("b")?.file, locked("b")?.version], ["yarn.lock", "1.2.0"]);
  assert.equal(locked("c"), undefined);
});

Deno.test("a deno.jsonc with comments is read once the parser is there, and its absence is no error", async () => {
  const project = openProject(makeProject({
    "deno.jsonc": '{ // ours\n  "imports": { "a": "npm:a@^1.0.0", }, }',
  }));
  await preparePackageFacts(project);
  assert.deepEqual(declaredDependencies(project).map(({ name }) => name), ["a"]);
  const none = openProject(makeProject());
  await preparePackageFacts(none);
  assert.deepEqual(declaredDependencies(none), []);
});

Deno.test("broken manifests and lock files declare nothing and break nothing", () => {
  const cwd = makeProject({ "package.json": "[", "package-lock.json": "{", "deno.json": "null" });
  Deno.mkdirSync(`${cwd}/yarn.lock`);
  const { declared, locked, members, manifest } = packageFacts(openProject(cwd));
  assert.deepEqual([declared, members, manifest(""), locked("a")], [[], [], undefined, undefined]);
});

Deno.test("manifests with comments are read at any size, and what only looks like one is none", async () => {
  const lines = Array.from(
    { length: 6000 },
    (_, index) => `  "a${index}": "npm:a@${index}.0.0", // ,]`,
  );
  const large = `{ /* Ours */ "imports": {\n${
    lines.join("\n")
  }\n  "plan": "npm:@refrakt-md/plan@^0.25.0", }, }`;
  assert.ok(large.length > 140_000);
  const declaredIn = async (text: string) => {
    const project = openProject(makeProject({ "deno.jsonc": text }));
    await preparePackageFacts(project);
    return packageFacts(project).declared;
  };
  assert.deepEqual((await declaredIn(large)).at(-1), {
    name: "@refrakt-md/plan",
    range: "^0.25.0",
    from: "deno.jsonc",
  });
  for (const unit of ["[", '{"a":', "/*", "//x\n", '"\\u12', ",", '{"imports":{"a":/**/']) {
    assert.deepEqual(await declaredIn(unit.repeat(200_000 / unit.length)), [], unit);
  }
});

testUnless(
  NOT_LINUX,
  "a list and a first inspect read each manifest and lock file once",
  async () => {
    const [small, large] = [singleSite(), singleSite()];
    const names = ["plan", "runes", "transform", "marketing", "docs", "content", "lumina"];
    const locked = Object.fromEntries(
      names.map((name) => [`node_modules/@refrakt-md/${name}`, { version: LAB_VERSION }]),
    );
    const MB = 1_000_000;
    // Each of another size, so that the sum tells which one is read more than once.
    for (const [cwd, size] of [[small, 0], [large, MB]] as const) {
      const padding = " ".repeat(size);
      writeFiles(cwd, {
        "package.json": `{ "name": "site"${padding} }`,
        "pnpm-workspace.yaml": `packages:\n  - parts/*\n#${padding.slice(0, size * 0.7)}\n`,
        "package-lock.json": `{${padding.repeat(6)}"packages":${JSON.stringify(locked)}}`,
      });
    }
    const extra = await leastRead(large) - await leastRead(small);

    assert.ok(Math.abs(extra - 7.7 * MB) < 0.5 * MB, `${extra} bytes more`);
  },
);

/** On a busy machine what the server reads in advance may count along: it only adds. */
async function leastRead(cwd: string): Promise<number> {
  return Math.min(await bytesRead(cwd), await bytesRead(cwd));
}

/** What a server reads of files until it has listed its tools and answered an inspect. */
async function bytesRead(cwd: string): Promise<number> {
  // The runtime's own cache is read now more, now less.
  const grants = ["--no-code-cache", ...README_PERMISSIONS];
  const server = await initialized(cwd, { grants });
  await server.request("tools/list", {});
  const { result } = await server.request("tools/call", {
    name: "refrakt.inspect",
    arguments: { rune: "hint" },
  });
  const counters = Deno.readTextFileSync(`/proc/${server.pid}/io`);
  await server.end();
  assert.notEqual(result?.["isError"], true, JSON.stringify(result));
  return Number(/^rchar: (\d+)$/m.exec(counters)![1]);
}
