import assert from "node:assert/strict";
import { checkFields, fieldNames, fieldValue } from "../../../../plugins/plan/queries/fields.ts";
import { viewOf } from "../../../support/plan.ts";
import { entity } from "../../../support/project.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

Deno.test("fields are computed or attributes, and absent where an entity has none", async () => {
  const plan = await viewOf(WIDE_PLAN);
  const field = (id: string, name: string) => fieldValue(plan, plan.find(id)!, name);
  assert.equal(field("WORK-001", "criteria"), "1/3");
  assert.equal(field("BUG-001", "criteria"), undefined);
  assert.deepEqual(field("WORK-001", "source"), ["SPEC-001", "ADR-001"]);
  assert.deepEqual(field("WORK-002", "blockedBy"), ["WORK-001"]);
  assert.equal(field("WORK-001", "blockedBy"), undefined);
  assert.equal(field("BUG-001", "severity"), "major");
  assert.match(String(field("BUG-001", "modified")), /^\d{4}-\d\d-\d\d$/);
  for (const name of ["constructor", "toString", "__proto__"]) {
    assert.throws(() => checkFields(plan, "fields", [name]), { code: "INVALID_ARGS" });
  }
});

Deno.test("a misspelt field is refused with the nearest, and an own attribute is one", async () => {
  const plan = await viewOf({
    "plan/work/WORK-001-a.md": entity("work", { id: "WORK-001", estimate: "3d" }, "A", ""),
  });
  assert.ok(fieldNames(plan).includes("estimate"));
  checkFields(plan, "fields", ["estimate", "milestone"]);
  assert.throws(
    () => checkFields(plan, "fields", ["milstone"]),
    (error: Error & { hint: string }) => {
      assert.match(error.message, /"fields": no such field: "milstone"/);
      assert.match(error.hint, /milestone.*The fields are id, title/s);
      return true;
    },
  );
});
