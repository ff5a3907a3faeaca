import assert from "node:assert/strict";
import { idOf } from "../../../plugins/plan/entity.ts";

Deno.test("an entity goes by its id, else by its name, and an empty one is none", () => {
  assert.equal(idOf({ id: "WORK-001", name: "x" }), "WORK-001");
  assert.equal(idOf({ id: "", name: "v1.0.0" }), "v1.0.0");
  assert.equal(idOf({ id: "", name: "" }), undefined);
  assert.equal(idOf({}), undefined);
});
