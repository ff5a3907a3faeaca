/**
 * The one path of a call, for MCP clients, the command line and the library: find the tool, check
 * its requirements and input, run it with the replacements of Node's modules, and take its answer.
 * `shape.ts` splits the answer into pages.
 */

import { sep } from "node:path";
import { didYouMean, type ErrorCode, messageOf, orElse, RefraktError } from "../errors.ts";
import { isNotFound } from "../io/paths.ts";
import { refusalToError } from "../io/permissions.ts";
import { withUndo } from "../io/undo.ts";
import { refusalIn } from "../packages/gate.ts";
import { type CallState, runAsCall } from "../packages/stand_in_call.ts";
import { quotedName } from "../plain_text.ts";
import { configError } from "../plugin/config.ts";
import type { CallContext } from "../plugin/context.ts";
import type { Project } from "../plugin/project.ts";
import { withToken } from "../plugin/result.ts";
import { nameKey, type Tool } from "../plugin/tool.ts";
import { has, type Inventory, writes } from "./inventory.ts";
import type { Workspace } from "./open_workspace.ts";

/** Who calls: how the call ends, and where its progress and its log go. */
export type Caller = Omit<CallContext, "project" | "tables">;

/** A caller without progress, log and cancellation. */
export function quietCaller(): Caller {
  const agent = agentName("refrakt-mcp", newAgentId());
  return { agent, signal: new AbortController().signal, progress: () => {}, log: () => {} };
}

/** Tells agents of one client apart. */
export function newAgentId(): string {
  return crypto.randomUUID().slice(0, 8);
}

/** The name of an agent from that of its client, in plain characters. */
export function agentName(client: string, id: string): string {
  const plain = client.toLowerCase().slice(0, 40).match(/[a-z][a-z0-9]*/g) ?? ["agent"];
  return [...plain, id].join("-");
}

export function contextFor(workspace: Workspace, project: Project, caller: Caller): CallContext {
  const tables = async () => (await workspace.inventory("all")).tables;
  return { ...caller, project, tables };
}

export async function callByName(
  workspace: Workspace,
  name: string,
  input: unknown,
  caller: Caller,
): Promise<{ readonly tool: Tool; readonly value: unknown }> {
  const { inventory, tool } = await findTool(workspace, name, caller);
  if (tool === undefined) throw unknownTool(inventory, name);
  const context = contextFor(workspace, inventory.project, caller);
  return { tool, value: await callTool(tool, input, context) };
}

/** Finds a tool by any spelling, and tells the caller which packages it waits for. */
export async function findTool(
  workspace: Workspace,
  name: string,
  caller: Caller = quietCaller(),
): Promise<{ inventory: Inventory; tool: Tool | undefined }> {
  let inventory = await workspace.inventory("known");
  if (inventory.findTool(name) === undefined) {
    const loading = inventory.warnings.find(({ code }) => code === "PLUGINS_LOADING");
    if (loading !== undefined) {
      caller.progress({ progress: 0, message: loading.message });
      caller.log("info", loading.message);
    }
    inventory = await workspace.inventory("all");
  }
  return { inventory, tool: await workspace.toolOf(inventory, name) };
}

/** Calls a tool: checks its requirements and input, and runs it with its output captured. */
export async function callTool(tool: Tool, input: unknown, context: CallContext): Promise<unknown> {
  const { project } = context;
  const { name } = tool;
  // Without a permission, the tool itself reports which one it requires.
  if (project.readOnly === "requested" && writes(tool, project)) {
    throw new RefraktError("PERMISSION_DENIED", `${name} writes, but this server is read-only`, {
      hint: "Start the server without --read-only.",
    });
  }
  checkRequirements(project, tool.requires);
  const checked = await checkInput(tool, input);
  const run = tool.run.bind(tool, checked, context);
  const mayWrite = packagesMayWrite(project, tool);
  const work = () => guarded(run, context, "TOOL_FAILED", name, mayWrite);
  const { value, undo } = await withUndo(project, name, work);
  await tool.verify?.(value);
  return undo === undefined ? value : withToken(value, undo);
}

/**
 * Whether packages may write during a call; not in tools with a read-only hint, and not in those that
 * write in folders of their plugin themselves.
 */
function packagesMayWrite({ readOnly }: Project, { annotations, writes }: Tool): boolean {
  if (readOnly === "requested" || typeof writes === "string") return false;
  return writes ?? annotations.readOnlyHint !== true;
}

export function checkRequirements(project: Project, requires: readonly string[]): void {
  for (const requirement of requires) {
    if (has(project, requirement)) continue;
    const { configProblem } = project;
    const { isConfigured, missing } = project.needs[requirement] ?? {};
    if (configProblem !== undefined && isConfigured) throw configError(configProblem);
    if (missing !== undefined) throw missing(project);
  }
}

async function checkInput({ name, input: schema }: Tool, input: unknown) {
  return await schema.parse(input).catch((error) => {
    if (!(error instanceof RefraktError)) throw error;
    const { code, message, hint = "" } = error;
    throw new RefraktError(code, message, { hint: `Call ${name} again. ${hint}`.trim() });
  });
}

/**
 * Runs code of a tool, resource or prompt, which may be that of a package. Returns its value, else what
 * a command printed, and logs the rest of the output.
 */
export async function guarded<Value>(
  work: () => Value | Promise<Value>,
  context: CallContext,
  code: "TOOL_FAILED" | "RESOURCE_FAILED",
  tool: string,
  mayWrite = false,
): Promise<Value> {
  const { project: { cwd, memo }, signal } = context;
  try {
    signal.throwIfAborted();
    memo.begin();
    const { call, value } = await runAsCall(cwd, work, { signal, mayWrite });
    const { stdout, stderr, exitCode, printsAnswer } = call;
    const isPrinted = printsAnswer && value === undefined;
    const isFailure = exitCode !== undefined &&
      (exitCode !== 0 || value === undefined && !printsAnswer);
    if (isFailure) throw exitError(call);
    for (const text of isPrinted ? [stderr] : [stdout, stderr]) {
      if (text.trim() !== "") context.log("debug", text.trimEnd(), { tool });
    }
    // The printed output of a command has no static type.
    return (isPrinted ? parseOutput(stdout) : value) as Value;
  } catch (error) {
    throw toRefraktError(error, context, code);
  }
}

/** The error for a call that exited: its stderr, else its stdout. */
function exitError({ stdout, stderr, exitCode, printsAnswer }: CallState) {
  const output = (stderr.trim() || stdout.trim()).slice(0, 4000);
  const ended = `${printsAnswer ? "The command" : "A package"} ended with exit code ${exitCode}`;
  return new RefraktError("TOOL_FAILED", output === "" ? ended : output, {
    hint: `${ended}; correct the arguments and call again.`,
    data: { exitCode },
  });
}

/** Parses command output: a JSON object or list, else text, if any. */
function parseOutput(text: string): unknown {
  const trimmed = text.trim();
  // Text may look like JSON.
  if (/^[[{]/.test(trimmed)) return orElse(() => JSON.parse(trimmed), trimmed);
  return trimmed === "" ? undefined : trimmed;
}

export function toRefraktError(
  error: unknown,
  { project: { cwd }, signal }: Pick<CallContext, "project" | "signal">,
  code: "TOOL_FAILED" | "RESOURCE_FAILED",
): RefraktError {
  const notLoaded = refusalIn(error);
  if (notLoaded !== undefined) return notLoaded;
  if (error instanceof RefraktError) return error;
  if (signal.aborted) {
    return new RefraktError("TIMEOUT", "The call was cancelled", {
      hint: "Call again if you still need the result.",
    });
  }
  const refusal = refusalToError(error, cwd);
  if (refusal !== undefined) return refusal;
  const text = messageOf(error ?? "").replaceAll(`${cwd}${sep}`, "").slice(0, 4000);
  return new RefraktError(code, text || "Failed without a message", {
    hint: isNotFound(error)
      ? "A file or folder is missing; call refrakt_detect to see what exists."
      : "Check the arguments; call refrakt_detect to see what the project has.",
    cause: error,
  });
}

export function unknownTool(inventory: Inventory, name: string): RefraktError {
  const shell = inventory.shellOnly.find((command) => nameKey(command.name) === nameKey(name));
  if (shell !== undefined) {
    return new RefraktError("NOT_FOUND", `${shell.name} is not a tool: only refrakt's CLI has it`, {
      hint: `Run it in a terminal: ${shell.command}`,
    });
  }
  const namespace = name.split(/[._-]/)[0]!;
  const causes = inventory.warnings.filter(({ code, package: packageName }) =>
    code === "CODE_NOT_TRUSTED" || code === "PLUGIN_LOAD_FAILED" && packageName !== undefined
  );
  // The tools of a plugin are unknown until it is loaded.
  const failed = causes.find((each) => each.package?.split("/").at(-1) === namespace);
  if (failed !== undefined) {
    return new RefraktError(failed.code as ErrorCode, failed.message, { hint: failed.hint });
  }
  const [cause] = causes;
  const more = cause === undefined ? "" : ` ${cause.message}. ${cause.hint ?? ""}`;
  const names = inventory.listedTools().map((tool) => tool.name);
  return noSuchName("Unknown tool", name.slice(0, 128), names, "tools", more);
}

/** The error for an unknown name or URI, with the known ones. */
export function noSuchName(
  problem: string,
  name: string,
  names: readonly string[],
  plural: string,
  more = "",
): RefraktError {
  const all = `The ${plural} are ${names.join(", ") || "none"}.`;
  return new RefraktError("NOT_FOUND", `${problem}: ${quotedName(name)}`, {
    hint: (didYouMean(name, names) || all) + more,
  });
}
