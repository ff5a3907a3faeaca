import assert from "node:assert/strict";
import { hasRalphSpecs } from "../../src/project/specs.ts";
import { makeProject } from "../support/project.ts";

Deno.test("specs of Ralph are told from other folders of that name", () => {
  assert.equal(hasRalphSpecs(makeProject()), false);
  assert.equal(
    hasRalphSpecs(makeProject({ "specs/openapi.yaml": "x", "specs/a/notes.md": "x" })),
    false,
  );
  assert.equal(hasRalphSpecs(makeProject({ specs: "a file" })), false);
  assert.equal(hasRalphSpecs(makeProject({ "specs/.current-spec": "a" })), true);
  assert.equal(hasRalphSpecs(makeProject({ "specs/a/.ralph-state.json": "{}" })), true);
  assert.equal(hasRalphSpecs(makeProject({ "specs/.hidden/.ralph-state.json": "{}" })), false);
});
