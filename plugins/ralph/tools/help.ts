/** `ralph_help`: explains the workflow, and lists the tools from their declarations. */

import * as z from "zod";
import { word } from "../../../src/plain_text.ts";
import type { Tool } from "../../../src/plugin/tool.ts";
import { textsOf } from "../../../src/io/json.ts";
import { propertiesOf } from "../../../src/plugin/schema.ts";
import { overview } from "./status.ts";
import { WORKFLOW } from "../skills.ts";
import { ralphTool } from "../tool.ts";

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
      const { specs, step, warnings } = overview(cwd);
      const row = specs.find((row) => row.current);
      const here = row ? `${word(row.name)}, phase ${row.phase}` : "no spec is current";
      const table = [
        "| Tool | Arguments | What it does |",
        "|---|---|---|",
        ...[...tools, self].map((tool) =>
          `| ${tool.name} | ${argumentsOf(tool) || "-"} | ${tool.description} |`
        ),
      ].join("\n");
      return {
        message: "Ralph: from a goal to finished tasks",
        body: [WORKFLOW, table, `You are here: ${here}`].join("\n\n"),
        step,
        warnings,
        data: {},
      };
    },
  });
  return self;
}

/** The names of a tool's arguments; optional ones end with `?`. */
function argumentsOf({ input: { json } }: Tool): string {
  const required = textsOf(json["required"]);
  return Object.keys(propertiesOf(json))
    .map((name) => required.includes(name) ? name : `${name}?`).join(", ");
}
