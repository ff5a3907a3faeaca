/** Calls tools and reads resources, for MCP clients, the command line and the library. */

import { quotedName } from "../plain_text.ts";
import { sep } from "node:path";
import { didYouMean, messageOf, RefraktError } from "../errors.ts";
import { isObject } from "../io/json.ts";
import { refusalIn } from "../packages/gate.ts";
import { runAsCall } from "../packages/stand_in_call.ts";
import { answerOf } from "./answer.ts";
import { isNotFound } from "../io/paths.ts";
import { refusalToError } from "../io/permissions.ts";
import type { CallContext } from "../plugin/context.ts";
import { nameKey } from "../plugin/tool_names.ts";
import { checkReadOnly, checkRequirements, type Inventory, packagesMayWrite } from "./inventory.ts";
import type { Warning } from "../plugin/project.ts";
import { isRendered, type Prompt, type RenderedPrompt } from "../plugin/prompt.ts";
import { isBody, type Resource, type ResourceBody } from "../plugin/resource.ts";
import type { Tool } from "../plugin/tool.ts";
import { matchUri, uriTemplate } from "../plugin/uri.ts";

/**
 * Checks requirements and input, then runs the tool with its output captured.
 *
 * @throws {RefraktError} For every failure.
 */
export async function callTool(
  tool: Tool,
  input: unknown,
  context: CallContext,
): Promise<unknown> {
  checkReadOnly(context.project, tool);
  checkRequirements(context.project, tool.requires);
  const checked = await checkInput(tool, input);
  const mayWrite = packagesMayWrite(context.project, tool);
  const run = tool.run.bind(tool, checked, context);
  const value = await guarded(run, context, "TOOL_FAILED", tool.name, mayWrite);
  await tool.verify?.(value);
  return value;
}

async function checkInput(tool: Tool, input: unknown): Promise<Record<string, unknown>> {
  try {
    return await tool.input.parse(input);
  } catch (error) {
    if (!(error instanceof RefraktError)) throw error;
    throw new RefraktError(error.code, error.message, {
      hint: `Call ${tool.name} again. ${error.hint ?? ""}`.trim(),
    });
  }
}

/**
 * Reads a resource by its URI.
 *
 * @throws {RefraktError} `NOT_FOUND` for an unknown URI.
 */
export async function readResource(
  inventory: Inventory,
  uri: string,
  context: CallContext,
): Promise<{ body: ResourceBody; mimeType: string; fixed: boolean }> {
  const match = matchUri(inventory.resources, uri);
  if (match === undefined) throw unknownUri(inventory, uri);
  const { resource, params } = match;
  checkRequirements(context.project, resource.requires ?? []);
  const body = await guarded(
    () => resource.read(params, context),
    context,
    "RESOURCE_FAILED",
    uri,
  );
  if (!isBody(body)) throw malformed(uri, "{ text }, { data } or { blob }", body);
  const mimeType = "data" in body ? "application/json" : body.mimeType ?? resource.mimeType;
  return { body, mimeType, fixed: resource.fixed === true };
}

export async function renderPrompt(
  prompt: Prompt,
  args: Record<string, string>,
  context: CallContext,
): Promise<RenderedPrompt> {
  const render = () => prompt.render(args, context);
  const rendered = await guarded(render, context, "RESOURCE_FAILED", prompt.name);
  if (!isRendered(rendered)) {
    throw malformed(prompt.name, "a text, or a list of { role, content }", rendered);
  }
  return rendered;
}

function malformed(name: string, expected: string, given: unknown): RefraktError {
  const got = isObject(given) ? `an object with ${Object.keys(given).join(", ")}` : typeof given;
  return new RefraktError("RESOURCE_FAILED", `${name} must return ${expected}, got ${got}`, {
    hint: "This is a defect of the resource or prompt.",
  });
}

/** Completes a parameter of a resource; failures give no values. */
export async function completeParameter(
  resource: Resource | undefined,
  { parameter, value, others }: {
    readonly parameter: string;
    readonly value: string;
    readonly others: Readonly<Record<string, string>>;
  },
  context: CallContext,
): Promise<readonly string[]> {
  if (resource?.complete === undefined) return [];
  const complete = () => resource.complete!(parameter, value, context, others);
  return await guarded(complete, context, "RESOURCE_FAILED", resource.uri).catch(() => []);
}

export function unknownTool(inventory: Inventory, name: string): RefraktError {
  const shell = inventory.shellOnly.find((command) => nameKey(command.name) === nameKey(name));
  if (shell !== undefined) {
    return new RefraktError("NOT_FOUND", `${shell.name} is not a tool: only refrakt's CLI has it`, {
      hint: `Run it in a terminal: ${shell.command}`,
    });
  }
  const instead = inventory.withdrawn.get(nameKey(name));
  if (instead !== undefined) {
    const message = `There is no tool ${quotedName(name)} any more`;
    return new RefraktError("NOT_FOUND", message, { hint: instead });
  }
  const namespace = name.split(/[._-]/)[0]!;
  // The tools of a plugin are unknown until it is loaded.
  const related = ({ package: packageName }: Warning) =>
    packageName?.split("/").at(-1) === namespace;
  for (const code of ["PLUGIN_LOAD_FAILED", "CODE_NOT_TRUSTED"] as const) {
    const failed = inventory.warnings.find((each) => each.code === code && related(each));
    if (failed === undefined) continue;
    const { message, hint } = failed;
    return new RefraktError(code, message, hint === undefined ? {} : { hint });
  }
  const isCause = ({ code, package: name }: Warning) =>
    code === "CODE_NOT_TRUSTED" || code === "PLUGIN_LOAD_FAILED" && name !== undefined;
  const cause = inventory.warnings.find(isCause);
  const more = cause === undefined ? "" : ` ${cause.message}. ${cause.hint ?? ""}`;
  const names = inventory.listedTools().map((tool) => tool.name);
  return unknown("Unknown tool", name.slice(0, 128), names, "tools", more);
}

export function unknownPrompt(inventory: Inventory, name: string): RefraktError {
  const names = inventory.listedPrompts().map((prompt) => prompt.name);
  return unknown("Unknown prompt", name.slice(0, 128), names, "prompts");
}

export function unknownUri(inventory: Inventory, uri: string): RefraktError {
  const known = inventory.listedResources().map(uriTemplate);
  return unknown("No such resource", uri, known, "resources");
}

function unknown(
  what: string,
  name: string,
  known: readonly string[],
  plural: string,
  more = "",
): RefraktError {
  const all = known.length === 0
    ? `There are no ${plural}.`
    : `The ${plural} are ${known.join(", ")}.`;
  return new RefraktError("NOT_FOUND", `${what}: ${quotedName(name)}`, {
    hint: (didYouMean(name, known) || all) + more,
  });
}

async function guarded<Value>(
  work: () => Value | Promise<Value>,
  context: CallContext,
  code: "TOOL_FAILED" | "RESOURCE_FAILED",
  what: string,
  mayWrite = false,
): Promise<Value> {
  try {
    context.signal.throwIfAborted();
    context.project.memo.begin();
    const outcome = await runAsCall(context.project.cwd, work, {
      signal: context.signal,
      mayWrite,
    });
    // The printed output of a command has no static type.
    return answerOf(outcome, (text) => context.log("debug", text, { tool: what })) as Value;
  } catch (error) {
    throw toRefraktError(error, context, code);
  }
}

/** Converts anything thrown to a `RefraktError`. */
export function toRefraktError(
  error: unknown,
  context: Pick<CallContext, "project" | "signal">,
  code: "TOOL_FAILED" | "RESOURCE_FAILED",
): RefraktError {
  const notLoaded = refusalIn(error);
  if (notLoaded !== undefined) return notLoaded;
  if (error instanceof RefraktError) return error;
  if (context.signal.aborted) {
    return new RefraktError("TIMEOUT", "The call was cancelled", {
      hint: "Call again if you still need the result.",
    });
  }
  const refusal = refusalToError(error, context.project.cwd);
  if (refusal !== undefined) return refusal;
  const message = messageOf(error ?? "").replaceAll(`${context.project.cwd}${sep}`, "");
  const text = message.slice(0, 4000) || "Failed without a message";
  return new RefraktError(code, text, {
    hint: isNotFound(error)
      ? "A file or folder is missing; call refrakt_detect to see what exists."
      : "Check the arguments; call refrakt_detect to see what the project has.",
    cause: error,
  });
}
