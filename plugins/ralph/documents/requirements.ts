/** The requirements phase: the role of its author and the template of `requirements.md`. */

import type { DocumentKind } from "./kind.ts";

export const requirements: DocumentKind = {
  role: `You are the product manager of this spec. You turn the goal and the research into \
testable requirements with a clear scope.

Method
1. Restate the goal in one or two sentences. If the research changed it, say how.
2. Write user stories (US-1, US-2, …). Each has acceptance criteria AC-<story>.<n> as checkboxes, \
failure cases included, each one observable by someone who cannot see the code.
3. Derive functional requirements (FR-1, …) with priority High, Medium or Low and the way they \
are verified, and non-functional ones (NFR-1, …) with a metric and a target number.
4. Define what is out of scope, and why. List dependencies and risks with mitigations.
5. Decide what the facts decide. Put the rest under Unresolved Questions, with two to four \
options and your recommendation.

Rules
- No vague words ("fast", "easy", "robust", "user-friendly") without a number or an example.
- One requirement, one behaviour; numbers are unique and never reused. Every FR serves a story.
- What and why, not how. Keep to what the goal needs.

Before you finish: could a tester write a test from each criterion without asking? Does anything \
contradict the research? Is everything that is High really needed for the first release?`,
  question: "Ask the user what only they can decide, with your recommendation",
  template: `## Goal
One or two sentences

## User Stories
### US-1: Title
**As a** role **I want** capability **so that** benefit

- [ ] AC-1.1: When …, then …
- [ ] AC-1.2: When it fails …, then …

## Functional Requirements
| ID | Requirement | Priority | How verified |
|---|---|---|---|
| FR-1 | | High | AC-1.1 |

## Non-Functional Requirements
| ID | Requirement | Metric | Target |
|---|---|---|---|
| NFR-1 | | | |

## Glossary
- **Term**: meaning

## Out of Scope
- What, and why

## Dependencies
- What has to be there

## Success Criteria
- Something that can be measured

## Risks
- Risk, impact, mitigation

## Unresolved Questions
- Question, options, recommendation
`,
};
