/**
 * Looks up tools, prompts and resources, also those that do not apply to the project: calling them
 * explains why.
 */

import type { Prompt } from "./prompt.ts";
import type { Toolset } from "./registry.ts";
import type { Tool } from "./tool.ts";
import { matchUri } from "./uri.ts";
import type { Workspace } from "./workspace.ts";

/** Finds a tool by any spelling; `notListed` is called before waiting for every package. */
export async function findTool(
  workspace: Workspace,
  name: string,
  notListed?: (listed: Toolset) => void,
): Promise<{ toolset: Toolset; tool: Tool | undefined }> {
  const toolset = await workspace.toolset();
  const tool = toolset.findTool(name);
  if (tool !== undefined) return { toolset, tool };
  notListed?.(toolset);
  const whole = await workspace.wholeToolset();
  return { toolset: whole, tool: whole.findTool(name) };
}

export async function findPrompt(
  workspace: Workspace,
  name: string,
): Promise<{ toolset: Toolset; prompt: Prompt | undefined }> {
  const find = ({ prompts }: Toolset) => prompts.find((entry) => entry.name === name);
  const toolset = await workspace.toolset();
  const prompt = find(toolset);
  if (prompt !== undefined) return { toolset, prompt };
  const whole = await workspace.wholeToolset();
  return { toolset: whole, prompt: find(whole) };
}

/** The toolset with a resource for a URI: the listed one, or the whole one. */
export async function toolsetFor(workspace: Workspace, uri: string): Promise<Toolset> {
  const toolset = await workspace.toolset();
  try {
    if (matchUri(toolset.resources, uri) !== undefined) return toolset;
  } catch {
    // Reading a malformed URI returns the error.
    return toolset;
  }
  return await workspace.wholeToolset();
}
