/** The documents of a spec: how each is written, and its template. */

import { word } from "../../src/plain_text.ts";
import { type DocumentPhase, titleOf } from "./phases.ts";
import type { State } from "./state.ts";

interface DocumentKind {
  /** The role of the model, its rules and its self-check. The template says what goes where. */
  readonly role: string;
  /** The headings below the title. */
  readonly template: string;
  /** The step that asks the user; quick mode skips it. */
  readonly question?: string;
  /** The step after writing. */
  readonly check?: string;
}

export const DOCUMENTS: Readonly<Record<DocumentPhase, DocumentKind>> = {
  research: {
    role: `You are the researcher: one verified fact is worth more than ten opinions.
- Search the web first, if you can, then read the code; delegate parts if your client can.
- Every claim has a source: a URL, a path, or "not verified". If sources contradict each other, \
say which one you trust.
- Copy the project's real commands from manifests, make targets and CI files.
- Before you finish: does each recommendation follow from a finding?`,
    template: `## Executive Summary (what was found, whether it can be done, the main risk)
## Scope (in, out, unsure)
## External Research
- Standard, prior art, or pitfall and how to avoid it (source)
## Codebase Analysis
- Pattern to follow, dependency to reuse, or constraint (path)
## Related Specs (what overlaps, and whether it needs an update)
## Quality Commands
- Lint, types, build, unit, integration and end-to-end tests: the command of each (source)
- All of it, locally and in CI, or "none": command (source)
## Verification Tooling
- How the project is started, where it answers, and with what it can be checked (source)
## Feasibility (viability: High, Medium or Low; effort: S, M, L or XL; risk; each with its reason)
## Recommendations for Requirements (numbered)
## Open Questions
## Sources (URLs, paths)
`,
  },
  requirements: {
    role:
      `You are the product manager: testable requirements with a clear scope. What and why, not how.
- Every number is used once; one requirement is one behaviour, and every FR serves a story.
- Criteria include failures, and can be observed by someone who cannot see the code.
- No vague words ("fast", "easy", "robust") without a number or an example.
- Decide what the facts decide; the rest is a question with two to four options.
- Before you finish: could a tester write a test from each criterion without asking?`,
    question: "Ask the user what only they can decide, with your recommendation",
    template: `## Goal (one or two sentences; what the research changed)
## User Stories
### US-1: Title
**As a** role **I want** capability **so that** benefit
- [ ] AC-1.1: When …, then …
- [ ] AC-1.2: When it fails …, then …
## Functional Requirements
| ID | Requirement | Priority (High, Medium, Low) | How verified |
|---|---|---|---|
| FR-1 | | High | AC-1.1 |
## Non-Functional Requirements
| ID | Requirement | Metric | Target |
|---|---|---|---|
| NFR-1 | | | |
## Glossary
## Out of Scope (what, and why)
## Dependencies (what has to be there)
## Success Criteria (measurable)
## Risks (impact, mitigation)
## Unresolved Questions (options, recommendation)
`,
  },
  design: {
    role: `You are the architect: the smallest change to this code base that meets all requirements.
- Read the code that will change first. Follow its patterns, reuse before you build, and give a \
reason for each deviation and each new dependency.
- Name each FR and NFR where it is met. No code beyond interfaces and short sketches.
- Before you finish: could a planner cut this into tasks without asking? What fails first, and \
does the design cover it?`,
    template: `## Overview (two or three sentences)
## Architecture (a mermaid graph of the components)
## Components
### Name
Its one responsibility, interfaces with types
## Data Flow (a mermaid sequence diagram, then numbered steps)
## Technical Decisions
| Decision | Options | Choice | Rationale |
|---|---|---|---|
## File Structure
| File | Create or modify | Purpose |
|---|---|---|
## Blast Radius (existing modules, and how they are affected)
## Error Handling (scenarios, partial failures too: strategy, impact on the user)
## Edge Cases (what happens)
## Dependencies (package, version, purpose)
## Security
## Performance
## Test Strategy (unit and what is mocked, integration, end to end: what proves the whole)
## Existing Patterns to Follow (paths)
## Unresolved Questions
## Implementation Steps
1. Step (FR-1)
`,
  },
  tasks: {
    role: `You are the planner: tasks that an agent can do one after another without asking.
- In order of dependency, every file of the design included. Every FR and AC is named by a task; \
no task is without one.
- Numbers: phase.n (1.1), checks V1, V2, …, VF; unique, in the first column, outside code. Steps \
inside a task have no boxes.
- Verify is one automatic command that exits 0 only if the work is done (join several with &&); \
nothing is checked by eye. A test that has to fail first has the tag [RED], and its Verify fails.
- After two or three tasks a [VERIFY] task runs the commands that the research found.
- What has to run for a check (server, browser) is started in VE1, checked in VE2…, and cleaned \
up in the last VE task, whatever the result.
- The last tasks: V1 all local checks, then one with evidence for every criterion; one for a green \
CI only where the research names a CI; VF, where the order of work has one.
- Stay inside this spec: no new spec folders, no push to the default branch. If the project works \
that way, the last phase is a branch and a pull request.
- Before you finish: does the first task work on a fresh checkout?`,
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
- [ ] V2 [VERIFY] Every acceptance criterion has evidence
## Notes (shortcuts taken, and what production still needs)
## Unresolved Questions
## Dependencies (Phase 1 before Final Verification)
`,
  },
};

const WORKFLOWS = {
  poc: `Order of work: proof first.
- Phase 1 (half of the tasks): the shortest way to something that runs, shortcuts allowed; ends \
with a checkpoint that proves the whole against the real thing.
- Phase 2 (a fifth): structure, errors, the shortcuts of phase 1.
- Phase 3 (a fifth): unit, integration and end-to-end tests.`,
  tdd: `Order of work: test first.
- For each behaviour three tasks: [RED] a test that fails for the right reason, [GREEN] the least \
code that passes, [YELLOW] refactor while the tests pass.
- Phases follow the components of the design, inside out.`,
  bugfix: `Order of work: reproduce first.
- Phase 0: a [RED] task that records a failing reproduction as a command and its output.
- Phase 1: the smallest change that removes the cause, not the symptom.
- Phase 2: a regression test that fails without the fix.
- VF runs the reproduction again and records that it passes now.`,
} as const;

const SIZES = {
  auto:
    "Size: about one task for each file of the design plus the checks, 10 to 25 in all (fewer in a small spec); at most 8 steps and 5 files a task.",
  fine: "Size: fine, 40 to 60 tasks or more; at most 4 steps and 3 files a task.",
  coarse: "Size: coarse, 10 to 20 tasks; at most 10 steps and 6 files a task.",
} as const;

/** The order of work and the size of tasks: as chosen, or for the planner to choose. */
export function planFor({ workflow, granularity }: State): string {
  const order = workflow === undefined
    ? `If the goal is to fix a bug:\n${WORKFLOWS.bugfix}\n\nOtherwise:\n${WORKFLOWS.poc}`
    : WORKFLOWS[workflow];
  return `${order}\n\n${SIZES[granularity ?? "auto"]}`;
}

export function templateFor(phase: DocumentPhase, spec: string, quick: boolean): string {
  const created = new Date().toISOString();
  const frontMatter = [`spec: ${word(spec)}`, `phase: ${phase}`, `created: ${created}`];
  if (phase === "tasks") frontMatter.push("total_tasks: <number>");
  if (quick) frontMatter.push("generated: auto");
  const title = `# ${titleOf(phase)}: ${word(spec)}`;
  return ["---", ...frontMatter, "---", title, DOCUMENTS[phase].template].join("\n");
}

/** Whether a document is still the template, its front matter aside. */
export function isUntouched(phase: DocumentPhase, spec: string, text: string): boolean {
  return withoutHeader(text) === withoutHeader(templateFor(phase, spec, false));
}

function withoutHeader(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(/^\uFEFF?---\n[\s\S]*?\n---\n/, "").trim();
}
