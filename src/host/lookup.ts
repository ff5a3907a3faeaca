/**
 * Looks up tools, prompts and resources, also those that do not apply to the project: calling them
 * explains why.
 */

import type { Prompt } from "../plugin/prompt.ts";
import type { Resource } from "../plugin/resource.ts";
import type { Tool } from "../plugin/tool.ts";
import { nameKey } from "../plugin/tool_names.ts";
import { matchUri, uriTemplate } from "../plugin/uri.ts";
import type { Inventory } from "./inventory.ts";
import type { Workspace } from "./workspace.ts";

/** Finds a tool by any spelling; `notLoaded` is called before waiting for packages. */
export async function findTool(
  workspace: Workspace,
  name: string,
  notLoaded?: (inventory: Inventory) => void,
): Promise<{ inventory: Inventory; tool: Tool | undefined }> {
  let inventory = await workspace.inventory("known");
  if (inventory.findTool(name) === undefined) {
    notLoaded?.(inventory);
    inventory = await workspace.inventory("all");
  }
  return { inventory, tool: await workspace.toolOf(inventory, name) };
}

/** Finds a prompt by any spelling. */
export async function findPrompt(
  workspace: Workspace,
  name: string,
): Promise<{ inventory: Inventory; prompt: Prompt | undefined }> {
  const look = ({ prompts }: Inventory) =>
    prompts.find((prompt) => nameKey(prompt.name) === nameKey(name));
  const { inventory, entry } = await find(workspace, look);
  return { inventory, prompt: entry };
}

/**
 * The inventory with a resource for a URI.
 *
 * @throws {RefraktError} `INVALID_ARGS` for a malformed URI.
 */
export async function inventoryFor(workspace: Workspace, uri: string): Promise<Inventory> {
  return (await find(workspace, ({ resources }) => matchUri(resources, uri)?.resource)).inventory;
}

/** Finds a resource by its URI or template. */
export async function findTemplate(
  workspace: Workspace,
  uri: string,
): Promise<{ inventory: Inventory; resource: Resource | undefined }> {
  const look = ({ resources }: Inventory) =>
    resources.find((resource) => [uriTemplate(resource), resource.uri].includes(uri));
  const { inventory, entry } = await find(workspace, look);
  return { inventory, resource: entry };
}

/** Looks in what is listed, then in everything. */
async function find<Entry>(
  workspace: Workspace,
  look: (inventory: Inventory) => Entry | undefined,
): Promise<{ inventory: Inventory; entry: Entry | undefined }> {
  const listed = await workspace.inventory("lists");
  const entry = look(listed);
  if (entry !== undefined) return { inventory: listed, entry };
  const inventory = await workspace.inventory("everything");
  return { inventory, entry: look(inventory) };
}
