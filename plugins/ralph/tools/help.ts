/**
 * `ralph_help`: the workflow and the tools, made from their own declarations.
 *
 * @module
 */

import { z } from "zod";
import { messageOf } from "../../../src/errors.ts";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import { defineSchema, propertiesOf, requiredOf } from "../../../src/tools/schema.ts";
import { shownName } from "../names.ts";
import { PHASES } from "../phases.ts";
import { overview } from "../rows.ts";
import { type Answer, ralphTool } from "../tool.ts";

const FILES: Readonly<Record<string, string>> = {
  "specs/.current-spec": "the name of the current spec",
  "specs/<name>/.ralph-state.json": "the state; the server's alone",
  "specs/<name>/.progress.md": "the progress file: goal, records, learnings",
  "specs/<name>/research.md, requirements.md, design.md, tasks.md": "the documents, written by you",
};

/** The tool, for the commands that it tells about. */
export function helpTool(commands: readonly CliPluginCommand[]): CliPluginCommand {
  const self: CliPluginCommand = ralphTool({
    name: "help",
    title: "Help",
    description: "Explains the workflow and its tools.",
    effect: "reads",
    input: z.strictObject({}),
    output: {},
    instructs: true,
    run: (_input, { cwd }) => run([...commands, self], cwd),
  });
  return self;
}

function run(tools: readonly CliPluginCommand[], cwd: string): Answer {
  const { here, step, warnings } = situation(cwd);
  const body = [
    `Phases: ${PHASES.join(" → ")}.`,
    "",
    "1. ralph_start with a goal creates a spec.",
    "2. ralph_research, ralph_requirements, ralph_design and ralph_tasks each give instructions: follow them, write the document, then call ralph_complete_phase with a summary. The user approves before the next tool is called.",
    "3. ralph_implement hands out one task, ralph_task_result takes its outcome and ticks it, until all are done; then ralph_complete_phase with phase execution.",
    "",
    'Quick start: ralph_start { goal: "Add user authentication" }, then ralph_research. With quick: true nobody is asked. After a restart, ralph_status says where to go on.',
    "",
    "| Tool | Arguments | What it does |",
    "|---|---|---|",
    ...tools.map((tool) =>
      `| ${tool.toolName} | ${argumentsOf(tool) || "-"} | ${tool.description} |`
    ),
    "",
    "Files:",
    ...Object.entries(FILES).map(([path, what]) => `- ${path}: ${what}`),
    "",
    `You are here: ${here}`,
  ].join("\n");
  return {
    message: "Ralph: from a goal to finished tasks",
    body,
    step,
    warnings,
    data: {},
  };
}

function situation(cwd: string) {
  try {
    const { specs, count, step, warnings } = overview(cwd);
    const row = specs.find((row) => row.current);
    const here = row === undefined
      ? count === 0 ? "there are no specs yet" : `${count} specs, none of them current`
      : `${
        shownName(row.name)
      }, phase ${row.phase} (${row.status}), ${row.done}/${row.total} tasks`;
    return { here, step, warnings };
  } catch (error) {
    // Help must answer where nothing else does.
    return {
      here: "the specs cannot be read",
      step: {
        status: "no-state" as const,
        next: "ralph_status",
        nextArgs: {},
        todo: "call ralph_status",
      },
      warnings: [messageOf(error)],
    };
  }
}

function argumentsOf(command: CliPluginCommand): string {
  if (command.inputSchema === undefined) return "";
  const { json } = defineSchema(command.inputSchema);
  const required = new Set(requiredOf(json));
  return Object.entries(propertiesOf(json))
    .map(([name, property]) => {
      const values = property["enum"];
      const type = Array.isArray(values) ? values.join("\\|") : String(property["type"] ?? "any");
      const fallback = property["default"];
      return `${name}${required.has(name) ? "" : "?"}: ${type}${
        fallback === undefined ? "" : ` = ${JSON.stringify(fallback)}`
      }`;
    })
    .join(", ");
}
