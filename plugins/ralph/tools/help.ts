/**
 * `ralph_help`: the workflow and the tools, made from their own declarations.
 *
 * @module
 */

import { z } from "zod";
import { messageOf } from "../../../src/errors.ts";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/surface/plugin.ts";
import { type TextResult, withText } from "../../../src/surface/result.ts";
import { defineSchema, type JsonSchema } from "../../../src/surface/schema.ts";
import { shownName } from "../names.ts";
import { callOf } from "../overview.ts";
import { PHASES } from "../phases.ts";
import { follow } from "../schemas.ts";
import { statusData } from "./status.ts";

const Output = z.object({
  workflow: z.array(z.string()),
  tools: z.array(z.object({ name: z.string() })),
  here: z.string(),
  ...follow,
});

const FILES: Readonly<Record<string, string>> = {
  "specs/.current-spec": "the name of the current spec",
  "specs/<name>/.ralph-state.json": "the state; the server's alone",
  "specs/<name>/.progress.md": "the diary: goal, records, learnings",
  "specs/<name>/research.md, requirements.md, design.md, tasks.md": "the documents, written by you",
};

/** The tool, for the commands that it tells about. */
export function helpTool(commands: readonly CliPluginCommand[]): CliPluginCommand {
  const self: CliPluginCommand = {
    name: "help",
    toolName: "ralph_help",
    title: "Help",
    description: "Explains the workflow and the tools, and says where the current spec stands.",
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    inputSchema: z.strictObject({}),
    outputSchema: Output,
    mcpHandler: (_input: unknown, context) =>
      run(tools ??= [...commands, self].map(describe), context),
  };
  let tools: ToolLine[] | undefined;
  return self;
}

/** A tool in the table. */
interface ToolLine {
  readonly name: string;
  readonly description: string;
  readonly arguments: string;
}

function describe(command: CliPluginCommand): ToolLine {
  return {
    name: command.toolName!,
    description: command.description,
    arguments: argumentsOf(command),
  };
}

function run(tools: readonly ToolLine[], { cwd }: McpHandlerContext): TextResult {
  const where = situation(cwd);
  const text = [
    "# Ralph: from a goal to finished tasks",
    "",
    `Phases: ${PHASES.join(" → ")}.`,
    "",
    "1. ralph_start with a goal creates a spec.",
    "2. ralph_research, ralph_requirements, ralph_design and ralph_tasks each return instructions; follow them, write the document, then call ralph_complete_phase with a summary. The user approves before the next tool is called.",
    "3. ralph_implement hands out one task after another, until all boxes in tasks.md are ticked; then ralph_complete_phase with phase execution.",
    "",
    'Quick start: ralph_start { goal: "Add user authentication" }, then ralph_research. With quick: true all phases run without stops.',
    "",
    "| Tool | Arguments | What it does |",
    "|---|---|---|",
    ...tools.map((tool) => `| ${tool.name} | ${tool.arguments || "-"} | ${tool.description} |`),
    "",
    "Files:",
    ...Object.entries(FILES).map(([path, what]) => `- ${path}: ${what}`),
    "",
    `You are here: ${where.here}`,
    `Next: ${callOf(where.next, where.nextArgs)}`,
  ].join("\n");
  return withText(text, { workflow: [...PHASES], tools, files: { ...FILES }, ...where });
}

function situation(cwd: string): {
  current: string | null;
  here: string;
  next: string;
  nextArgs: Record<string, unknown>;
  warnings: string[];
} {
  try {
    const { current, specs, count, next, nextArgs, warnings } = statusData(cwd);
    const row = specs.find((row) => row.current);
    const here = row === undefined
      ? count === 0 ? "there are no specs yet" : `${count} specs, none of them current`
      : `${
        shownName(row.name)
      }, phase ${row.phase} (${row.status}), ${row.done}/${row.total} tasks`;
    return { current, here, next, nextArgs, warnings };
  } catch (error) {
    // Help must answer where nothing else does.
    return {
      current: null,
      here: "the specs cannot be read",
      next: "ralph_status",
      nextArgs: {},
      warnings: [messageOf(error)],
    };
  }
}

function argumentsOf(command: CliPluginCommand): string {
  if (command.inputSchema === undefined) return "";
  const { json } = defineSchema(command.inputSchema);
  const required = new Set((json["required"] as string[] | undefined) ?? []);
  return Object.entries((json["properties"] ?? {}) as Record<string, JsonSchema>)
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
