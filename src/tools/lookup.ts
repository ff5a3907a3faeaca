/**
 * Finds what a caller means, also where it does not apply to the project, so that
 * it can say why.
 *
 * @module
 */

import type { Prompt } from "./prompt.ts";
import type { Toolset } from "./registry.ts";
import type { Tool } from "./tool.ts";
import { matchUri } from "./uri.ts";
import type { Workspace } from "./workspace.ts";

/** A tool by any spelling of its name; `notListed` is told before every package is waited for. */
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

/** A prompt by its name, and the toolset that it was found on. */
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

/** The toolset that knows a URI: the listed one, else the whole one. */
export async function toolsetFor(workspace: Workspace, uri: string): Promise<Toolset> {
  const toolset = await workspace.toolset();
  try {
    if (matchUri(toolset.resources, uri) !== undefined) return toolset;
  } catch {
    // A malformed URI: reading it gives the error.
    return toolset;
  }
  return await workspace.wholeToolset();
}
