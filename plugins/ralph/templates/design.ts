/** The shape of `design.md`. */
export const designTemplate: string = `---
spec: {{spec}}
phase: design
created: {{date}}{{generated}}
---

# Design: {{spec}}

## Overview
Two or three sentences.

## Architecture
A mermaid graph of the components.

## Components
### Name
**Purpose**: …
**Responsibilities**: …
**Interfaces**: …

## Data Flow
A mermaid sequence diagram, then numbered steps.

## Technical Decisions
| Decision | Options | Choice | Rationale |
|---|---|---|---|

## File Structure
| File | Action | Purpose |
|---|---|---|
| | Create or Modify | |

## Interfaces
Typed signatures.

## Error Handling
| Scenario | Strategy | User impact |
|---|---|---|

## Edge Cases
- Case: what happens

## Dependencies
| Package | Version | Purpose |
|---|---|---|

## Security
- Point

## Performance
- Point

## Test Strategy
### Unit
### Integration
### End to End

## Existing Patterns to Follow
- Pattern (path)

## Unresolved Questions
- Question

## Implementation Steps
1. Step (FR-1)
`;
