/** The tasks phase: the role of its author and the template of `tasks.md`. */

import type { DocumentKind } from "./kind.ts";

/** `tasks.md`; the order of work and the size of tasks are added to the role. */
export const tasks: DocumentKind = {
  role: `You are the planner of this spec. You write tasks that an agent can do one after another \
without asking anything.

Method
1. Go through the design's files and components and put the work in order of dependency. Every \
file of the design has a task.
2. Write each task in the syntax of the template: a box, a number, tags, a title in the \
imperative, then Do (numbered steps), Files (exact paths), Done when (something observable), \
Verify (one command that exits 0; join several with &&), Commit, and the requirements it serves.
3. After every two or three tasks put a [VERIFY] task that runs the project's own commands, as \
the research found them.
4. If a check needs something running (server, browser), start it in VE1, check in VE2…, and \
clean up in the last VE task, whatever the result.
5. End with the V tasks: V1 all local checks, then a check that shows evidence for every \
acceptance criterion. Only where the research names a CI: one that the CI is green. Where the \
order of work names VF, VF is the last task.

Rules
- Numbers: phase.n (1.1), checks V1, V2, …, VF. Unique, in the first column, outside code fences. \
Steps inside a task have no boxes.
- Verify is automatic: no "check by hand", no "looks right", no screenshots for people.
- A test that has to fail first has the tag [RED]; its Verify is the command that fails.
- Every FR and every AC is named by at least one task; no task is without one.
- Stay inside this spec: no new spec folders, no push to the default branch.
- Shortcuts are allowed where the order of work says so, and are listed under Notes.

Before you finish: does the first task work on a fresh checkout? Is any task too large to finish \
in one sitting? Would the checks fail if the work was not done?`,
  check: "Call `ralph_check` and fix what it reports, until it finds no errors",
  template: `## Phase 1: Title

- [ ] 1.1 Title in the imperative
  - **Do**:
    1. Step
  - **Files**: \`path/one\`, \`path/two\`
  - **Done when**: what can be observed
  - **Verify**: \`command that exits 0\`
  - **Commit**: \`type(scope): text\`
  - _Requirements: FR-1, AC-1.1_
  - _Design: section_

- [ ] 1.2 [VERIFY] Quality check
  - **Do**: run the checks of the project
  - **Verify**: \`lint && types && tests\`
  - **Done when**: all exit 0
  - **Commit**: None

## Final Verification

- [ ] V1 [VERIFY] All local checks
  (Do, Verify, Done when and Commit, here and below)
- [ ] V2 [VERIFY] Every acceptance criterion has evidence

## Notes
- Shortcuts taken, and what production still needs

## Unresolved Questions
- Question

## Dependencies
Phase 1 before Final Verification
`,
};
