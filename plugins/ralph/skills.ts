/** The skill for Ralph Specum. */

import type { Skill } from "../../src/tools/skill.ts";

export const RALPH_SKILLS: readonly Skill[] = [{
  name: "refrakt-run-ralph",
  description: "Run Ralph Specum, a spec-driven workflow: research, requirements, design, tasks, " +
    "execution. Use it to start a feature from a spec, or to continue one in specs/.",
  body: `# Run Ralph Specum

Each spec is a folder in \`specs/\` with one document per phase. The server keeps the state and
returns the instructions of each step.

1. \`ralph_status\` lists the specs and shows the phase of each.
2. \`ralph_start { "name": "…", "goal": "…" }\` begins one. Pass \`spec_name\` in every later call.
3. Call the tool of the phase (\`ralph_research\`, \`ralph_requirements\`, \`ralph_design\`,
   \`ralph_tasks\`), follow its instructions, and finish with \`ralph_complete_phase\`.
4. In the last phase, \`ralph_implement\` returns one task at a time. Report each with
   \`ralph_task_result\`: the command of Verify, its exit code, and what it printed as evidence.

Each answer names the next call. Stop and ask if a task is blocked; do not mark it as complete.`,
}];
