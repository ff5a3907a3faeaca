import assert from "node:assert/strict";
import { oneLineEach, someOf } from "../../src/tools/grouping.ts";

Deno.test("six warnings of one kind are one line, with a count and a few names", () => {
  const warnings = [
    ...Array.from({ length: 6 }, (_, index) => ({ kind: "no title", id: `WORK-${index}` })),
    { kind: "unknown status", id: "BUG-1" },
  ];
  assert.deepEqual(
    oneLineEach(
      warnings,
      ({ kind }) => kind,
      (members) => `${members[0].kind}: ${someOf(members.map(({ id }) => id), 3)}`,
    ),
    ["no title: WORK-0, WORK-1, WORK-2 and 3 more", "unknown status: BUG-1"],
  );
  assert.equal(someOf([]), "");
});
