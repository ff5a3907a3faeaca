/** The shape of `research.md`. */
export const researchTemplate: string = `---
spec: {{spec}}
phase: research
created: {{date}}{{generated}}
---

# Research: {{spec}}

## Executive Summary
Two or three sentences: what was found, whether it can be done, the main risk.

## External Research
### Best Practices
- Finding (source)
### Prior Art
- Finding (source)
### Pitfalls
- Pitfall and how to avoid it (source)

## Codebase Analysis
### Existing Patterns
- Pattern (path)
### Dependencies
- What can be reused (path)
### Constraints
- Constraint (path)

## Related Specs
| Spec | Relevance | Relationship | May need update |
|---|---|---|---|

## Quality Commands
| Type | Command | Source |
|---|---|---|
| Lint | | |
| Types | | |
| Unit tests | | |
| Integration tests | | |
| End-to-end tests | | |
| Build | | |

Local CI: one line that runs all of it

## Verification Tooling
| What | Value | Source |
|---|---|---|

## Feasibility
| Aspect | Rating | Notes |
|---|---|---|
| Technical viability | High, Medium or Low | |
| Effort | S, M, L or XL | |
| Risk | High, Medium or Low | |

## Recommendations for Requirements
1. Recommendation

## Open Questions
- Question

## Sources
- Address or path
`;
