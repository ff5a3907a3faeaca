import assert from "node:assert/strict";
import { workflowFor } from "../../../../plugins/ralph/documents/work.ts";
import { inLab, putSpec, stateOf } from "../support.ts";

Deno.test("a goal asks for a fix only where something is wrong", () => {
  const fixes = [
    "Fix the login crash",
    "fix flaky tests",
    "Please repair the importer",
    "Login is broken on Safari",
    "The app crashes when a file is empty",
    "Export fails with large files",
    "Search does not work offline",
    "Hotfix: wrong totals",
    "Find and fix the regression in sorting",
  ];
  const features = [
    "Add crash reporting",
    "crash reporting",
    "Crash reporting for the exporter",
    "Bug report form",
    "Build a bug tracker",
    "Add regression tests",
    "A broken link checker",
    "Prefix every table",
    "Add a fixed header",
    "Create a form to report the bug",
  ];
  for (const goal of fixes) assert.equal(workflowFor(goal), "bugfix", goal);
  for (const goal of features) assert.equal(workflowFor(goal), "poc", goal);
});

Deno.test("workflow and granularity chosen at the start reach the planner", () =>
  inLab(async (lab) => {
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ goal: "Add search" }, /proof first[\s\S]*10 to 25 in all/],
      [{ goal: "Fix the login crash" }, /reproduce first/],
      [{ goal: "Add search", workflow: "tdd", granularity: "fine" }, /test first[\s\S]*40 to 60/],
      [
        { goal: "Fix it", workflow: "poc", granularity: "coarse" },
        /proof first[\s\S]*10 to 20 tasks/,
      ],
    ];
    for (const [args, pattern] of cases) {
      const { name } = await lab.call("ralph_start", args);
      putSpec(lab, name, { ...stateOf(lab, name), phase: "tasks" });
      assert.match(await lab.text("ralph_tasks"), pattern);
    }
  }));
