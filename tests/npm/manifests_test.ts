import assert from "node:assert/strict";
import {
  dependenciesOf,
  installedFirstParty,
  readCatalogs,
  readManifest,
  readWorkspaceFile,
  workspaceMembers,
} from "../../src/npm/manifests.ts";
import { makeProject } from "../support/project.ts";

Deno.test("members are the folders with a manifest that a pattern means, and none outside of the project", () => {
  const cwd = makeProject({
    "packages/a/package.json": "{}",
    "packages/b-old/package.json": "{}",
    "packages/empty/README.md": "",
    "packages/a/node_modules/x/package.json": "{}",
    "apps/deep/er/package.json": "{}",
  });
  const members = (...workspaces: unknown[]) => workspaceMembers(cwd, { workspaces }, "");
  assert.deepEqual(members("packages/*"), ["packages/a", "packages/b-old"]);
  assert.deepEqual(members("./packages/*", "!packages/*-old"), ["packages/a"]);
  assert.deepEqual(members("**"), ["apps/deep/er", "packages/a", "packages/b-old"]);
  assert.deepEqual(members("../*", "packages/../..", "/", "", 7, null), []);
  const pnpm = "packages:\n  - 'apps/**' # all\nother:\n  - packages/*\n";
  assert.deepEqual(workspaceMembers(cwd, undefined, pnpm), ["apps/deep/er"]);
});

Deno.test("each folder is listed once, however many patterns there are", () => {
  const deep = Array.from({ length: 30 }, (_, index) => [`a/${index}/b/c/package.json`, "{}"]);
  const cwd = makeProject(Object.fromEntries(deep));
  const { readDirSync } = Deno;
  let listed = 0;
  Deno.readDirSync = (path) => {
    listed++;
    return readDirSync(path);
  };
  try {
    const workspaces = Array.from({ length: 50 }, (_, index) => "**/".repeat(index + 1));
    assert.equal(workspaceMembers(cwd, { workspaces }, "").length, 30);
  } finally {
    Deno.readDirSync = readDirSync;
  }
  assert.ok(listed <= 92, `${listed} listings`);
});

Deno.test("what is declared has a package's name and a text for a range, or for what it is instead", () => {
  const declared = dependenciesOf(
    new Map([["", { dependencies: { a: "1", "../b": "1", c: 1 }, devDependencies: null }], [
      "packages/x",
      { optionalDependencies: { d: "^2" } },
    ]]),
    new Map([["deno.json", {
      imports: { e: "npm:@s/e@^3/sub", f: "jsr:@s/f@1", g: "npm:../g@1", h: "npm:h" },
    }]]),
  );
  assert.deepEqual(declared.map(({ name, range, from }) => `${name} ${range} ${from}`), [
    "a 1 package.json",
    "d ^2 packages/x/package.json",
    "@s/e ^3 deno.json",
    "f jsr:@s/f@1 deno.json",
    "g npm:../g@1 deno.json",
    "h * deno.json",
  ]);
});

Deno.test("catalogs are read from the files of every package manager", () => {
  const catalogs = readCatalogs(
    { catalog: { a: "1", bad: 7 }, workspaces: { catalogs: { next: { b: "2" } } } },
    ["catalog:\n  c: ^3\ncatalogs:\n  old:\n    '@s/d': 0.1.0\n", ""],
  );
  assert.deepEqual([...catalogs].map(([name, ranges]) => [name, Object.fromEntries(ranges)]), [
    ["default", { c: "^3", a: "1" }],
    ["old", { "@s/d": "0.1.0" }],
    ["next", { b: "2" }],
  ]);
  assert.equal(readCatalogs({ catalog: "x", catalogs: [1] }, []).size, 0);
});

Deno.test("a manifest that is broken, no object or out of the project is as good as none", () => {
  const cwd = makeProject({ "a/package.json": "{", "b/package.json": "7" });
  const outside = makeProject({ "package.json": "{}" });
  Deno.symlinkSync(outside, `${cwd}/link`);
  for (
    const path of ["a/package.json", "b/package.json", "none.json", "link/package.json", "../x"]
  ) {
    assert.equal(readManifest(cwd, path), undefined, path);
  }
  assert.equal(readWorkspaceFile(cwd, "pnpm-workspace.yaml"), "");
});

Deno.test("installed packages are those that lie in the first-party scope, linked ones too", () => {
  const cwd = makeProject({
    "node_modules/@refrakt-md/plan/package.json": "{}",
    "x/package.json": "{}",
  });
  Deno.symlinkSync(`${cwd}/x`, `${cwd}/node_modules/@refrakt-md/linked`);
  Deno.writeTextFileSync(`${cwd}/node_modules/@refrakt-md/file`, "");
  assert.deepEqual(installedFirstParty(cwd), ["@refrakt-md/linked", "@refrakt-md/plan"]);
  assert.deepEqual(installedFirstParty(makeProject()), []);
});
