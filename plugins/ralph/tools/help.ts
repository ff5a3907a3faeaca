/** `ralph_help`: explains the workflow, and lists the tools from their declarations. */

import * as z from "zod";
import type { Tool } from "../../../src/tools/tool.ts";
import { propertiesOf, requiredOf } from "../../../src/tools/schema.ts";
import { shownName } from "../names.ts";
import { PHASES } from "../phases.ts";
import { type Overview, overview } from "../rows.ts";
import { ralphTool } from "../tool.ts";
import { counted } from "../../../src/tools/counted.ts";

const WORKFLOW = `Phases: ${PHASES.join(" → ")}.

1. ralph_start with a goal creates a spec.
2. ralph_research, ralph_requirements, ralph_design and ralph_tasks each return instructions: \
follow them, write the document, then call ralph_complete_phase with a summary. The user approves \
before you call the next tool.
3. ralph_implement hands out one task, ralph_task_result records its outcome and ticks it, until \
all are done; then call ralph_complete_phase with phase execution.

Quick start: ralph_start { goal: "Add user authentication" }, then ralph_research. With quick: \
true the user is not asked. After a restart, ralph_status shows the next step.`;

const FILES = `Files:
- specs/.current-spec: the name of the current spec
- specs/<name>/.ralph-state.json: the state, which only the server writes
- specs/<name>/.progress.md: the progress file with goal, records and learnings
- specs/<name>/research.md, requirements.md, design.md, tasks.md: the documents, which you write`;

export function helpTool(tools: readonly Tool[]): Tool {
  const self: Tool = ralphTool({
    name: "help",
    title: "Explain the workflow",
    description: "Explains the workflow and its tools.",
    effect: "reads",
    input: z.strictObject({}),
    output: {},
    instructs: true,
    run: (_input, { project: { cwd } }) => {
      const all = overview(cwd);
      const table = [
        "| Tool | Arguments | What it does |",
        "|---|---|---|",
        ...[...tools, self].map((tool) =>
          `| ${tool.name} | ${argumentsOf(tool) || "-"} | ${tool.description} |`
        ),
      ].join("\n");
      return {
        message: "Ralph: from a goal to finished tasks",
        body: [WORKFLOW, table, FILES, `You are here: ${hereIn(all)}`].join("\n\n"),
        step: all.step,
        warnings: all.warnings,
        data: {},
      };
    },
  });
  return self;
}

function hereIn({ specs, count }: Overview): string {
  const row = specs.find((row) => row.current);
  if (row !== undefined) {
    const { name, phase, status, done, total } = row;
    return `${shownName(name)}, phase ${phase} (${status}), ${done}/${total} tasks`;
  }
  return count === 0 ? "there are no specs yet" : `${counted(count, "spec")}, none of them current`;
}

/** The names of a tool's arguments; optional ones end with `?`. */
function argumentsOf({ input: { json } }: Tool): string {
  const required = requiredOf(json);
  return Object.keys(propertiesOf(json))
    .map((name) => required.includes(name) ? name : `${name}?`).join(", ");
}
