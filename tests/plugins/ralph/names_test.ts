import assert from "node:assert/strict";
import { isValidName, nameForGoal, slugify } from "../../../plugins/ralph/names.ts";

const day = new Date("2026-03-04T05:06:07Z");

Deno.test("a goal becomes a name in kebab-case", () => {
  const cases: [string, string | null][] = [
    ["Add user authentication", "add-user-authentication"],
    ["  Add   Multiple   SPACES and Caps ", "add-multiple-spaces-and-caps"],
    ["Fix bug #123 (urgent!)", "fix-bug-123-urgent"],
    ["Überprüfe Größe", "uberprufe-grosse"],
    ["Łódź øl", "lodz-ol"],
    ["添加 OAuth 登录", "oauth"],
    ["添加登录", "spec-20260304"],
    ["!!!", null],
    ["con", "spec-con"],
  ];
  for (const [goal, name] of cases) assert.equal(nameForGoal(goal, day), name, goal);
});

Deno.test("a long goal is cut between two words", () => {
  const slug = slugify(
    "Replace the whole authentication subsystem with something entirely different",
  );
  assert.equal(slug, "replace-the-whole");
  assert.equal(slugify("a".repeat(500)).length, 30);
  assert.ok(isValidName(slugify(`${"ab ".repeat(500)}`)));
});

Deno.test("a valid name is kebab-case, and at most 64 characters long", () => {
  for (const name of ["a", "a1", "user-auth", "1-2-3", "x".repeat(64)]) {
    assert.ok(isValidName(name), name);
  }
  const invalid = "A;a b;-a;a-;a--b;..;.;a/b;a\\b;a\n;ä;con;nul;lpt9;.hidden;_under;a|b;".split(
    ";",
  );
  for (const name of [...invalid, "x".repeat(65)]) {
    assert.ok(!isValidName(name), JSON.stringify(name));
  }
});
