import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { openProject, projectRoot } from "../../src/host/open_project.ts";
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
