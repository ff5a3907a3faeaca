import assert from "node:assert/strict";
import { isValidName, slugify } from "../../../plugins/ralph/names.ts";

Deno.test("a goal becomes a name in kebab-case", () => {
  const cases: [string, string | null][] = [
    ["Add user authentication", "add-user-authentication"],
    ["  Add   Multiple   SPACES and Caps ", "add-multiple-spaces-and-caps"],
    ["Fix bug #123 (urgent!)", "fix-bug-123-urgent"],
    ["Überprüfe Größe", "überprüfe-größe"],
    ["Łódź øl", "łódź-øl"],
    ["添加 OAuth 登录", "添加-oauth-登录"],
    ["添加登录", "添加登录"],
    ["!!!", null],
    ["con", "spec-con"],
    ["Gro\u0308ße a\u200bndern\u3164", "größe-andern"],
    ["हिन्दी में", "हिन्दी-में"],
  ];
  for (const [goal, name] of cases) {
    assert.equal(slugify(goal) || null, name, goal);
    assert.ok(name === null || isValidName(name), goal);
  }
});

Deno.test("a long goal is cut between two words", () => {
  const slug = slugify(
    "Replace the whole authentication subsystem with something entirely different",
  );
  assert.equal(slug, "replace-the-whole");
  assert.equal(slugify("a".repeat(500)).length, 30);
  assert.ok(isValidName(slugify(`${"ab ".repeat(500)}`)));
});
