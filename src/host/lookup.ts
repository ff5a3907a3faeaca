/**
 * Looks up tools, prompts and resources, also those that do not apply to the project: calling them
 * explains why.
 */

import { RefraktError } from "../errors.ts";
import { checkReadOnly, checkRequirements, type Inventory } from "./inventory.ts";
import type { Prompt } from "../plugin/prompt.ts";
import type { Resource } from "../plugin/resource.ts";
import type { Table } from "../plugin/tables.ts";
import type { ListedTool, Tool } from "../plugin/tool.ts";
import { nameKey } from "../plugin/tool_names.ts";
import { matchUri, uriTemplate } from "../plugin/uri.ts";
import type { Workspace } from "./workspace.ts";

/** Finds a tool by any spelling; `notLoaded` is called before waiting for packages. */
export async function findTool(
  workspace: Workspace,
  name: string,
  notLoaded?: (inventory: Inventory) => void,
): Promise<{ inventory: Inventory; tool: Tool | undefined }> {
  const look = (inventory: Inventory) => inventory.findTool(name);
  const { inventory, entry } = await find(workspace, "tools", look, notLoaded);
  // What waits for nothing more is code.
  return { inventory, tool: entry as Tool | undefined };
}

/** Finds a prompt by any spelling. */
export async function findPrompt(
  workspace: Workspace,
  name: string,
): Promise<{ inventory: Inventory; prompt: Prompt | undefined }> {
  const look = ({ prompts }: Inventory) =>
    prompts.find((prompt) => nameKey(prompt.name) === nameKey(name));
  const { inventory, entry } = await find(workspace, "lists", look);
  return { inventory, prompt: entry };
}

/**
 * The inventory with a resource for a URI.
 *
 * @throws {RefraktError} `INVALID_ARGS` for a malformed URI.
 */
export async function inventoryFor(workspace: Workspace, uri: string): Promise<Inventory> {
  const look = ({ resources }: Inventory) => matchUri(resources, uri)?.resource;
  return (await find(workspace, "lists", look)).inventory;
}

/** Finds a resource by its URI or template. */
export async function findTemplate(
  workspace: Workspace,
  uri: string,
): Promise<{ inventory: Inventory; resource: Resource | undefined }> {
  const look = ({ resources }: Inventory) =>
    resources.find((resource) => [uriTemplate(resource), resource.uri].includes(uri));
  const { inventory, entry } = await find(workspace, "lists", look);
  return { inventory, resource: entry };
}

/** Looks in what is listed, then in everything; loads what the entry waits for. */
async function find<Entry extends ListedTool | Resource | Prompt>(
  workspace: Workspace,
  wait: "tools" | "lists",
  look: (inventory: Inventory) => Entry | undefined,
  notLoaded?: (inventory: Inventory) => void,
): Promise<{ inventory: Inventory; entry: Entry | undefined }> {
  let inventory = await workspace.inventory(wait);
  let entry = look(inventory);
  if (entry === undefined) {
    notLoaded?.(inventory);
    inventory = await workspace.inventory("all");
    entry = look(inventory);
  }
  if (entry === undefined) return { inventory, entry };
  const name = inventory.waitsFor(entry);
  if (name === undefined) return { inventory, entry };
  // What a call would fail with anyway.
  if ("annotations" in entry) checkReadOnly(inventory.project, entry);
  checkRequirements(inventory.project, entry.requires ?? []);
  notLoaded?.(inventory);
  inventory = await workspace.inventory({ name });
  entry = look(inventory);
  if (entry !== undefined && inventory.waitsFor(entry) !== undefined) {
    throw notAvailable(inventory, name);
  }
  return { inventory, entry };
}

/** The tables for queries; throws if the package of one has not been loaded. */
export function tablesOf(inventory: Inventory): readonly Table[] {
  const name = inventory.tables.map((table) => inventory.waitsFor(table)).find((each) => each);
  if (name !== undefined) throw notAvailable(inventory, name);
  return inventory.tables;
}

/** Why a package that an entry needs has not been loaded. */
function notAvailable({ warnings }: Inventory, packageName: string): RefraktError {
  const failure = warnings.find((warning) => warning.package === packageName);
  return new RefraktError(
    failure?.code === "CODE_NOT_TRUSTED" ? failure.code : "PLUGIN_LOAD_FAILED",
    failure?.message ?? `${packageName} is not available, or lacks this`,
    { hint: failure?.hint ?? "Call refrakt_detect to see why." },
  );
}
