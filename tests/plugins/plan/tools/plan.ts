/** The small plan that the tests of the tools use. */

import { entity, type Files } from "../../../support/project.ts";

const CRITERIA = "## Acceptance Criteria\n- [x] It parses\n- [ ] It renders\n- [ ] It is fast\n";

/** A plan with dependencies, sources, milestones, tags and texts to search. */
export const WIDE_PLAN: Files = {
  "plan/work/WORK-001-parser.md": entity(
    "work",
    {
      id: "WORK-001",
      status: "ready",
      priority: "high",
      complexity: "simple",
      milestone: "v1.0.0",
      source: "SPEC-001,ADR-001",
      tags: "core, parser",
      assignee: "Ada",
    },
    "Parse the tables",
    `Tables arrive as lighthouse reports.\n\n${CRITERIA}\n## Approach\nA hand-written scanner.\n\n` +
      '```md\n## Not a section\n```\n\n## References\n- {% ref "SPEC-001" /%}\n\n' +
      "## Dependencies\n- Nothing yet\n",
  ),
  "plan/work/WORK-002-render.md": entity(
    "work",
    {
      id: "WORK-002",
      status: "ready",
      priority: "critical",
      complexity: "moderate",
      milestone: "v1.0.0",
      source: "SPEC-001",
      tags: "core",
    },
    "Render the tables",
    '## Acceptance Criteria\n- [ ] It shows rows\n\n## Dependencies\n- {% ref "WORK-001" /%}\n',
  ),
  "plan/work/WORK-003-theme.md": entity(
    "work",
    { id: "WORK-003", status: "done", priority: "low", complexity: "trivial", milestone: "v0.9.0" },
    "Theme",
    "## Acceptance Criteria\n- [ ] It is dark\n\n## Resolution\nCompleted: 2026-01-05\n\nDone.\n",
  ),
  "plan/work/WORK-004-idea.md": entity(
    "work",
    { id: "WORK-004", status: "ready", priority: "low", complexity: "unknown" },
    "An idea of the spec",
    'As {% ref "SPEC-001" /%} says.\n',
  ),
  "plan/work/WORK-005-going.md": entity(
    "work",
    { id: "WORK-005", status: "in-progress", priority: "medium", milestone: "v1.0.0" },
    "Something that goes on",
    "## Acceptance Criteria\n- [ ] One\n",
  ),
  "plan/bugs/BUG-001-crash.md": entity(
    "bug",
    { id: "BUG-001", status: "confirmed", severity: "major", milestone: "v1.0.0" },
    "It crashes on umlauts",
    "## Steps to Reproduce\n1. Parse Zürich\n",
  ),
  "plan/bugs/BUG-002-typo.md": entity(
    "bug",
    { id: "BUG-002", status: "wontfix", severity: "cosmetic" },
    "A typo",
    "",
  ),
  "plan/specs/SPEC-001-tables.md": entity(
    "spec",
    { id: "SPEC-001", status: "draft", tags: "core" },
    "Tables",
    "What tables are.\n\n## Overview\nThey have rows.\n",
  ),
  "plan/decisions/ADR-001-scanner.md": entity(
    "decision",
    { id: "ADR-001", status: "accepted", date: "2026-01-01", source: "SPEC-001" },
    "A scanner by hand",
    "## Context\nSpeed.\n\n## Decision\nBy hand.\n",
  ),
  "plan/milestones/first.md": entity(
    "milestone",
    { name: "v1.0.0", status: "active" },
    "v1.0.0 — First release",
    "- Ship it\n",
  ),
  "plan/milestones/before.md": entity(
    "milestone",
    { name: "v0.9.0", status: "complete" },
    "v0.9.0 — Before",
    "- It shipped\n",
  ),
};
