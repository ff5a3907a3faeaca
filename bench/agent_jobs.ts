/**
 * Jobs for an agent that has only these tools: eleven ordinary ones on a real plan with its
 * history, twelve harder ones on a repository with a plan and pages, and twelve that no argument
 * of a tool foresees, beside shell commands with the same answers.
 */

/**
 * A tool or prompt with its arguments; `$id` is the first item of an earlier answer. `file` is none:
 * the agent writes a file.
 */
export type Call = readonly [name: string, input: Record<string, unknown>];

/** A job and its calls. */
export type Job = readonly [asks: string, ...calls: Call[]];

export const ORDINARY: readonly Job[] = [
  [
    "Find the next item, read it and its spec",
    ["plan_next", {}],
    ["plan_get", { id: "WORK-094", fields: ["sections"] }],
    ["plan_get", { id: "SPEC-031" }],
  ],
  [
    "Take an item up, tick two criteria, finish it",
    ["plan_update", { id: "WORK-094", status: "in-progress", assignee: "Ada" }],
    ["plan_update", { id: "WORK-094", check: [1, 2] }],
    ["plan_update", { id: "WORK-094", check: "all", status: "done", resolve: "It is done." }],
  ],
  [
    "How does a milestone stand, and what of it is open by priority?",
    ["plan_status", { milestone: "v1.0.0" }],
    ["plan_list", { milestone: "v1.0.0", open: true, sort: "priority", fields: ["priority"] }],
  ],
  ["Why is an item not offered?", ["plan_next", { explain: true, detail: "short" }]],
  [
    "Which items implement a spec, and what is open in one?",
    ["refrakt_query", {
      sql: "select id, status, title from refs join entities using (id) where to_id = 'SPEC-031' " +
        "and refs.kind = 'source'",
    }],
    ["plan_get", { id: "WORK-055", fields: ["criteria"] }],
  ],
  [
    "File a bug that blocks an item",
    ["plan_create", {
      type: "bug",
      title: "It blinks",
      blocks: ["WORK-055"],
      sections: { "Steps to Reproduce": "1. Look", Expected: "Light", Actual: "Dark" },
    }],
    ["plan_get", { id: "WORK-055", fields: ["dependencies"] }],
  ],
  [
    "What was finished since a day, and what are the last ten commits?",
    ["plan_history", { since: "2026-07-10", summary: true }],
    ["plan_history", { limit: 10 }],
  ],
  ["Is the plan sound?", ["plan_validate", {}]],
  [
    "Where is something mentioned, in words and by id?",
    ["plan_list", { text: "tree-shak", limit: 10 }],
    ["refrakt_query", {
      sql: "select id, kind, line from refs where to_id = 'SPEC-031' order by id",
    }],
  ],
  [
    "Rewrite a section, and add a criterion",
    ["plan_update", {
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
    ["refrakt_query", {
      sql: "select path, count(*) from uses where rune = 'figure' group by 1 order by 2 desc",
    }],
    ["refrakt_query", {
      sql: "select path, title from pages where kind = 'page' and site = 'main' and " +
        "description is null and redirect is null",
    }],
  ],
  [
    "What links to a page, and how many pages has each layout?",
    ["refrakt_query", {
      sql: "select path, line, kind from links where to_path = 'site/content/runes/card.md'",
    }],
    ["refrakt_query", { sql: "select layout, count(*) from pages where kind = 'page' group by 1" }],
  ],
  ["Is the whole site sound?", ["refrakt_check", { site: "main" }]],
  [
    "Give a rune another name on all pages",
    ["refrakt_rename", { site: "main", kind: "rune", from: "hint", to: "callout", preview: true }],
    ["refrakt_rename", { site: "main", kind: "rune", from: "hint", to: "callout" }],
  ],
  [
    "Write a part of a page with two runes that were never used before",
    ["refrakt_reference", { site: "main", runes: ["accordion", "figure"] }],
    ["refrakt_render", {
      site: "main",
      source: "{% accordion %}\n## One\nFirst.\n\n## Two\nSecond.\n{% /accordion %}\n",
    }],
    ["refrakt_check", { site: "main", path: "site/content/runes/accordion.md" }],
  ],
  [
    "Which selectors of a rune have no style, and where are its rules?",
    ["refrakt_inspect_audit", { site: "main", rune: "card" }],
    ["refrakt_inspect_audit", { site: "main", rune: "card", only: "unstyled" }],
  ],
  [
    "What does a rune become, and does its contract agree?",
    ["refrakt_inspect", { site: "main", rune: "hint", fields: ["outline", "warnings"] }],
    ["refrakt_contracts", { site: "main", runes: ["hint"] }],
  ],
  [
    "Why does a page look different from its source?",
    ["refrakt_render", { site: "main", path: "site/content/runes/card.md" }],
  ],
  [
    "Who mentions an item, in references and in words, and what became of it?",
    ["refrakt_query", { sql: "select id, kind, line from refs where to_id = 'WORK-170'" }],
    ["plan_history", { id: "WORK-170" }],
    ["plan_get", { id: "WORK-170", fields: ["status", "references", "referencedBy"] }],
  ],
  [
    "Take the next item beside other agents, look who has what, give it back",
    ["plan_list", { claimed: true }],
    ["plan_claim", { assignee: "ada" }],
    ["plan_claim", { assignee: "ada", id: "$id", release: true }],
  ],
  [
    "What becomes available after what, and what is the longest chain?",
    ["plan_next", { ahead: 8, detail: "short" }],
  ],
  ["Where do the plan and what happened differ?", ["plan_review", {}]],
];

/** Changes of many things, on a plan of 50 items whose last commit has removed one. */
export const MANY: readonly Job[] = [
  [
    "Give a milestone another name in 50 entities",
    ["plan_rename", { kind: "milestone", from: "v1.0.0", to: "v1.1.0", preview: true }],
    ["plan_rename", { kind: "milestone", from: "v1.0.0", to: "v1.1.0" }],
  ],
  ["Make five different changes", ["plan_update", {
    changes: [
      { id: "WORK-011", status: "done", resolve: "It is done." },
      { id: "WORK-012", priority: "low" },
      { id: "WORK-013", assignee: "ada", note: "Begun" },
      { id: "WORK-014", sections: { Approach: "In two steps." } },
      { id: "WORK-015", criteria: { add: ["It is measured"] } },
    ],
  }]],
  [
    "Take a deletion back, with what pointed to it",
    ["plan_history", { limit: 1 }],
    ["plan_undo", { commit: "HEAD" }],
  ],
];

/** A document as an agent writes it, of a function with a test. */
function document(phase: string, lines: readonly string[]): Call {
  const text = `---\nspec: slugify\nphase: ${phase}\n---\n# ${phase}\n\n${lines.join("\n")}\n`;
  return ["file", { path: `specs/slugify/${phase}.md`, text }];
}

function completed(phase: string): Call {
  return ["ralph_complete_phase", {
    phase,
    summary: "Fold accents, join by hyphens, test a table.",
  }];
}

const TASKS = ["Write the failing table [RED]", "Fold accents", "Join words", "Trim and lower-case"]
  .concat("Export it", "Document it", "Run all checks", "Collect the evidence");

const RESULTS = TASKS.map((_title, at) => ({
  task: `1.${at + 1}`,
  command: "deno test src/text_test.ts",
  exit_code: 0,
  evidence: "8 passed",
}));

export const RALPH: readonly Job[] = [[
  "A function with a test, from the goal to eight finished tasks",
  ["ralph_start", { name: "slugify", goal: "Add slugify(title) to src/text.ts", quick: true }],
  ["ralph_research", {}],
  document("research", ["## Executive Summary", "A slug is ASCII, as src/links.ts:12 expects."]),
  completed("research"),
  ["ralph_requirements", {}],
  document("requirements", [
    "## User Stories",
    "### US-1: Readable addresses",
    "- [ ] AC-1.1: When a title has accents, then the slug has none",
    "## Functional Requirements",
    "| FR-1 | slugify returns ASCII | High | AC-1.1 |",
  ]),
  completed("requirements"),
  ["ralph_design", {}],
  document("design", ["## Overview", "One function (FR-1), tested by a table (AC-1.1)."]),
  completed("design"),
  ["ralph_tasks", {}],
  document(
    "tasks",
    TASKS.map((title, at) =>
      `- [ ] 1.${at + 1} ${title}\n  - **Do**:\n    1. ${title}\n  - **Files**: \`src/text.ts\`\n` +
      "  - **Done when**: the cases pass\n  - **Verify**: `deno test src/text_test.ts`\n" +
      "  - **Commit**: `feat: add slugify`\n  - _Requirements: FR-1, AC-1.1_"
    ),
  ),
  ["ralph_check", {}],
  completed("tasks"),
  ["ralph_implement", { count: 8 }],
  ["file", { path: "src/text.ts", text: "export const slugify = (title: string) => title;\n" }],
  ["file", { path: "src/text_test.ts", text: "// The table.\n" }],
  ["ralph_task_result", { done: RESULTS }],
  completed("execution"),
  ["ralph_status", {}],
]];

/** A job, the statement that answers it, and a shell command that does. */
export type Question = readonly [asks: string, sql: string, shell: string];

export const PLAN_QUESTIONS: readonly Question[] = [
  [
    "A stand-up: who changed which status in the last two weeks?",
    "select substr(date, 1, 10) day, author, id, old, new from events where field = 'status' and " +
    "date >= (select date(max(date), '-14 days') from events) order by date desc",
    "git log --since=2026-07-09 --format='%h %as %an' -p -- plan | " +
    "grep -E '^[0-9a-f]{7,} |^[+]{3} |^[-+].*status='",
  ],
  [
    "Which done items have open criteria?",
    "select id, open, title from entities where status = 'done' and open > 0 order by open desc",
    "for f in $(grep -l 'status=\"done\"' plan/work/*); do echo $(grep -c '^- \\[ \\]' $f) $f; done " +
    "| grep -v '^0' | sort -rn",
  ],
  [
    "Which specs has nobody begun?",
    "select id, status, title from entities where type = 'spec' and not finished and id not in " +
    "(select to_id from refs where kind = 'source')",
    "grep -ho 'source=\"[^\"]*\"' plan/*/*.md | sort -u; grep -h '{% spec' plan/specs/*.md",
  ],
  [
    "Where is a path named, and in which section?",
    "select path, n, trim(text) text from lines where text like '%packages/runes/src/config%' limit 25",
    "grep -rn packages/runes/src/config plan",
  ],
  [
    "Which open items wait for items of another milestone?",
    "select e.id, e.milestone, d.id needs, d.milestone its, d.status from refs r join entities e on " +
    "e.id = r.id join entities d on d.id = r.to_id where r.kind = 'depends' and not e.finished and " +
    "not d.finished and e.milestone is not d.milestone",
    "grep -lE 'status=\"(ready|pending|draft|in-progress|blocked)\"' plan/work/* | xargs grep -nE " +
    "'milestone=|^## Depend|ref \"WORK'",
  ],
  [
    "A stakeholder's report: progress by milestone",
    "select milestone, count(*) items, sum(finished) finished, sum(done) ticked, sum(open) open from " +
    "entities where type in ('work', 'bug') group by 1 order by 1",
    "grep -ho '{% \\(work\\|bug\\) .*' plan/work/* plan/bugs/*; grep -c '^- \\[x' plan/work/*",
  ],
  [
    "Which unfinished items are too large, and want a split?",
    "select id, count(*) criteria, count(distinct section) sections, title from criteria join entities " +
    "using (id) where not finished and type = 'work' group by 1 having criteria > 8 order by 2 desc",
    "grep -LE 'status=\"done\"' plan/work/* | xargs grep -c '^- \\['",
  ],
];

export const PAGE_QUESTIONS: readonly Question[] = [
  [
    "Where is a hint of type warning?",
    "select path, line from uses where rune = 'hint' and attributes->>'type' = 'warning'",
    "grep -rn '{% hint.*warning' site/content",
  ],
  [
    "Which runes does no page use?",
    "select name, package, parent from runes where site = 'main' and name not in (select rune from uses)",
    "node_modules/.bin/refrakt inspect --list; grep -rhoE '[{]% *[a-z-]+' site/content | sort | uniq -c",
  ],
  [
    "Which pages does nothing link to?",
    "select path from pages where site = 'main' and kind = 'page' and redirect is null and path not in " +
    "(select to_path from links where to_path is not null)",
    "find site/content -name '*.md'; grep -rhoE '\\]\\([^)#]+' site/content | sort -u",
  ],
  [
    "Which pages have several headings of level 1, or none?",
    "select path, sum(level = 1) n from pages left join headings using (path) where kind = 'page' and " +
    "redirect is null group by 1 having n <> 1 or n is null",
    "grep -c '^# ' -r site/content --include=*.md | grep -v ':1$'",
  ],
  [
    "Which pages name an unfinished spec?",
    "select l.path, l.n, e.id, e.status from lines l join entities e on instr(l.text, e.id) " +
    "where l.text like '%SPEC-%' and l.site is not null and not l.in_code and e.type = 'spec' " +
    "and not e.finished",
    "grep -rnoE 'SPEC-[0-9]+' site/content; grep -h '{% spec' plan/specs/*.md",
  ],
];
