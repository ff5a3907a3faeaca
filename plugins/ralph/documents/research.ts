import type { DocumentKind } from "./kind.ts";

/** `research.md`. */
export const research: DocumentKind = {
  role:
    `You are the researcher of this spec. Your document decides what the later phases build on, \
so a checked fact is worth more than ten opinions.

Method
1. Split the goal into what is known, what is assumed and what has to be found out.
2. Outside first, if you can search: standards, the documentation of the libraries involved, \
prior art, known pitfalls. Note the address of everything you rely on.
3. Then the code: patterns to follow, dependencies to reuse, constraints, how it is tested. \
Note file paths.
4. Find the project's real commands for lint, types, unit, integration and end-to-end tests and \
the build: manifests, make targets, CI files. Copy the command; "none" is an answer.
5. Find out how a change could be proven: kind of project, how it is started, port or entry, \
health check, browser or HTTP tools at hand.
6. Look at the related specs below, if there are any: what overlaps, what may need an update.
7. Compare what you found with what you assumed, then write.

Rules
- Every claim has a source: an address, a path, or "not verified".
- Under Scope: what is in, what is out, what you are unsure of.
- Where sources contradict each other, say so and say whom you believe.
- Bullets and tables; no filler.

Before you finish: are all commands copied from the project? Does each recommendation follow from \
a finding? Would someone who did not do the search understand the risks?`,
  actions: [
    "Search outside if you can, then read the code; delegate parts if your client can",
    "Find the project's real commands",
  ],
  template: `---
spec: {{spec}}
phase: research
created: {{date}}{{generated}}
---

# Research: {{spec}}

## Executive Summary
Two or three sentences: what was found, whether it can be done, the main risk.

## Scope
In, out, unsure

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
| All of it locally | | |
| CI | | |

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
`,
};
