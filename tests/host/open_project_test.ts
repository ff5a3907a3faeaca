import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { openProject, projectRoot, readConfig } from "../../src/host/open_project.ts";
import { type Files, linkTo, makeProject } from "../support/project.ts";

Deno.test("projectRoot() keeps the name of a linked folder, and rejects what is not a directory", () => {
  const cwd = makeProject({ "a.txt": "x" });
  const link = `${makeProject()}/link`;
  linkTo(cwd, link);
  assert.equal(projectRoot(link), resolve(link));
  assert.throws(() => projectRoot(join(cwd, "nowhere")), { code: "NOT_FOUND" });
  assert.throws(() => projectRoot(join(cwd, "a.txt")), /Not a directory/);
});

Deno.test("Ralph applies if it is enabled or configured, or has specs", () => {
  const cases = [
    [{}, false],
    [{ "refrakt.config.json": '{"plugins":["ralph"]}' }, true],
    [{ "specs/.current-spec": "a" }, true],
    [{ "specs/a/.ralph-state.json": "{}" }, true],
    [{ "specs/a/notes.md": "x" }, false],
  ] as const;
  for (const [files, applies] of cases) {
    const { active } = openProject(makeProject(files as Files));
    assert.equal(active.includes("ralph"), applies, JSON.stringify(files));
  }
  assert.ok(openProject(makeProject(), { plugins: ["ralph"] }).active.includes("ralph"));
});

const read = (text: string) => readConfig(makeProject({ "refrakt.config.json": text }));

Deno.test("a config is read with a byte order mark, comments and trailing commas", () => {
  const plain = '{"plan":{"dir":"p"}}';
  const commented = '{ // a\n "plan": { "dir": "p", /* b */ }, }';
  for (const text of [plain, `\uFEFF${plain}`, commented]) {
    const { config, warnings } = read(text);
    assert.deepEqual([config!.raw, warnings], [{ plan: { dir: "p" } }, []]);
  }
  assert.equal(readConfig(makeProject()).config, null);
});

Deno.test("an invalid config causes one warning that quotes the place", () => {
  const cases = [
    ['{\n  "plan": oops\n}', /token 'o'/],
    ['{\n  "plan": { "dir": }\n}', /token '}'/],
    ['{\n  "a": [1,,\n  ]\n}', /token ','/],
    ["", /not valid JSON/],
    ["[]", /must be a JSON object/],
    ["null", /must be a JSON object/],
  ] as const;
  for (const [text, pattern] of cases) {
    const { config, warnings } = read(text);
    assert.equal(config, null);
    assert.deepEqual(warnings.map(({ code }) => code), ["CONFIG_INVALID"]);
    assert.match(warnings[0]!.message, pattern);
  }
});

Deno.test("plugins beyond the limit are left out, with a warning that names count and limit", () => {
  const plugins = Array.from({ length: 40 }, (_, at) => `@refrakt-md/a${at}`);
  const site = { plugins: plugins.map((name) => name.replace("a", "b")) };
  const { config, warnings } = read(JSON.stringify({ plugins, site }));
  assert.equal(config!.plugins.length, 60);
  assert.deepEqual(warnings.map(({ message }) => message), [
    "refrakt.config.json names 80 plugins, at most 60",
  ]);
});

Deno.test("plugins of the top level and of every site count once, by either name", () => {
  const { config } = read(JSON.stringify({
    packages: ["a", 7, ""],
    sites: { one: { plugins: ["b", "a"] }, two: { packages: ["c"] }, three: "x" },
  }));
  assert.deepEqual(config!.plugins, ["a", "b", "c"]);
});
