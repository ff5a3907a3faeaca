/** The orders of work of a plan, and the sizes of its tasks. */

import { type State, textField } from "../state.ts";

export const WORKFLOWS = {
  poc: `Order of work: proof first.
- Phase 1, make it work (about half of the tasks): the shortest way to something that runs; \
shortcuts are allowed; ends with a checkpoint that proves the whole against the real thing.
- Phase 2, clean up (about a fifth): structure, errors, the shortcuts of phase 1.
- Phase 3, tests (about a fifth): unit, integration, end to end.
- Phase 4, delivery: a branch and a pull request, if the project works that way.`,
  tdd: `Order of work: test first.
- For each behaviour three tasks in a row: [RED] a test that fails for the right reason, [GREEN] \
the least code that passes, [YELLOW] refactor while the tests pass.
- Phases follow the components of the design, inside out; the last one is a branch and a pull \
request, if the project works that way.`,
  bugfix: `Order of work: reproduce first.
- Phase 0, before: a [RED] task that records a failing reproduction as a command and its output.
- Phase 1, cause and fix: the smallest change that removes the cause, not the symptom.
- Phase 2, regression test: fails without the fix, passes with it.
- VF runs the reproduction of phase 0 again and records that it passes now.`,
} as const;

export const GRANULARITIES = {
  auto:
    "Size: about one task for each file of the design plus the checks, 10 to 25 in all (fewer in a small spec); at most 8 steps and 5 files a task.",
  fine: "Size: fine, 40 to 60 tasks or more; at most 4 steps and 3 files a task.",
  coarse: "Size: coarse, 10 to 20 tasks; at most 10 steps and 6 files a task.",
} as const;

/** The order of work and the size of tasks: as chosen, or for the planner to choose. */
export function planFor(state: State): string {
  const workflow = textField(state, "workflow") ?? "";
  const size = textField(state, "granularity") ?? "";
  return [
    isKeyOf(WORKFLOWS, workflow)
      ? WORKFLOWS[workflow]
      : `If the goal is to fix a bug:\n${WORKFLOWS.bugfix}\n\nOtherwise:\n${WORKFLOWS.poc}`,
    GRANULARITIES[isKeyOf(GRANULARITIES, size) ? size : "auto"],
  ].join("\n\n");
}

function isKeyOf<T extends object>(table: T, key: string): key is keyof T & string {
  return Object.hasOwn(table, key);
}
