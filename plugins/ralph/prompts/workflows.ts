/**
 * The orders of work that a plan can follow, and the sizes of its tasks.
 *
 * @module
 */

/** How the work is ordered. */
export type Workflow = "poc" | "tdd" | "bugfix";

/** How large tasks are. */
export type Granularity = "auto" | "fine" | "coarse";

/** The order of work, as the planner reads it. */
export const WORKFLOWS: Readonly<Record<Workflow, string>> = {
  poc: `Order of work: proof first.
- Phase 1, make it work (about half of the tasks): the shortest way to something that runs; only \
type checks; ends with a checkpoint that proves the whole against the real thing.
- Phase 2, clean up (about a fifth): structure, errors, the shortcuts of phase 1.
- Phase 3, tests (about a fifth): unit, integration, end to end.
- Phase 4, quality gates: all local checks, then a branch and a pull request if the project works \
that way, CI green, review answered.`,
  tdd: `Order of work: test first.
- For each behaviour three tasks in a row: [RED] a test that fails for the right reason (Verify \
shows the failure), [GREEN] the least code that passes, [YELLOW] tidy up with the tests green.
- Phases follow the components of the design, inside out; the last phase runs all local checks, \
then a branch, a pull request and CI if the project works that way.`,
  bugfix: `Order of work: reproduce first.
- Phase 0, before: a task that records a failing reproduction as a command and its output.
- Phase 1, cause and fix: the smallest change that removes the cause, not the symptom.
- Phase 2, regression test: fails without the fix, passes with it.
- Phase 3, quality gates. The last task is VF: run the reproduction of phase 0 again and record \
that it passes now.`,
};

/** The size of tasks, as the planner reads it. */
export const GRANULARITIES: Readonly<Record<Granularity, string>> = {
  auto:
    "Size: about one task for each file of the design plus the checks, 10 to 25 in all; at most 8 steps and 5 files a task.",
  fine: "Size: fine, 40 to 60 tasks or more; at most 4 steps and 3 files a task.",
  coarse: "Size: coarse, 10 to 20 tasks; at most 10 steps and 6 files a task.",
};

/** The order of work that a goal asks for. */
export function workflowFor(goal: string): Workflow {
  return /\b(?:fix|fixes|bug|bugs|regression|crash(?:es)?|broken|repair)\b/i.test(goal)
    ? "bugfix"
    : "poc";
}
