/** `ralph_help`: explains the workflow, and lists the tools from their declarations. */

import * as z from "zod";
import { word } from "../../../src/plain_text.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { propertiesOf, requiredOf } from "../../../src/tools/schema.ts";
import { type Overview, overview } from "./status.ts";
import { WORKFLOW } from "../skills.ts";
import { ralphTool } from "../tool.ts";
import { counted } from "../../../src/tools/counted.ts";

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
        body: [WORKFLOW, table, `You are here: ${hereIn(all)}`].join("\n\n"),
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
    return `${word(name)}, phase ${phase} (${status}), ${done}/${total} tasks`;
  }
  return count === 0 ? "there are no specs yet" : `${counted(count, "spec")}, none of them current`;
}

/** The names of a tool's arguments; optional ones end with `?`. */
function argumentsOf({ input: { json } }: Tool): string {
  const required = requiredOf(json);
  return Object.keys(propertiesOf(json))
    .map((name) => required.includes(name) ? name : `${name}?`).join(", ");
}
