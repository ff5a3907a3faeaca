import assert from "node:assert/strict";
import { DIAGNOSTIC, SITE, WARNINGS } from "../../src/site/fields.ts";

Deno.test("the site and the warnings may be left out, and are of one type", () => {
  assert.ok(SITE.safeParse(undefined).success && WARNINGS.safeParse(undefined).success);
  assert.ok(!SITE.safeParse(1).success && !WARNINGS.safeParse("x").success);
});

Deno.test("a finding has a severity, a code and a message; its place may be unknown", () => {
  const finding = { severity: "error", code: "x", message: "y" };
  assert.ok(DIAGNOSTIC.safeParse(finding).success);
  assert.ok(!DIAGNOSTIC.safeParse({ ...finding, severity: "info" }).success);
  assert.ok(!DIAGNOSTIC.safeParse({ ...finding, line: 1.5 }).success);
});
