/**
 * Renews what the reference pages say of the declarations, between their marks, and the snapshots.
 * `deno task docs` runs it; a test fails if the committed files are stale.
 */

import { join } from "node:path";
import { argumentsOf } from "../src/cli/commands/list.ts";
import { ERROR_CODES, WARNING_CODES } from "../src/errors.ts";
import { type JsonSchema, propertiesOf } from "../src/tools/schema.ts";
import type { Toolset } from "../src/tools/registry.ts";
import type { Tool } from "../src/tools/tool.ts";
import { uriTemplate } from "../src/tools/uri.ts";
import { openWorkspace } from "../src/workspace/mod.ts";
import { ROOT } from "./run_deno.ts";

const EXAMPLES = ["plan", "site", "site-and-plan", "two-sites"];

/** What is generated in a page, from its mark to the end of it. */
const GENERATED = /(?<=^<!-- generated: (.+) -->\n)[^]*?(?=^<!-- end -->$)/gm;

/** Every generated file by its path in the checkout. */
export async function generate(): Promise<Map<string, string>> {
  const toolsetOf = (example: string, options = {}) =>
    openWorkspace({ cwd: join(ROOT, "examples", example), patient: true, ...options }).toolset();
  const kinds = new Map<string, Toolset>();
  for (const example of EXAMPLES) kinds.set(example, await toolsetOf(example));
  const whole = await toolsetOf("site-and-plan", { plugins: ["ralph"] });
  kinds.set("with ralph", whole);
  const all = await toolsetOf("site-and-plan", { tools: ["all"] });
  const tools = new Map(
    [...[...kinds.values(), all].flatMap((toolset) => toolsOf(toolset)), ...all.unlistedTools()]
      .map((tool) => [tool.name, tool]),
  );
  const inOrder = [...tools].toSorted().map(([, tool]) => tool);
  return new Map([
    ["docs/tools.md", page("docs/tools.md", (part) => toolsText(part, inOrder))],
    ["docs/resources.md", page("docs/resources.md", (part) => listsText(part, whole))],
    [
      "docs/errors.md",
      page("docs/errors.md", (part) => codesTable(part === "codes" ? ERROR_CODES : WARNING_CODES)),
    ],
    ["tests/snapshots/tools.json", schemas(inOrder)],
    ["tests/snapshots/lists.json", lists(kinds)],
  ]);
}

/** What a model sees in a client that shows views. */
function toolsOf(toolset: Toolset): Tool[] {
  const forViews = ({ _meta }: Tool) => JSON.stringify(_meta?.["ui"])?.includes(`"app"`);
  return toolset.listedTools(true).filter((tool) => !forViews(tool));
}

/** What lists say of the tools, except the texts in docs/tools.md. */
function schemas(tools: readonly Tool[]): string {
  return jsonLines(tools.flatMap(({ name, title, annotations, input, output }) => {
    const facts: Record<string, unknown> = { [name]: { title, ...annotations } };
    for (const [part, schema] of [["args", input.json], ["result", output?.json ?? {}]] as const) {
      const { properties: _properties, ...rest } = schema;
      facts[`${name} ${part}`] = rest;
      for (const [field, { description: _text, ...type }] of Object.entries(propertiesOf(schema))) {
        facts[`${name} ${part}.${field}`] = type;
      }
    }
    return Object.entries(facts);
  }));
}

/** The names that are listed, each with the kinds of projects. */
function lists(kinds: ReadonlyMap<string, Toolset>): string {
  const found: Record<string, string[]> = {};
  for (const [kind, toolset] of kinds) {
    const names = [
      ...toolsOf(toolset).map(({ name }) => `tool ${name}`),
      ...toolset.listedResources().map((entry) => `resource ${uriTemplate(entry)}`),
      ...toolset.listedPrompts().map(({ name }) => `prompt ${name}`),
    ];
    for (const name of names) (found[name] ??= []).push(kind);
  }
  return jsonLines(Object.entries(found).toSorted());
}

/** A JSON object with an entry a line. */
function jsonLines(entries: readonly (readonly [string, unknown])[]): string {
  const lines = entries.map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** A committed page with its generated parts renewed. */
function page(path: string, textOf: (part: string) => string): string {
  return Deno.readTextFileSync(join(ROOT, path))
    .replace(GENERATED, (_old, part) => `\n${textOf(part).trimEnd()}\n\n`);
}

/** The index of the tools, or the sections of those whose names begin so. */
function toolsText(part: string, tools: readonly Tool[]): string {
  if (part !== "index") {
    return tools.filter((tool) => tool.name.startsWith(part)).map(toolSection).join("\n");
  }
  const rows = tools.map((tool) => `| \`${tool.name}\` | ${tool.title} | ${effect(tool)} |`);
  return `| tool | | effect |\n| --- | --- | --- |\n${rows.join("\n")}`;
}

function toolSection(tool: Tool): string {
  const fields = tool.output === undefined ? "" : fieldList(tool.output.json);
  const output = fields === "" ? "" : `Returns ${fields}.\n\n`;
  return `### ${tool.name}\n\n${tool.description}\n\n${inputTable(tool.input.json)}\n${output}`;
}

function inputTable(schema: JsonSchema): string {
  const args = argumentsOf(schema);
  if (args.length === 0) return "No arguments.\n";
  const rows = args.map(({ name, required, type, description }) =>
    `| \`${name}\`${required ? " (required)" : ""} | ${cell(type)} | ${cell(description)} |`
  );
  return `| argument | type | |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
}

function fieldList({ properties = {}, required = [] }: JsonSchema): string {
  const names = new Set([...required as readonly string[], ...Object.keys(properties as object)]);
  return [...names].map((name) => `\`${name}\``).join(", ");
}

function effect({ annotations }: Tool): string {
  if (annotations.readOnlyHint) return "reads";
  return annotations.destructiveHint ? "writes, may remove" : "writes";
}

function listsText(part: string, toolset: Toolset): string {
  if (part === "prompts") {
    const rows = toolset.listedPrompts().map(({ name, description }) =>
      `| \`${name}\` | ${cell(description)} |`
    );
    return `| prompt | |\n| --- | --- |\n${rows.join("\n")}`;
  }
  const rows = toolset.listedResources().map((entry) =>
    `| \`${uriTemplate(entry)}\` | ${cell(entry.description)} | ${entry.mimeType} |`
  );
  return `| URI | | type |\n| --- | --- | --- |\n${rows.join("\n")}`;
}

function codesTable(codes: Readonly<Record<string, string>>): string {
  const rows = Object.entries(codes).map(([code, text]) => `| \`${code}\` | ${cell(text)} |`);
  return `| code | what it means |\n| --- | --- |\n${rows.join("\n")}`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

if (import.meta.main) {
  for (const [path, text] of await generate()) Deno.writeTextFileSync(join(ROOT, path), text);
}
