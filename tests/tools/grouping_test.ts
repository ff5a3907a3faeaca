import assert from "node:assert/strict";
import { someOf } from "../../src/tools/grouping.ts";

Deno.test("someOf() names a few, and how many there are beside them", () => {
  const names = Array.from({ length: 6 }, (_, index) => `WORK-${index}`);
  assert.equal(someOf(names, 3), "WORK-0, WORK-1, WORK-2 and 3 more");
  assert.equal(someOf(["BUG-1"], 3), "BUG-1");
  assert.equal(someOf([]), "");
});
