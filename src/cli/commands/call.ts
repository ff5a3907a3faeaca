/** `call` calls one tool, `read` prints one resource, and `list` what there is of both, and prompts. */

import { dirname, resolve } from "node:path";
import { didYouMean, messageOf } from "../../errors.ts";
import { callTool, contextFor, findTool, unknownTool } from "../../host/call.ts";
import { whyNotListed } from "../../host/inventory.ts";
import type { Workspace } from "../../host/open_workspace.ts";
import { readResource } from "../../host/read.ts";
import { shapeResult } from "../../host/shape.ts";
import { writeFileAtomic } from "../../io/files.ts";
import { asObject, isObject, textOf, textsOf } from "../../io/json.ts";
import { realPathOf } from "../../io/paths.ts";
import { refusalToError } from "../../io/permissions.ts";
import { writeFolder } from "../../io/write_folder.ts";
import { bodyText, type ResourceBody } from "../../plugin/resource.ts";
import { type JsonSchema, propertiesOf } from "../../plugin/schema.ts";
import type { Tool } from "../../plugin/tool.ts";
import { isStatic, uriTemplate } from "../../plugin/uri.ts";
import { checkChosenTools, usageError } from "../flags.ts";
import { paintFor, print, printJson, printNote, resultText, table } from "../terminal.ts";
import { errorText } from "../start.ts";
import { type Command, terminalCaller, whileLoading } from "./command.ts";

export const callCommand: Command = {
  name: "call",
  usage: "call <tool> [json | -]",
  help:
    "Call a tool with JSON arguments, such as '{\"count\":3}' (- reads them from stdin); prints " +
    "JSON, or tables on a terminal",
  needs: [1, "the name of a tool, which list tools prints"],
  mostArgs: 2,
  run: async ({ open, args: [name = "", json], flags }) => {
    const workspace = await open();
    const input = await readInput(json);
    const { inventory, tool } = await whileLoading(findTool(workspace, name));
    if (tool === undefined) {
      const unknown = unknownTool(inventory, name);
      printNote(`${errorText(unknown)}\n`);
      // A misspelt name is a mistake of the command line; a package that failed to load is not.
      return unknown.code === "NOT_FOUND" ? 2 : 1;
    }
    const context = contextFor(workspace, inventory.project, terminalCaller());
    const value = await whileLoading(callTool(tool, input, context), `${tool.name} is running`);
    const { structuredContent, content } = shapeResult(value);
    // Text results become JSON too, so that scripts can parse the output of every tool.
    const [first, ...others] = content;
    const result = structuredContent ??
      (first?.type === "text" && others.length === 0 ? { text: first.text } : { content });
    if (Deno.stdout.isTerminal() && flags.values["json"] !== true) print(resultText(result));
    else printJson(result);
    return isFailedCheck(result) ? 1 : 0;
  },
};

/** A successful call whose check has findings still fails a CI job. */
function isFailedCheck(result: Record<string, unknown>): boolean {
  const { exitCode, upToDate, valid, projectValid = valid, ok } = result;
  // Published packages are not the project's to fix.
  return typeof exitCode === "number" && exitCode !== 0 ||
    [upToDate, projectValid, ok].some((answer) => answer === false);
}

async function readInput(json: string | undefined): Promise<unknown> {
  if (json === undefined) return {};
  const text = json === "-" ? await new Response(Deno.stdin.readable).text() : json;
  if (text.trim() === "") return {};
  let problem = "The arguments must be a JSON object";
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    problem = `The arguments are not JSON: ${messageOf(error)}`;
  }
  throw usageError(problem, `Write them as one JSON object, such as '{"id":"WORK-001"}'.`);
}

export const readCommand: Command = {
  name: "read",
  usage: "read <uri>",
  help: "Print a resource, such as refrakt://plan/index, or write it to a file with --out",
  needs: [1, "the URI of a resource, which list resources prints"],
  mostArgs: 1,
  run: async ({ open, args: [uri = ""], flags }) => {
    const workspace = await open();
    const { body, mimeType } = await whileLoading(readResource(workspace, uri, terminalCaller()));
    const file = textOf(flags.values["out"]);
    if (file !== undefined) writeFile(resolve(file), fileContent(body));
    else if (flags.values["json"]) printJson({ uri, mimeType, ...body });
    else print(`${bodyText(body, 2).replace(/\n$/, "")}\n`);
  },
};

function writeFile(path: string, content: string | Uint8Array): void {
  try {
    // The user names the file, so its own folder is the one to write in.
    writeFileAtomic(writeFolder(realPathOf(dirname(path))), path, content);
  } catch (error) {
    throw refusalToError(error, Deno.cwd()) ?? error;
  }
  printNote(`Wrote ${path}\n`);
}

/** A resource as the content of a file; warnings in its data are printed instead. */
function fileContent(body: ResourceBody): string | Uint8Array {
  if ("text" in body) return body.text;
  if ("blob" in body) return body.blob;
  const { warnings, ...data } = asObject(body.data);
  for (const warning of textsOf(warnings)) printNote(`Note: ${warning}\n`);
  return `${JSON.stringify(data, null, "\t")}\n`;
}

const KINDS = ["tools", "resources", "prompts"];

export const listCommand: Command = {
  name: "list",
  usage: "list [tools | resources | prompts] [tool]",
  help: "List the tools, resources and prompts of this project; with a name, describe a tool",
  mostArgs: 2,
  run: async ({ open, args: [kind, name], flags }) => {
    const workspace = await open();
    if (kind !== undefined && !KINDS.includes(kind)) {
      const hint = didYouMean(kind, KINDS) || `Valid values: ${KINDS.join(", ")}.`;
      throw usageError(`list has no "${kind}"`, hint);
    }
    if (name !== undefined && kind !== "tools") {
      const hint = "list tools <name> describes a tool.";
      throw usageError(`list ${kind} does not take "${name}"`, hint);
    }
    const json = flags.values["json"] === true;
    if (name !== undefined) return await describeTool(workspace, name, json);
    await checkChosenTools(workspace);
    const inventory = await whileLoading(workspace.inventory("all"));
    const resources = inventory.listedResources()
      .map((entry) => ({ ...entry, name: isStatic(entry) ? entry.uri : uriTemplate(entry) }));
    const all = { tools: inventory.listedTools(), resources, prompts: inventory.listedPrompts() };
    const wanted = Object.entries(all).filter(([each]) => kind === undefined || each === kind)
      .map(([each, entries]) => [each, entries.map(pick)] as const);
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

/** Describes a tool; an unlisted one with the reason. */
export async function describeTool(workspace: Workspace, name: string, json: boolean) {
  const all = await whileLoading(workspace.inventory("all"));
  const tool = all.findTool(name);
  if (tool === undefined) throw unknownTool(all, name);
  const { title, description, annotations, input: { json: inputSchema }, output } = tool;
  if (json) {
    return printJson({ ...pick(tool), annotations, inputSchema, outputSchema: output?.json });
  }
  const { readOnlyHint, destructiveHint } = annotations;
  const effect = readOnlyHint ? "reads" : destructiveHint ? "writes, may remove" : "writes";
  const { bold } = paintFor(Deno.stdout);
  const reason = whyNotListed(all.project, tool);
  const more = all.unlistedTools().includes(tool) ? " It can be called all the same." : "";
  const note = reason === undefined ? "" : `\n\nNot listed here: ${reason}.${more}`;
  const lines = `${description}${note}`.split("\n").map((line) => [line]);
  const rows = argumentsOf(inputSchema).map(({ name, required, type, description }) => [
    `${name}${required ? " (required)" : ""}`,
    [type, description].filter(Boolean).join(". "),
  ]);
  print(`${bold(tool.name)}: ${title} (${effect})

${table(lines, { indent: "" })}
${bold("Arguments:")}
${table(rows, { paint: bold }) || "  none\n"}`);
}

function pick({ name, title, description }: Pick<Tool, "name" | "title" | "description">) {
  return { name, title, description };
}

export function argumentsOf(schema: JsonSchema) {
  const required = new Set(textsOf(schema["required"]));
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
