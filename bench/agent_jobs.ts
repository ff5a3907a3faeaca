/**
 * Jobs for an agent that has only these tools: eleven ordinary ones on a real plan with its
 * history, and eleven harder ones on a repository with a plan and pages.
 */

/** A tool or prompt with its arguments; `$id` is the first item of an earlier answer. */
export type Call = readonly [name: string, input: Record<string, unknown>];

/** A job and its calls. */
export type Job = readonly [asks: string, ...calls: Call[]];

export const ORDINARY: readonly Job[] = [
  [
    "Find the next item, read it and its spec",
    ["plan.next", {}],
    ["plan.get", { id: "WORK-094", fields: ["sections"] }],
    ["plan.get", { id: "SPEC-031" }],
  ],
  [
    "Take an item up, tick two criteria, finish it",
    ["plan.update", { id: "WORK-094", status: "in-progress", assignee: "Ada" }],
    ["plan.update", { id: "WORK-094", check: [1, 2] }],
    ["plan.update", { id: "WORK-094", check: "all", status: "done", resolve: "It is done." }],
  ],
  [
    "How does a milestone stand, and what of it is open by priority?",
    ["plan.status", { milestone: "v1.0.0" }],
    ["plan.list", { milestone: "v1.0.0", open: true, sort: "priority", fields: ["priority"] }],
  ],
  ["Why is an item not offered?", ["plan.next", { explain: true, detail: "short" }]],
  [
    "Which items implement a spec, and what is open in one?",
    ["plan.list", { source: "SPEC-031" }],
    ["plan.get", { id: "WORK-055", fields: ["criteria"] }],
  ],
  [
    "File a bug that blocks an item",
    ["plan.create", {
      type: "bug",
      title: "It blinks",
      blocks: ["WORK-055"],
      sections: { "Steps to Reproduce": "1. Look", Expected: "Light", Actual: "Dark" },
    }],
    ["plan.get", { id: "WORK-055", fields: ["dependencies"] }],
  ],
  [
    "What was finished since a day, and what are the last ten commits?",
    ["plan.history", { since: "2026-07-10", summary: true }],
    ["plan.history", { limit: 10 }],
  ],
  ["Is the plan sound?", ["plan.validate", {}]],
  [
    "Where is something mentioned, in words and by id?",
    ["plan.list", { text: "tree-shak", limit: 10 }],
    ["plan.list", { mentions: "SPEC-031" }],
  ],
  [
    "Rewrite a section, and add a criterion",
    ["plan.update", {
      id: "WORK-055",
      sections: { Approach: "In two steps." },
      criteria: { add: ["It is measured"] },
    }],
  ],
  ["Write the release notes of a milestone", ["plan_release_notes", { milestone: "v1.0.0" }]],
];

export const HARDER: readonly Job[] = [
  [
    "Which pages use figure, how often, and which have no description?",
    ["refrakt.pages", { site: "main", rune: "figure", fields: ["runes"] }],
    ["refrakt.pages", { site: "main", missing: "description" }],
  ],
  [
    "What links to a page, and which pages use a partial?",
    ["refrakt.pages", { site: "main", linksTo: "/runes/card" }],
    ["refrakt.pages", { site: "main", groupBy: "layout" }],
  ],
  ["Is the whole site sound?", ["refrakt.check", { site: "main" }]],
  [
    "Write a part of a page with two runes that were never used before",
    ["refrakt.reference", { site: "main", runes: ["accordion", "figure"] }],
    ["refrakt.render", {
      site: "main",
      source: "{% accordion %}\n## One\nFirst.\n\n## Two\nSecond.\n{% /accordion %}\n",
    }],
    ["refrakt.check", { site: "main", path: "site/content/runes/accordion.md" }],
  ],
  [
    "Which selectors of a rune have no style, and where are its rules?",
    ["refrakt.inspect_audit", { site: "main", rune: "card" }],
    ["refrakt.inspect_audit", { site: "main", rune: "card", only: "unstyled" }],
  ],
  [
    "What does a rune become, and does its contract agree?",
    ["refrakt.inspect", { site: "main", rune: "hint", fields: ["outline", "warnings"] }],
    ["refrakt.contracts", { site: "main", runes: ["hint"] }],
  ],
  [
    "Why does a page look different from its source?",
    ["refrakt.render", { site: "main", path: "site/content/runes/card.md" }],
  ],
  [
    "Who mentions an item, in references and in words, and what became of it?",
    ["plan.list", { mentions: "WORK-170" }],
    ["plan.history", { id: "WORK-170" }],
    ["plan.get", { id: "WORK-170", fields: ["status", "references", "referencedBy"] }],
  ],
  [
    "Take the next item beside other agents, look who has what, give it back",
    ["plan.list", { claimed: true }],
    ["plan.claim", { assignee: "ada" }],
    ["plan.claim", { assignee: "ada", id: "$id", release: true }],
  ],
  [
    "What becomes available after what, and what is the longest chain?",
    ["plan.next", { ahead: 8, detail: "short" }],
  ],
  ["Where do the plan and what happened differ?", ["plan.review", {}]],
];
