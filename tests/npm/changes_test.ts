import assert from "node:assert/strict";
import { changedPackages, noteLoaded } from "../../src/npm/changes.ts";
import { openProject } from "../../src/project/project.ts";
import { makeProject, writeFiles } from "../support/project.ts";

Deno.test("a package of the workspace that was rebuilt since it was loaded is told, its sources are not looked at", () => {
  const cwd = makeProject({
    "refrakt.config.json": "{}",
    "packages/a/dist/index.js": "export {};",
    "node_modules/b/index.js": "export {};",
  });
  const project = openProject(cwd);
  noteLoaded("a", { path: `${cwd}/packages/a`, kind: "workspace" });
  noteLoaded("b", { path: `${cwd}/node_modules/b`, kind: "node_modules" });
  writeFiles(cwd, {
    "packages/a/src/index.ts": "export const a = 1;",
    "packages/a/README.md": "# A",
    "node_modules/b/index.js": "export const b = 1;",
  });
  assert.deepEqual(changedPackages(project), []);
  writeFiles(cwd, { "packages/a/dist/index.js": "export const a = 1;" });
  const [warning, ...others] = changedPackages(project);
  assert.equal(warning?.code, "RESTART_NEEDED");
  assert.equal(warning?.message, "a (packages/a) has changed since it was loaded");
  assert.deepEqual(others, []);
});

Deno.test("a package that is gone has changed too, and several are one warning", () => {
  const cwd = makeProject({ "gone/index.js": "export {};", "other/index.js": "export {};" });
  for (const name of ["gone", "other"]) {
    noteLoaded(name, { path: `${cwd}/${name}`, kind: "linked" });
  }
  Deno.removeSync(`${cwd}/gone`, { recursive: true });
  writeFiles(cwd, { "other/index.js": "export const other = 1;" });
  const [warning, ...others] = changedPackages(openProject(cwd));
  assert.match(warning!.message, /^\d packages have changed .*: .*gone \(gone\), other \(other\)$/);
  assert.deepEqual(others, []);
});
