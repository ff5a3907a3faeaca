import assert from "node:assert/strict";
import { requirements } from "../../../../plugins/ralph/documents/requirements.ts";
import { lintRequirements, statementsOf } from "../../../../plugins/ralph/lint/requirements.ts";

Deno.test("the template shows each kind of statement in a form that the linter knows", () => {
  const statements = statementsOf(requirements.template);
  assert.deepEqual(statements.map(({ id }) => id), ["US-1", "AC-1.1", "AC-1.2", "FR-1", "NFR-1"]);
  assert.deepEqual(lintRequirements("requirements.md", statements), []);
});
