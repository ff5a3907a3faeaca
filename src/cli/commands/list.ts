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
import type { Toolset } from "../../tools/registry.ts";
import { isStatic, uriTemplate } from "../../tools/uri.ts";
import type { Workspace } from "../../tools/workspace.ts";
import { columns, wrap } from "../columns.ts";
import { print, printJson } from "../print.ts";
import { argumentsOf } from "../schema_text.ts";
import { lineWidth, paintFor } from "../terminal.ts";
import type { Command } from "./types.ts";
import { whileLoading } from "./waiting.ts";

interface Entry {
  name: string;
  title: string;
  description: string;
}

/** An entry with its text for a person, and what `--json` prints besides. */
interface Described extends Entry {
  text: string;
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
  const { text, ...facts } = kind === "tools"
    ? await toolFacts(workspace, toolset, name)
    : one(kind === "prompts" ? promptFacts(toolset) : resourceFacts(toolset), name);
  return json ? `${withEscapes(JSON.stringify(facts, null, 2))}\n` : text;
}

function one(entries: readonly Described[], name: string): Described {
  const found = entries.find((entry) => nameKey(entry.name) === nameKey(name));
  if (found !== undefined) return found;
  const names = entries.map((entry) => entry.name);
  throw new RefraktError("NOT_FOUND", `Nothing is listed as ${JSON.stringify(name)}`, {
    hint: didYouMean(name, names) || `There is ${names.join(", ")}.`,
  });
}

/** A tool, also one that is not listed here: its requirements say why. */
async function toolFacts(workspace: Workspace, toolset: Toolset, wanted: string) {
  const { toolset: whole, tool } = await findTool(workspace, wanted);
  if (tool === undefined) throw unknownTool(whole, wanted);
  const { annotations, input, output } = tool;
  const effect = annotations.readOnlyHint
    ? "reads"
    : annotations.destructiveHint
    ? "writes, may remove"
    : "writes";
  const { project } = toolset;
  const missing = [...tool.requires, ...tool.listedWith].filter((need) =>
    need === "ralph" ? !project.ralph : project[need] === null
  );
  const description = missing.length === 0
    ? tool.description
    : `${tool.description}\n\nNot listed here: this project has no ${missing.join(", no ")}.`;
  const text = entryText({ ...pick(tool), description }, effect, argumentsOf(input.json));
  const facts = { ...pick(tool), annotations, inputSchema: input.json };
  return { ...facts, ...(output === undefined ? {} : { outputSchema: output }), text };
}

function resourceFacts(toolset: Toolset): Described[] {
  return toolset.listedResources().map((entry) => {
    const { mimeType } = entry;
    const name = isStatic(entry) ? entry.uri : uriTemplate(entry);
    const facts = { ...pick(entry), name, mimeType };
    return { ...facts, text: entryText(facts, mimeType) };
  });
}

function promptFacts(toolset: Toolset): Described[] {
  return toolset.listedPrompts().map((entry) => {
    const { arguments: args = [] } = entry;
    return { ...pick(entry), arguments: args, text: entryText(entry, "prompt", args) };
  });
}

/** An entry for a person. */
function entryText(
  { name, title, description }: Entry,
  kind: string,
  args?: readonly { name: string; required?: boolean; type?: string; description: string }[],
): string {
  const paint = paintFor(Deno.stdout);
  const lines = description.split("\n")
    .flatMap((line) => wrap(line, Math.min(100, lineWidth()))).join("\n");
  const text = `${paint.bold(name)}: ${title} (${kind})\n\n${lines}\n`;
  if (args === undefined) return text;
  const rows = args.map(({ name, required, type = "", description }) =>
    [
      `${name}${required === true ? " (required)" : ""}`,
      [type, description].filter((part) => part !== "").join(". "),
    ] as const
  );
  return `${text}\n${paint.bold("Arguments:")}\n${
    rows.length === 0 ? "  none\n" : columns(rows, { paint: paint.bold })
  }`;
}

function pick({ name, title, description }: Entry): Entry {
  return { name, title, description };
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0]!.replace(/\.$/, "");
}
