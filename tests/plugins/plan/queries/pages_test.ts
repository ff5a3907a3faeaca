import assert from "node:assert/strict";
import { pageOf } from "../../../../plugins/plan/queries/pages.ts";

Deno.test("pages are followed to the end without gaps, and the last one has no cursor", () => {
  const all = [1, 2, 3, 4, 5];
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const page = pageOf(all, 2, cursor);
    seen.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  assert.deepEqual(seen, all);
  assert.deepEqual(pageOf(all, 5, undefined), { items: all });
});

Deno.test("a cursor behind the end is an empty page: the list may have become shorter", () => {
  assert.deepEqual(pageOf([1, 2], 2, "4"), { items: [] });
});

Deno.test("a cursor that was never given out is refused", () => {
  for (const cursor of ["", "-1", "1.5", " 1", "1e3", "abc", "9999999999", "1\n"]) {
    assert.throws(() => pageOf([1], 1, cursor), { code: "INVALID_ARGS" }, JSON.stringify(cursor));
  }
});
