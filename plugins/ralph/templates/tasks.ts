/** The shape of `tasks.md`. */
export const tasksTemplate: string = `---
spec: {{spec}}
phase: tasks
created: {{date}}
total_tasks: <number>{{generated}}
---

# Tasks: {{spec}}

## Phase 1: Title

- [ ] 1.1 Title in the imperative
  - **Do**:
    1. Step
  - **Files**: \`path/one\`, \`path/two\`
  - **Done when**: what can be observed
  - **Verify**: \`command that exits 0\`
  - **Commit**: \`type(scope): text\`
  - _Requirements: FR-1, AC-1.1_
  - _Design: section_

- [ ] 1.2 [P] Title of a task beside others
  (the same fields)

- [ ] 1.3 [VERIFY] Quality check
  - **Do**: run the checks of the project
  - **Verify**: \`lint\` and \`types\` and \`tests\`
  - **Done when**: all exit 0
  - **Commit**: None

## Final Verification

- [ ] V1 [VERIFY] Full local checks
  (Do, Verify and Done when, here and below)
- [ ] V2 [VERIFY] CI is green
- [ ] V3 [VERIFY] Every acceptance criterion has evidence

## Notes
- Shortcuts taken, and what production still needs

## Unresolved Questions
- Question

## Dependencies
Phase 1 before Final Verification
`;
