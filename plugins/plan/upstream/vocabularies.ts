/**
 * The vocabularies of the plugin's versions and the sections that they know, the oldest first; versions
 * that follow each other and have the same ones share a row. Written by `deno task vocabulary`.
 */

import type { VersionVocabulary } from "./vocabulary.ts";

export const VOCABULARIES: readonly VersionVocabulary[] = [{
  "versions": ["0.24.1", "0.24.5", "0.24.6", "0.25.1"],
  "isPublished": true,
  "status": {
    "spec": ["draft", "review", "accepted", "superseded", "deprecated"],
    "work": ["draft", "ready", "in-progress", "review", "done", "blocked", "pending"],
    "bug": ["reported", "confirmed", "in-progress", "fixed", "wontfix", "duplicate"],
    "decision": ["proposed", "accepted", "superseded", "deprecated"],
    "milestone": ["planning", "active", "complete"],
  },
  "values": {
    "priority": ["critical", "high", "medium", "low"],
    "severity": ["critical", "major", "minor", "cosmetic"],
    "complexity": ["trivial", "simple", "moderate", "complex", "unknown"],
  },
  "attributes": {
    "work": ["id", "status", "priority", "complexity", "assignee", "milestone", "source", "tags"],
    "spec": ["id", "status", "version", "supersedes", "tags"],
    "bug": ["id", "status", "severity", "assignee", "milestone", "source", "tags"],
    "decision": ["id", "status", "date", "supersedes", "source", "tags"],
    "milestone": ["name", "status", "target"],
  },
  "migrations": ["filenames"],
  "sections": {
    "byType": {
      "spec": {},
      "work": {
        "Acceptance Criteria": ["acceptance criteria", "criteria", "ac", "done when"],
        "Dependencies": ["dependencies", "deps", "depends on", "blocked by", "requires"],
        "Approach": ["approach", "technical notes", "implementation notes", "how"],
        "References": ["references", "refs", "related", "context"],
        "Edge Cases": ["edge cases", "exceptions", "corner cases"],
        "Verification": ["verification", "test cases", "tests"],
      },
      "bug": {
        "Steps to Reproduce": ["steps to reproduce", "reproduction", "steps", "repro"],
        "Expected": ["expected", "expected behaviour"],
        "Actual": ["actual", "actual behaviour"],
        "Environment": ["environment", "env"],
      },
      "decision": {
        "Decision": ["decision"],
        "Context": ["context", "background"],
        "Options Considered": ["options considered", "options", "alternatives"],
        "Rationale": ["rationale", "reasoning"],
        "Consequences": ["consequences", "impact", "trade-offs"],
      },
      "milestone": {},
    },
  },
}, {
  "versions": ["0.29.0"],
  "isPublished": false,
  "status": {
    "spec": ["draft", "review", "accepted", "implemented", "shipped", "superseded", "deprecated"],
    "work": [
      "draft",
      "ready",
      "in-progress",
      "review",
      "done",
      "blocked",
      "pending",
      "cancelled",
      "superseded",
    ],
    "bug": ["reported", "confirmed", "in-progress", "fixed", "wontfix", "duplicate"],
    "decision": ["proposed", "accepted", "rejected", "superseded", "deprecated"],
    "milestone": ["planning", "active", "complete"],
  },
  "values": {
    "priority": ["critical", "high", "medium", "low"],
    "severity": ["critical", "major", "minor", "cosmetic"],
    "complexity": ["trivial", "simple", "moderate", "complex", "unknown"],
  },
  "attributes": {
    "work": [
      "id",
      "status",
      "priority",
      "complexity",
      "assignee",
      "milestone",
      "source",
      "supersedes",
      "pr",
      "tags",
    ],
    "spec": ["id", "status", "version", "supersedes", "released-in", "tags"],
    "bug": ["id", "status", "severity", "assignee", "milestone", "source", "pr", "tags"],
    "decision": ["id", "status", "date", "supersedes", "source", "tags"],
    "milestone": ["name", "status", "target"],
  },
  "migrations": ["filenames", "pr-attrs", "dependencies"],
  "sections": {
    "byType": {
      "spec": {},
      "work": {
        "Blocked by": ["blocked by", "dependencies", "depends on", "requires", "deps", "needs"],
        "Blocks": ["blocks", "unblocks", "enables", "required by"],
        "Acceptance Criteria": ["acceptance criteria", "criteria", "ac", "done when"],
        "Approach": ["approach", "technical notes", "implementation notes", "how"],
        "References": ["references", "refs", "related", "context"],
        "Edge Cases": ["edge cases", "exceptions", "corner cases"],
        "Verification": ["verification", "test cases", "tests"],
      },
      "bug": {
        "Blocked by": ["blocked by", "dependencies", "depends on", "requires", "deps", "needs"],
        "Blocks": ["blocks", "unblocks", "enables", "required by"],
        "Steps to Reproduce": ["steps to reproduce", "reproduction", "steps", "repro"],
        "Expected": ["expected", "expected behaviour"],
        "Actual": ["actual", "actual behaviour"],
        "Environment": ["environment", "env"],
      },
      "decision": {
        "Decision": ["decision"],
        "Context": ["context", "background"],
        "Options Considered": ["options considered", "options", "alternatives"],
        "Rationale": ["rationale", "reasoning"],
        "Consequences": ["consequences", "impact", "trade-offs"],
      },
      "milestone": {},
    },
    "directions": { "Blocked by": "blocked-by", "Blocks": "blocks" },
  },
}];
