import assert from "node:assert/strict";
import {
  coverageOf,
  lintCoverage,
  shownCoverage,
} from "../../../../plugins/ralph/lint/coverage.ts";
import { statementsOf } from "../../../../plugins/ralph/lint/requirements.ts";
import { parseTasks } from "../../../../plugins/ralph/tasks.ts";

const statements = statementsOf(
  "### US-1: A\n- AC-1.1: a\n- AC-1.10: b\n| FR-1 | c |\n| FR-10 | d |\n",
);

Deno.test("a task that names FR-10 does not serve FR-1, one that names a story serves its criteria", () => {
  const list = parseTasks("- [x] 1.1 A\n  - _Requirements: FR-10_\n- [ ] 1.2 B\n  - US-1\n");
  const { requirements, criteria, uncovered } = coverageOf(statements, list);
  assert.deepEqual(requirements, [
    { id: "FR-1", tasks: [], done: false },
    { id: "FR-10", tasks: ["1.1"], done: true },
  ]);
  assert.deepEqual(criteria.map(({ tasks }) => tasks), [["1.2"], ["1.2"]]);
  assert.deepEqual(uncovered, ["FR-1"]);
});

Deno.test("a statement is done when all of its tasks are", () => {
  const list = parseTasks("- [x] 1.1 A\n  - FR-1\n- [ ] 1.2 B\n  - FR-1\n");
  assert.equal(coverageOf(statements, list).requirements[0]?.done, false);
});

Deno.test("numbers that nobody defined are found where a task names them, once each", () => {
  const list = parseTasks("- [ ] 1.1 A\n  - FR-1, FR-10, US-1\n  - FR-9 and FR-9\n");
  const found = lintCoverage("tasks.md", statements, list, coverageOf(statements, list));
  assert.deepEqual(found.map(({ rule, line, message }) => [rule, line, message]), [
    ["unknown-reference", 1, "1.1 names FR-9, which requirements.md does not define"],
  ]);
});

Deno.test("without requirements nothing is asked of the tasks", () => {
  const list = parseTasks("- [ ] 1.1 A\n  - FR-9\n");
  assert.deepEqual(lintCoverage("tasks.md", [], list, coverageOf([], list)), []);
});

Deno.test("an uncovered NFR is a warning, an uncovered FR an error", () => {
  const both = statementsOf("| FR-1 | a |\n| NFR-1 | b |\n");
  const list = parseTasks("- [ ] 1.1 A\n");
  assert.deepEqual(
    lintCoverage("tasks.md", both, list, coverageOf(both, list)).map(({ severity }) => severity),
    ["error", "warning"],
  );
});

Deno.test("the coverage is told in a line as soon as there is a plan", () => {
  assert.equal(shownCoverage(coverageOf(statements, null)), null);
  const list = parseTasks("- [x] 1.1 A\n  - FR-1\n");
  assert.equal(
    shownCoverage(coverageOf(statements, list)),
    "1 of 2 requirements done, 0 of 2 criteria done; no task for FR-10, AC-1.1, AC-1.10",
  );
});
