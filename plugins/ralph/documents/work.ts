/**
 * The orders of work that a plan can follow, and the sizes of its tasks.
 *
 * @module
 */

import { type State, textField } from "../state.ts";

/** The orders of work, as the planner reads them. */
export const WORKFLOWS = {
  poc: `Order of work: proof first.
- Phase 1, make it work (about half of the tasks): the shortest way to something that runs; \
shortcuts are allowed; ends with a checkpoint that proves the whole against the real thing.
- Phase 2, clean up (about a fifth): structure, errors, the shortcuts of phase 1.
- Phase 3, tests (about a fifth): unit, integration, end to end.
- Phase 4, delivery: a branch and a pull request, if the project works that way.`,
  tdd: `Order of work: test first.
- For each behaviour three tasks in a row: [RED] a test that fails for the right reason, [GREEN] \
the least code that passes, [YELLOW] tidy up with the tests green.
- Phases follow the components of the design, inside out; the last one is a branch and a pull \
request, if the project works that way.`,
  bugfix: `Order of work: reproduce first.
- Phase 0, before: a [RED] task that records a failing reproduction as a command and its output.
- Phase 1, cause and fix: the smallest change that removes the cause, not the symptom.
- Phase 2, regression test: fails without the fix, passes with it.
- VF runs the reproduction of phase 0 again and records that it passes now.`,
} as const;

/** The sizes of tasks, as the planner reads them. */
export const GRANULARITIES = {
  auto:
    "Size: about one task for each file of the design plus the checks, 10 to 25 in all (fewer in a small spec); at most 8 steps and 5 files a task.",
  fine: "Size: fine, 40 to 60 tasks or more; at most 4 steps and 3 files a task.",
  coarse: "Size: coarse, 10 to 20 tasks; at most 10 steps and 6 files a task.",
} as const;

// A bug is something that is wrong, not something that is about bugs: "fix the crash on save", but
// not "add crash reporting" or "bug report form".
const FIXING =
  /^\W*(?:please\s+)?(?:hot)?(?:fix|repair|debug|mend|correct|troubleshoot)(?:es|ing)?\b/i;
const WRONG = [
  /\b(?:is|are|was|were|gets?|has been)\s+(?:broken|wrong|corrupted)\b/i,
  /\bcrash(?:es|ed)\b|\b(?:the|a|this) (?:bug|crash|regression)\b/i,
  /\b(?:fails?|failed|breaks?|hangs?|freezes|throws|leaks)\s+(?:when|on|if|with|to|for|in|at|after|an?)\b/i,
  /\b(?:does|do|did)(?: not|n['’]t) (?:work|load|save|start|respond|show|open)\b/i,
  /\bfix(?:es)? (?:the|a|an|all|this|that|for|bug|crash|regression|broken|failing|wrong)\b/i,
];
const WORK_ON_BUGS = /^\W*(?:please\s+)?(?:add|build|create|design|implement|introduce|write)\b/i;

/** The order of work that a goal asks for. */
export function workflowFor(goal: string): keyof typeof WORKFLOWS {
  if (FIXING.test(goal)) return "bugfix";
  return !WORK_ON_BUGS.test(goal) && WRONG.some((pattern) => pattern.test(goal)) ? "bugfix" : "poc";
}

/** The order of work and the size of tasks of a spec: as chosen, or as the goal suggests. */
export function planFor(state: State, goal: string): string {
  const workflow = textField(state, "workflow") ?? "";
  const size = textField(state, "granularity") ?? "";
  return [
    WORKFLOWS[isKeyOf(WORKFLOWS, workflow) ? workflow : workflowFor(goal)],
    GRANULARITIES[isKeyOf(GRANULARITIES, size) ? size : "auto"],
  ].join("\n\n");
}

function isKeyOf<T extends object>(table: T, key: string): key is keyof T & string {
  return Object.hasOwn(table, key);
}
