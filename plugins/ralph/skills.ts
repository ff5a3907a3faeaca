/** The workflow in words: the skill for Ralph Specum, and what `ralph_help` says. */

import type { Skill } from "../../src/plugin/skill.ts";

/** The steps of the workflow, and its files. */
export const WORKFLOW = `Each spec is a folder in \`specs/\` with one document per phase. The \
server keeps the state and returns the instructions of each step.

1. \`ralph_status\` lists the specs and shows the phase of each, also after a restart.
2. \`ralph_start { "goal": "…" }\` creates one and makes it the current one. Pass \`spec_name\` in \
every later call if you work on several. With \`quick: true\` the user is not asked.
3. Call the tool of the phase (\`ralph_research\`, \`ralph_requirements\`, \`ralph_design\`, \
\`ralph_tasks\`), follow its instructions, write the document, and finish with \
\`ralph_complete_phase\`. The user approves before you call the next tool.
4. In the last phase, \`ralph_implement\` hands out tasks, \`count\` of them at once. Report each with \
\`ralph_task_result\`: the command of Verify, its exit code, and what it printed as evidence. When \
all are ticked, call \`ralph_complete_phase\` with phase execution.

Each answer names the next call. Stop and ask if a task is blocked; do not mark it as complete.

You write research.md, requirements.md, design.md and tasks.md, and the learnings in .progress.md. \
Only the server writes .ralph-state.json, and specs/.current-spec with the name of the current spec.`;

export const RALPH_SKILLS: readonly Skill[] = [{
  name: "refrakt-run-ralph",
  requires: ["ralph"],
  description: "Run Ralph Specum, a spec-driven workflow: research, requirements, design, tasks, " +
    "execution. Use it to start a feature from a spec, or to continue one in specs/.",
  body: `# Run Ralph Specum\n\n${WORKFLOW}`,
}];
