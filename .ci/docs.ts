/**
 * Renews what the reference pages say of the declarations, between their marks, and the snapshots.
 * `deno task docs` runs it; a test fails if the committed files are stale.
 */

import { join } from "node:path";
import { argumentsOf } from "../src/cli/commands/call.ts";
import { ERROR_CODES, WARNING_CODES } from "../src/errors.ts";
import { propertiesOf } from "../src/plugin/schema.ts";
import type { Inventory } from "../src/host/inventory.ts";
import type { ToolDeclaration } from "../src/plugin/tool.ts";
import { uriTemplate } from "../src/plugin/uri.ts";
import { openWorkspace } from "../src/host/open_workspace.ts";
import { ROOT } from "./run_deno.ts";

const EXAMPLES = ["plan", "site", "site-and-plan", "two-sites"];

/** What is generated in a page, from its mark to the end of it. */
const GENERATED = /(?<=^<!-- generated: (.+) -->\n)[^]*?(?=^<!-- end -->$)/gm;

/** Every generated file by its path in the checkout. */
export async function generate(): Promise<Map<string, string>> {
  const inventoryOf = (example: string, options = {}) =>
    openWorkspace({ cwd: join(ROOT, "examples", example), ...options }).inventory("all");
  const kinds = new Map<string, Inventory>();
  for (const example of EXAMPLES) kinds.set(example, await inventoryOf(example));
  const whole = await inventoryOf("site-and-plan", { plugins: ["ralph"] });
  kinds.set("with ralph", whole);
  const all = await inventoryOf("site-and-plan", { tools: ["all"] });
  const tools = new Map(
    [...[...kinds.values(), all].flatMap((inventory) => toolsOf(inventory)), ...all.unlistedTools()]
      .map((tool) => [tool.name, tool]),
  );
  const inOrder = [...tools].toSorted().map(([, tool]) => tool);
  return new Map([
    page("tools", (part) => toolsText(part, inOrder)),
    page("resources", (part) => listsText(part, whole)),
    page("errors", (part) => codesTable(part === "codes" ? ERROR_CODES : WARNING_CODES)),
    ["tests/snapshots/tools.json", schemas(inOrder)],
    ["tests/snapshots/lists.json", lists(kinds)],
  ]);
}

/** What a model sees in a client that shows views. */
function toolsOf(inventory: Inventory): ToolDeclaration[] {
  const forViews = ({ _meta }: ToolDeclaration) => JSON.stringify(_meta?.["ui"])?.includes(`"app"`);
  return inventory.listedTools(true).filter((tool) => !forViews(tool));
}

/** What lists say of the tools, except the texts in docs/tools.md. */
function schemas(tools: readonly ToolDeclaration[]): string {
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
function lists(kinds: ReadonlyMap<string, Inventory>): string {
  const found: Record<string, string[]> = {};
  for (const [kind, inventory] of kinds) {
    const names = [
      ...toolsOf(inventory).map(({ name }) => `tool ${name}`),
      ...inventory.listedResources().map((entry) => `resource ${uriTemplate(entry)}`),
      ...inventory.listedPrompts().map(({ name }) => `prompt ${name}`),
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
function page(name: string, textOf: (part: string) => string): [path: string, text: string] {
  const path = `docs/${name}.md`;
  const text = Deno.readTextFileSync(join(ROOT, path))
    .replace(GENERATED, (_old, part) => `\n${textOf(part).trimEnd()}\n\n`);
  return [path, text];
}

/** The index of the tools, or the sections of those whose names begin so. */
function toolsText(part: string, tools: readonly ToolDeclaration[]): string {
  return part === "index"
    ? table(
      ["tool", "", "effect"],
      tools.map((tool) => [code(tool.name), tool.title, effect(tool)]),
    )
    : tools.filter((tool) => tool.name.startsWith(part)).map(toolSection).join("\n");
}

function toolSection({ name, description, input, output }: ToolDeclaration): string {
  const { properties = {}, required = [] } = output?.json ?? {};
  const fields = new Set([...required as readonly string[], ...Object.keys(properties as object)]);
  const returns = fields.size === 0 ? "" : `Returns ${[...fields].map(code).join(", ")}.\n\n`;
  const args = argumentsOf(input.json).map(({ name, required, type, description }) => [
    `${code(name)}${required ? " (required)" : ""}`,
    type,
    description,
  ]);
  const taken = args.length === 0 ? "No arguments." : table(["argument", "type", ""], args);
  return `### ${name}\n\n${description}\n\n${taken}\n\n${returns}`;
}

function effect({ annotations }: ToolDeclaration): string {
  if (annotations.readOnlyHint) return "reads";
  return annotations.destructiveHint ? "writes, may remove" : "writes";
}

function listsText(part: string, inventory: Inventory): string {
  const prompts = inventory.listedPrompts();
  const resources = inventory.listedResources();
  return part === "prompts"
    ? table(["prompt", ""], prompts.map(({ name, description }) => [code(name), description]))
    : table(
      ["URI", "", "type"],
      resources.map((each) => [code(uriTemplate(each)), each.description, each.mimeType]),
    );
}

function codesTable(codes: Readonly<Record<string, string>>): string {
  return table(
    ["code", "what it means"],
    Object.entries(codes).map(([key, text]) => [code(key), text]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");
}

function code(text: string): string {
  return `\`${text}\``;
}

if (import.meta.main) {
  for (const [path, text] of await generate()) Deno.writeTextFileSync(join(ROOT, path), text);
}
