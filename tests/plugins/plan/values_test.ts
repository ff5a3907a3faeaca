import assert from "node:assert/strict";
import { checkAttributes, checkId, checkTitle } from "../../../plugins/plan/entity/values.ts";

Deno.test("values that would end or change a tag are rejected with the reason", () => {
  const cases = [
    ['a"b', "a double quote"],
    ["a\\b", "a backslash"],
    ["a\nb", "a line break"],
    ["a\u2028b", "a line break"],
    ["a %} b", '"%}"'],
    ["a {% b", '"{%"'],
    ["a\0b", "a control character"],
    ["x".repeat(501), "longer than 500"],
    [" a", "white space"],
  ] as const;
  for (const [value, name] of cases) {
    assert.throws(() => checkAttributes({ milestone: value }), (error: Error) => {
      assert.ok(
        error.message.includes('"milestone"') && error.message.includes(name),
        error.message,
      );
      return true;
    });
  }
  checkAttributes({ milestone: "v1.0 — größer, 'as' {it} is %", empty: "" });
});

Deno.test("a title is trimmed and must be one line of plain text", () => {
  assert.equal(checkTitle("  A *title* \n"), "A *title*");
  for (const title of ["", " \n", "a\nb", "{% ref %}", "x".repeat(201)]) {
    assert.throws(() => checkTitle(title), { name: "RefraktError" });
  }
});

Deno.test("an id must be safe in a path and match its type", () => {
  const ids = ["../x", "a/b", "a\\b", "", ".hidden", "a..b", "a.", "a b", "x".repeat(65), "ä"];
  for (const id of ids) {
    assert.throws(() => checkId(id, "work"), { code: "VALIDATION_ERROR" }, id);
  }
  assert.throws(() => checkId("BUG-001", "work"), { hint: /belong to bug/ });
  assert.equal(checkId("v1.2.0", "milestone"), "v1.2.0");
});
