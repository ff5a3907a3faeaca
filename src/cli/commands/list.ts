/** `list`: prints the tools, resources and prompts of the project. */

import { didYouMean, RefraktError } from "../../errors.ts";
import { asObject } from "../../io/json.ts";
import { unknownTool } from "../../tools/call.ts";
import { findTool } from "../../tools/lookup.ts";
import { nameKey } from "../../tools/tool_names.ts";
import { has, type Toolset } from "../../tools/registry.ts";
import { type JsonSchema, propertiesOf, requiredOf } from "../../tools/schema.ts";
import type { Requirement, Tool } from "../../tools/tool.ts";
import { isStatic, uriTemplate } from "../../tools/uri.ts";
import type { Workspace } from "../../tools/workspace.ts";
import { print, printJson } from "../print.ts";
import { columns, lineWidth, paintFor, wrap } from "../terminal.ts";
import { whileLoading } from "./context.ts";
import type { Command } from "./command.ts";

type Entry = Pick<Tool, "name" | "title" | "description">;

/** An entry with its text for a terminal. */
type Described = Entry & { text: string };

interface Argument {
  name: string;
  required?: boolean;
  type: string;
  description: string;
}

const KINDS: Readonly<Record<string, (toolset: Toolset) => Described[]>> = {
  tools: (toolset) => toolset.listedTools().map((tool) => describeTool(tool)),
  resources: (toolset) =>
    toolset.listedResources().map((entry) => {
      const { mimeType } = entry;
      const name = isStatic(entry) ? entry.uri : uriTemplate(entry);
      const facts = { ...pick(entry), name, mimeType };
      return { ...facts, text: entryText(facts, mimeType) };
    }),
  prompts: (toolset) =>
    toolset.listedPrompts().map((entry) => {
      const { arguments: args = [] } = entry;
      return { ...pick(entry), arguments: args, text: entryText(entry, "prompt", args) };
    }),
};

export const list: Command = {
  name: "list",
  usage: "list [tools | resources | prompts] [name]",
  help: "List the tools, resources and prompts of this project; with a name, describe one of them",
  examples: ["list", "list tools", "list tools plan.next", "list --json"],
  values: Object.keys(KINDS),
  mostArgs: 2,
  run: async ({ workspace, args: [kind, name], flags }) => {
    if (kind !== undefined && !Object.hasOwn(KINDS, kind)) {
      const kinds = Object.keys(KINDS);
      throw new RefraktError("INVALID_ARGS", `list has no "${kind}"`, {
        hint: didYouMean(kind, kinds) || `Valid values: ${kinds.join(", ")}.`,
      });
    }
    const toolset = await whileLoading(workspace.toolset());
    const json = flags.values["json"] === true;
    if (name !== undefined) {
      const { text, ...facts } = kind === "tools"
        ? await toolNamed(workspace, toolset, name)
        : named(KINDS[kind!]!(toolset), name);
      if (json) printJson(facts);
      else print(text);
      return 0;
    }
    const wanted = Object.entries(KINDS).filter(([name]) => kind === undefined || name === kind)
      .map(([name, entries]) => [name, entries(toolset).map(pick)] as const);
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

function named(entries: readonly Described[], name: string): Described {
  const found = entries.find((entry) => nameKey(entry.name) === nameKey(name));
  if (found !== undefined) return found;
  const names = entries.map((entry) => entry.name);
  throw new RefraktError("NOT_FOUND", `Unknown name: ${JSON.stringify(name)}`, {
    hint: didYouMean(name, names) || `Valid names: ${names.join(", ")}.`,
  });
}

/** Describes a tool. For one that this project does not list, the text includes the reason. */
async function toolNamed(workspace: Workspace, { project }: Toolset, name: string) {
  const { toolset, tool } = await findTool(workspace, name);
  if (tool === undefined) throw unknownTool(toolset, name);
  const { requires, listed: { with: oneOf = [] } } = tool;
  const isMissing = (need: Requirement) => !has(project, need);
  const missing = [...requires.filter(isMissing), ...oneOf.every(isMissing) ? oneOf : []];
  if (missing.length === 0) return describeTool(tool);
  return describeTool(tool, `\n\nNot listed here: this project has no ${missing.join(", no ")}.`);
}

function describeTool(tool: Tool, more = ""): Described {
  const { annotations, input, output } = tool;
  const { readOnlyHint, destructiveHint } = annotations;
  const effect = readOnlyHint ? "reads" : destructiveHint ? "writes, may remove" : "writes";
  const description = tool.description + more;
  const facts = {
    ...pick(tool),
    annotations,
    inputSchema: input.json,
    ...(output === undefined ? {} : { outputSchema: output }),
  };
  return { ...facts, text: entryText({ ...facts, description }, effect, argumentsOf(input.json)) };
}

function entryText(
  { name, title, description }: Entry,
  kind: string,
  args?: readonly Partial<Argument>[],
): string {
  const { bold } = paintFor(Deno.stdout);
  const lines = description.split("\n")
    .flatMap((line) => wrap(line, Math.min(100, lineWidth()))).join("\n");
  const text = `${bold(name)}: ${title} (${kind})\n\n${lines}\n`;
  if (args === undefined) return text;
  const rows = args.map(({ name, required, type, description }): [string, string] => [
    `${name}${required === true ? " (required)" : ""}`,
    [type, description].filter(Boolean).join(". "),
  ]);
  return `${text}\n${bold("Arguments:")}\n${columns(rows, { paint: bold }) || "  none\n"}`;
}

function pick({ name, title, description }: Entry): Entry {
  return { name, title, description };
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0]!.replace(/\.$/, "");
}

/** The arguments of a tool, in schema order. */
export function argumentsOf(schema: JsonSchema): Argument[] {
  const required = new Set(requiredOf(schema));
  return Object.entries(propertiesOf(schema)).map(([name, property]) => ({
    name,
    required: required.has(name),
    type: typeText(property),
    description: String(property["description"] ?? ""),
  }));
}

/** The type of a property, or its enum values. */
function typeText(property: JsonSchema): string {
  const values = property["enum"];
  if (Array.isArray(values)) return values.map(String).join(" | ");
  if (property["const"] !== undefined) return JSON.stringify(property["const"]);
  const options = property["anyOf"] ?? property["oneOf"];
  if (Array.isArray(options)) return [...new Set(options.map(typeText))].join(" or ");
  if (property["type"] === "array") return `list of ${typeText(asObject(property["items"]))}`;
  const { type } = property;
  const name = Array.isArray(type) ? type.join(" or ") : String(type ?? "any");
  return property["default"] === undefined
    ? name
    : `${name}, default ${JSON.stringify(property["default"])}`;
}
