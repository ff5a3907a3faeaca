/** `call` calls one tool, and `read` prints one resource. */

import { dirname, resolve } from "node:path";
import { messageOf } from "../../errors.ts";
import { callTool, contextFor, findTool, unknownTool } from "../../host/call.ts";
import { readResource } from "../../host/read.ts";
import { shapeResult } from "../../host/shape.ts";
import { writeFileAtomic } from "../../io/files.ts";
import { asObject, isObject, textOf, textsOf } from "../../io/json.ts";
import { realPathOf } from "../../io/paths.ts";
import { refusalToError } from "../../io/permissions.ts";
import { writeFolder } from "../../io/write_folder.ts";
import { bodyText, type ResourceBody } from "../../plugin/resource.ts";
import { usageError } from "../flags.ts";
import { print, printJson, printNote, resultText } from "../terminal.ts";
import { errorText } from "../start.ts";
import { type Command, terminalCaller, whileLoading } from "./command.ts";

export const call: Command = {
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

export const read: Command = {
  name: "read",
  usage: "read <uri>",
  help: "Print a resource, such as refrakt://plan/index, or write it to a file with --out",
  needs: [1, "the URI of a resource, which list resources prints"],
  mostArgs: 1,
  run: async ({ open, args: [uri = ""], flags }) => {
    const workspace = await open();
    const { body, mimeType } = await whileLoading(readResource(workspace, uri, terminalCaller()));
    const file = textOf(flags.values["out"]);
    if (file !== undefined) {
      writeFile(resolve(file), fileOf(body));
    } else if (flags.values["json"]) printJson({ uri, mimeType, ...body });
    else {
      const text = bodyText(body, 2);
      print(text.endsWith("\n") ? text : `${text}\n`);
    }
    return 0;
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

/** The content of a file: data as refrakt writes it, without the warnings about this reading. */
function fileOf(body: ResourceBody): string | Uint8Array {
  if ("text" in body) return body.text;
  if ("blob" in body) return body.blob;
  const { warnings, ...data } = asObject(body.data);
  for (const warning of textsOf(warnings)) printNote(`Note: ${warning}\n`);
  return `${JSON.stringify(data, null, "\t")}\n`;
}
