/** The instructions in the folder of a new plan. */

import type { Vocabulary } from "../upstream/vocabulary.ts";

/**
 * The text of `INSTRUCTIONS.md` of a new plan.
 *
 * @param setup The line that configures a client.
 */
export function instructionsText(dir: string, vocabulary: Vocabulary | undefined, setup: string) {
  const statuses = Object.entries(vocabulary?.status ?? {})
    .map(([type, values]) => `- ${type}: ${values.join(", ")}\n`);
  return `# Plan

This folder is the project's plan: one Markdoc file per entity, kept in git with the code.

| folder | type | id | for |
|---|---|---|---|
| \`${dir}/specs/\` | spec | \`SPEC-023\` | what to build |
| \`${dir}/work/\` | work | \`WORK-051\` | one piece of work with acceptance criteria |
| \`${dir}/bugs/\` | bug | \`BUG-001\` | what is broken |
| \`${dir}/decisions/\` | decision | \`ADR-005\` | why it is built this way |
| \`${dir}/milestones/\` | milestone | \`v1.0.0\` | a release and its goals |

## Workflow

| step | with the MCP server | with the CLI |
|---|---|---|
| find work | \`plan_next\` | \`refrakt plan next\` |
| read it, its specs and decisions | \`plan_get { id }\` | |
| start | \`plan_update { id, status: "in-progress" }\` | \`refrakt plan update <id> --status in-progress\` |
| tick a criterion | \`plan_update { id, check: 1 }\` | \`refrakt plan update <id> --check "text"\` |
| finish | \`plan_update { id, status: "done", resolve: "What was done" }\` | \`refrakt plan update <id> --status done --resolve "…"\` |
| add an entity | \`plan_create { type, title }\` | \`refrakt plan create <type> --title "…"\` |
| check the plan | \`plan_validate\`, \`plan_status\` | \`refrakt plan validate\` |

Write a resolution for everything that is not trivial: files, decisions, branch, pull request.
\`## Dependencies\` lists what an item waits for, one \`{% ref "WORK-001" /%}\` per line.
\`${setup}\` configures an MCP client for this project.
${statuses.length === 0 ? "" : `\n## Statuses\n\n${statuses.join("")}`}`;
}
