/**
 * Looks up tools, prompts and resources, also those that do not apply to the project: calling them
 * explains why.
 */

import type { Prompt } from "./prompt.ts";
import type { Toolset } from "./registry.ts";
import type { Tool } from "./tool.ts";
import { nameKey } from "./tool_names.ts";
import { matchUri } from "./uri.ts";
import type { Workspace } from "./workspace.ts";

/** Finds a tool by any spelling; `notListed` is called before waiting for every package. */
export async function findTool(
  workspace: Workspace,
  name: string,
  notListed?: (listed: Toolset) => void,
): Promise<{ toolset: Toolset; tool: Tool | undefined }> {
  const { toolset, found } = await find(workspace, (each) => each.findTool(name), notListed);
  return { toolset, tool: found };
}

/** Finds a prompt by any spelling. */
export async function findPrompt(
  workspace: Workspace,
  name: string,
): Promise<{ toolset: Toolset; prompt: Prompt | undefined }> {
  const { toolset, found } = await find(
    workspace,
    ({ prompts }) => prompts.find((prompt) => nameKey(prompt.name) === nameKey(name)),
  );
  return { toolset, prompt: found };
}

/**
 * The toolset with a resource for a URI.
 *
 * @throws {RefraktError} `INVALID_ARGS` for a malformed URI.
 */
export async function toolsetFor(workspace: Workspace, uri: string): Promise<Toolset> {
  return (await find(workspace, ({ resources }) => matchUri(resources, uri))).toolset;
}

/** Looks in the listed toolset, then in the whole one. */
async function find<Value>(
  workspace: Workspace,
  look: (toolset: Toolset) => Value | undefined,
  notListed?: (listed: Toolset) => void,
): Promise<{ toolset: Toolset; found: Value | undefined }> {
  const toolset = await workspace.toolset();
  const found = look(toolset);
  if (found !== undefined) return { toolset, found };
  notListed?.(toolset);
  const whole = await workspace.wholeToolset();
  return { toolset: whole, found: look(whole) };
}
