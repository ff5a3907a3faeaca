import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { openProject, projectRoot } from "../../src/host/open_project.ts";
import { linkTo, makeProject } from "../support/project.ts";

Deno.test("projectRoot() keeps the name of a linked folder, and rejects what is not a directory", () => {
  const cwd = makeProject({ "a.txt": "x" });
  const link = `${makeProject()}/link`;
  linkTo(cwd, link);
  assert.equal(projectRoot(link), resolve(link));
  assert.throws(() => projectRoot(join(cwd, "nowhere")), { code: "NOT_FOUND" });
  assert.throws(() => projectRoot(join(cwd, "a.txt")), /Not a directory/);
});

Deno.test("Ralph applies if it is enabled or configured, or has specs", () => {
  assert.equal(openProject(makeProject()).active.includes("ralph"), false);
  assert.equal(openProject(makeProject(), { plugins: ["ralph"] }).active.includes("ralph"), true);
  assert.equal(
    openProject(makeProject({ "refrakt.config.json": '{"plugins":["ralph"]}' })).active.includes(
      "ralph",
    ),
    true,
  );
  assert.equal(
    openProject(makeProject({ "specs/.current-spec": "a" })).active.includes("ralph"),
    true,
  );
  assert.equal(
    openProject(makeProject({ "specs/a/.ralph-state.json": "{}" })).active.includes("ralph"),
    true,
  );
  assert.equal(
    openProject(makeProject({ "specs/a/notes.md": "x" })).active.includes("ralph"),
    false,
  );
});
