/** `list`: prints the tools, resources and prompts of the project. */

import { didYouMean } from "../../errors.ts";
import { asObject } from "../../io/json.ts";
import { unknownTool } from "../../host/call.ts";
import { type Inventory, whyNotListed } from "../../host/inventory.ts";
import { type JsonSchema, propertiesOf, requiredOf } from "../../plugin/schema.ts";
import type { Tool } from "../../plugin/tool.ts";
import { isStatic, uriTemplate } from "../../plugin/uri.ts";
import type { Workspace } from "../../host/open_workspace.ts";
import { usageError } from "../flags.ts";
import { checkChosenTools } from "../serve_flags.ts";
import { lineWidth, paintFor, print, printJson, printNote, table, wrap } from "../terminal.ts";
import { type Command, whileLoading } from "./command.ts";

type Entry = Pick<Tool, "name" | "title" | "description">;

const KINDS: Readonly<Record<string, (inventory: Inventory) => readonly Entry[]>> = {
  tools: (inventory) => inventory.listedTools(),
  resources: (inventory) =>
    inventory.listedResources()
      .map((entry) => ({ ...entry, name: isStatic(entry) ? entry.uri : uriTemplate(entry) })),
  prompts: (inventory) => inventory.listedPrompts(),
};

export const list: Command = {
  name: "list",
  usage: "list [tools | resources | prompts] [tool]",
  help: "List the tools, resources and prompts of this project; with a name, describe a tool",
  mostArgs: 2,
  run: async ({ open, args: [kind, name], flags }) => {
    const workspace = await open();
    const kinds = Object.keys(KINDS);
    if (kind !== undefined && !kinds.includes(kind)) {
      const hint = didYouMean(kind, kinds) || `Valid values: ${kinds.join(", ")}.`;
      throw usageError(`list has no "${kind}"`, hint);
    }
    if (name !== undefined && kind !== "tools") {
      throw usageError(
        `list ${kind} does not take "${name}"`,
        "list tools <name> describes a tool.",
      );
    }
    const json = flags.values["json"] === true;
    if (name !== undefined) return await describeTool(workspace, name, json);
    await checkChosenTools(workspace);
    const inventory = await whileLoading(workspace.inventory("all"));
    const wanted = kinds.filter((each) => kind === undefined || each === kind)
      .map((each) => [each, KINDS[each]!(inventory).map(pick)] as const);
    const failures = inventory.warnings.filter((warning) =>
      warning.package !== undefined || warning.code === "PLUGIN_MALFORMED"
    );
    for (const { message, hint = "" } of failures) printNote(`${message}\n${hint}`.trim() + "\n");
    if (json) printJson(Object.fromEntries(wanted));
    const { bold } = paintFor(Deno.stdout);
    for (const [name, entries] of json ? [] : wanted) {
      const rows = entries.map(({ name, description }) =>
        [name, description.split(/(?<=\.)\s/)[0]!.replace(/\.$/, "")] as const
      );
      const lines = table(rows, { paint: bold }) || "  none\n";
      print(kind === undefined ? `${bold(name)}\n${lines}\n` : lines);
    }
    return failures.length === 0 ? 0 : 1;
  },
};

/** Describes a tool. For one that this project does not list, the text includes the reason. */
export async function describeTool(workspace: Workspace, name: string, json: boolean) {
  const all = await whileLoading(workspace.inventory("all"));
  const tool = all.findTool(name);
  if (tool === undefined) throw unknownTool(all, name);
  const { title, description, annotations, input, output } = tool;
  if (json) {
    const inputSchema = input.json;
    printJson({ ...pick(tool), annotations, inputSchema, outputSchema: output?.json });
    return 0;
  }
  const { readOnlyHint, destructiveHint } = annotations;
  const effect = readOnlyHint ? "reads" : destructiveHint ? "writes, may remove" : "writes";
  const { bold } = paintFor(Deno.stdout);
  const reason = whyNotListed(all.project, tool);
  const more = all.unlistedTools().includes(tool) ? " It can be called all the same." : "";
  const note = reason === undefined ? "" : `\n\nNot listed here: ${reason}.${more}`;
  const lines = `${description}${note}`.split("\n").flatMap((line) =>
    wrap(line, Math.min(100, lineWidth()))
  );
  const rows = argumentsOf(input.json).map(({ name, required, type, description }) => [
    `${name}${required ? " (required)" : ""}`,
    [type, description].filter(Boolean).join(". "),
  ]);
  print(`${bold(tool.name)}: ${title} (${effect})

${lines.join("\n")}

${bold("Arguments:")}
${table(rows, { paint: bold }) || "  none\n"}`);
  return 0;
}

function pick({ name, title, description }: Entry): Entry {
  return { name, title, description };
}

export function argumentsOf(schema: JsonSchema) {
  const required = new Set(requiredOf(schema));
  return Object.entries(propertiesOf(schema)).map(([name, property]) => ({
    name,
    required: required.has(name),
    type: typeText(property),
    description: String(property["description"] ?? ""),
  }));
}

function typeText(property: JsonSchema): string {
  const { type = "any", enum: values, default: preset } = property;
  if (Array.isArray(values)) return values.map(String).join(" | ");
  if (type === "array") return `list of ${typeText(asObject(property["items"]))}`;
  return preset === undefined ? `${type}` : `${type}, default ${JSON.stringify(preset)}`;
}
