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
