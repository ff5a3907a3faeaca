import assert from "node:assert/strict";
import { lintRequirements, statementsOf } from "../../../../plugins/ralph/lint/requirements.ts";

const rulesOf = (text: string) =>
  lintRequirements("requirements.md", statementsOf(text)).map(({ rule, line }) =>
    `${line} ${rule}`
  );

Deno.test("statements are defined at the beginning of a line, outside code", () => {
  const text = "### US-1: A\n- [x] **AC-1.1**: b\n| FR-1 | c |\n2. NFR-1 d\n" +
    "Serves FR-7.\n```\n| FR-8 |\n```\n| XFR-9 |\n";
  assert.deepEqual(
    statementsOf(text).map(({ id, line }) => [id, line]),
    [["US-1", 1], ["AC-1.1", 2], ["FR-1", 3], ["NFR-1", 4]],
  );
});

Deno.test("a number that is defined twice is an error that names both lines", () => {
  const [finding, ...others] = lintRequirements(
    "requirements.md",
    statementsOf("| FR-1 | a |\n| FR-2 | b |\n| FR-1 | c |\n"),
  );
  assert.deepEqual(others, []);
  assert.deepEqual([finding?.severity, finding?.rule, finding?.line], ["error", "duplicate-id", 3]);
  assert.match(finding!.message, /first in line 1/);
});

Deno.test("a vague word needs a number, and that of another statement is none", () => {
  assert.deepEqual(rulesOf("| FR-1 | It is fast |\n"), ["1 vague-wording"]);
  assert.deepEqual(rulesOf("| FR-1 | It is fast, see AC-1.1 |\n"), ["1 vague-wording"]);
  assert.deepEqual(rulesOf("| FR-1 | It is fast: under 200 ms |\n"), []);
  assert.deepEqual(rulesOf("| FR-1 | The breakfast is served |\n"), []);
});

Deno.test("stories and criteria belong together", () => {
  assert.deepEqual(rulesOf("### US-1: A\n- AC-2.1: b\n"), [
    "2 orphan-criterion",
    "1 story-without-criteria",
  ]);
  assert.deepEqual(rulesOf("### US-1: A\n- AC-1.1: b\n"), []);
});
