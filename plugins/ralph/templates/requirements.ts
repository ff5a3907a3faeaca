/** The shape of `requirements.md`. */
export const requirementsTemplate: string = `---
spec: {{spec}}
phase: requirements
created: {{date}}{{generated}}
---

# Requirements: {{spec}}

## Goal
One or two sentences.

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
| Risk | Impact | Mitigation |
|---|---|---|

## Unresolved Questions
- Question, options, recommendation

## Next Steps
1. Step
`;
