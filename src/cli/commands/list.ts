/**
 * `list`: the tools, resources and prompts of the project.
 *
 * @module
 */

import { didYouMean, nearest, RefraktError } from "../../errors.ts";
import { withEscapes } from "../../plain_text.ts";
import { unknownTool } from "../../tools/call.ts";
import { findTool } from "../../tools/lookup.ts";
import { nameKey } from "../../tools/tool_names.ts";
import type { Prompt } from "../../tools/prompt.ts";
import type { Toolset } from "../../tools/registry.ts";
import type { Resource } from "../../tools/resource.ts";
import type { Tool } from "../../tools/tool.ts";
import { isStatic, uriTemplate } from "../../tools/uri.ts";
import type { Workspace } from "../../tools/workspace.ts";
import { columns, wrap } from "../columns.ts";
import { typedCommand } from "../typed_command.ts";
import { print, printJson } from "../print.ts";
import { argumentsOf, sampleInput } from "../schema_text.ts";
import { lineWidth, paintFor } from "../terminal.ts";
import type { Command } from "./types.ts";
import { whileLoading } from "./waiting.ts";

interface Entry {
  name: string;
  title: string;
  description: string;
}

const KINDS: Readonly<Record<string, (toolset: Toolset) => Entry[]>> = {
  tools: (toolset) => toolset.listedTools().map(pick),
  resources: (toolset) =>
    toolset.listedResources().map((entry) => ({ ...pick(entry), name: uriTemplate(entry) })),
  prompts: (toolset) => toolset.listedPrompts().map(pick),
};

/** The command. */
export const list: Command = {
  name: "list",
  usage: "list [tools | resources | prompts] [name]",
  help: "List the tools, resources and prompts of this project; with a name, describe one of them",
  examples: ["list", "list tools", "list tools plan.next", "list --json"],
  values: Object.keys(KINDS),
  mostArgs: 2,
  run: async ({ workspace, args: [kind, name], flags }) => {
    if (kind !== undefined && !Object.hasOwn(KINDS, kind)) {
      const guess = nearest(kind, Object.keys(KINDS), 1)[0];
      throw new RefraktError("INVALID_ARGS", `list does not know "${kind}"`, {
        hint: guess === undefined
          ? `It knows ${Object.keys(KINDS).join(", ")}.`
          : `Did you mean ${guess}?`,
      });
    }
    const toolset = await whileLoading(workspace.toolset());
    const json = flags.values["json"] === true;
    if (name !== undefined) {
      print(await describe(workspace, toolset, kind!, name, json));
      return 0;
    }
    const wanted = Object.entries(KINDS).filter(([name]) => kind === undefined || name === kind)
      .map(([name, entries]) => [name, entries(toolset)] as const);
    if (json) {
      printJson(Object.fromEntries(wanted));
      return 0;
    }
    const paint = paintFor(Deno.stdout);
    for (const [name, entries] of wanted) {
      if (kind === undefined) print(`${paint.bold(name)}\n`);
      const rows = entries.map((entry) => [entry.name, firstSentence(entry.description)] as const);
      const names = kind === undefined ? (name: string) => name : paint.bold;
      print(rows.length === 0 ? "  none\n" : columns(rows, { paint: names }));
      if (kind === undefined) print("\n");
    }
    return 0;
  },
};

/** All about one entry. */
async function describe(
  workspace: Workspace,
  toolset: Toolset,
  kind: string,
  name: string,
  json: boolean,
): Promise<string> {
  if (kind === "tools") {
    // Also one that is not listed here: its requirements say why.
    const { toolset: whole, tool } = await findTool(workspace, name);
    if (tool === undefined) throw unknownTool(whole, name);
    return json ? jsonOf(toolFacts(tool)) : toolText(tool, toolset);
  }
  if (kind === "resources") {
    const entry = one(
      toolset.listedResources(),
      (entry) => isStatic(entry) ? entry.uri : uriTemplate(entry),
      name,
    );
    const { title, description, mimeType } = entry;
    const facts = { uri: uriTemplate(entry), title, description, mimeType };
    return json ? jsonOf(facts) : resourceText(entry);
  }
  const prompt = one(toolset.listedPrompts(), (entry) => entry.name, name);
  const { title, description, arguments: args = [] } = prompt;
  return json
    ? jsonOf({ name: prompt.name, title, description, arguments: args })
    : promptText(prompt);
}

function one<Value>(
  entries: readonly Value[],
  nameOf: (entry: Value) => string,
  name: string,
): Value {
  const found = entries.find((entry) => nameKey(nameOf(entry)) === nameKey(name));
  if (found !== undefined) return found;
  const names = entries.map(nameOf);
  throw new RefraktError("NOT_FOUND", `Nothing is listed as ${JSON.stringify(name)}`, {
    hint: didYouMean(name, names) || `There is ${names.join(", ")}.`,
  });
}

function toolFacts({ name, title, description, annotations, input, output }: Tool) {
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: input.json,
    ...(output === undefined ? {} : { outputSchema: output }),
    example: sampleInput(input.json),
  };
}

function toolText(tool: Tool, toolset: Toolset): string {
  const paint = paintFor(Deno.stdout);
  const args = argumentsOf(tool.input.json);
  const rows = args.map(({ name, required, type, description }) =>
    [
      `${name}${required ? " (required)" : ""}`,
      [type, description].filter((text) => text !== "").join(". "),
    ] as const
  );
  const missing = [...tool.requires, ...tool.listedWith].filter((need) => !hasNeed(toolset, need));
  return `${paint.bold(tool.name)}: ${tool.title} (${effectOf(tool)})

${paragraph(tool.description)}
${missing.length === 0 ? "" : `\nNot listed here: this project has no ${missing.join(", no ")}.\n`}
${paint.bold("Arguments:")}
${rows.length === 0 ? "  none\n" : columns(rows, { paint: paint.bold })}
${paint.bold("Example:")}
  ${commandLine(tool.name, sampleInput(tool.input.json))}
`;
}

function hasNeed({ project }: Toolset, need: "plan" | "site" | "ralph"): boolean {
  return need === "ralph" ? project.ralph : project[need] !== null;
}

/** What a tool does to the project, in a word or two. */
function effectOf({ annotations }: Tool): string {
  if (annotations.readOnlyHint) return "reads";
  return annotations.destructiveHint ? "writes, may remove" : "writes";
}

function resourceText(entry: Resource): string {
  const paint = paintFor(Deno.stdout);
  return `${paint.bold(uriTemplate(entry))}: ${entry.title} (${entry.mimeType})

${paragraph(entry.description)}
${paint.bold("Example:")}
  ${typedCommand()} read '${uriTemplate(entry)}'
`;
}

function promptText({ name, title, description, arguments: args = [] }: Prompt): string {
  const paint = paintFor(Deno.stdout);
  const rows = args.map(({ name, required, description }) =>
    [`${name}${required ? " (required)" : ""}`, description] as const
  );
  return `${paint.bold(name)}: ${title}

${paragraph(description)}
${paint.bold("Arguments:")}
${rows.length === 0 ? "  none\n" : columns(rows, { paint: paint.bold })}`;
}

/** A call as it is typed into a shell. */
function commandLine(name: string, input: Record<string, unknown>): string {
  const json = Object.keys(input).length === 0
    ? ""
    : ` '${JSON.stringify(input).replaceAll("'", "'\\''")}'`;
  return `${typedCommand()} call ${name}${json}`;
}

function paragraph(text: string): string {
  return text.split("\n").map((line) => wrap(line, Math.min(100, lineWidth())).join("\n"))
    .join("\n") + "\n";
}

function jsonOf(value: unknown): string {
  return `${withEscapes(JSON.stringify(value, null, 2))}\n`;
}

function pick({ name, title, description }: Entry): Entry {
  return { name, title, description };
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0]!.replace(/\.$/, "");
}
