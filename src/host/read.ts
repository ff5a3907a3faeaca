/** Reads resources and renders prompts. Those that do not apply fail with the reason. */

import type { PromptMessage } from "../plugin/prompt.ts";
import type { Resource, ResourceBody } from "../plugin/resource.ts";
import { nameKey } from "../plugin/tool.ts";
import { matchUri, uriTemplate } from "../plugin/uri.ts";
import { type Caller, checkRequirements, contextFor, guarded, noSuchName } from "./call.ts";
import type { Inventory } from "./inventory.ts";
import type { Workspace } from "./open_workspace.ts";

/** @throws {RefraktError} `NOT_FOUND` for an unknown URI, `INVALID_ARGS` for a malformed one. */
export async function readResource(workspace: Workspace, uri: string, caller: Caller) {
  const { inventory, entry } = await lookUp(workspace, ({ resources }) => matchUri(resources, uri));
  if (entry === undefined) {
    const uris = inventory.listedResources().map(uriTemplate);
    throw noSuchName("No such resource", uri, uris, "resources");
  }
  const { resource, params } = entry;
  const context = contextFor(workspace, inventory.project, caller);
  checkRequirements(context.project, resource.requires ?? []);
  const read = () => resource.read(params, context);
  const body: ResourceBody = await guarded(read, context, "RESOURCE_FAILED", uri);
  const mimeType = "data" in body ? "application/json" : body.mimeType ?? resource.mimeType;
  return { body, mimeType, fixed: resource.fixed === true };
}

export async function renderPrompt(
  workspace: Workspace,
  name: string,
  args: Record<string, string>,
  caller: Caller,
): Promise<{ description: string; messages: readonly PromptMessage[] }> {
  const look = ({ prompts }: Inventory) =>
    prompts.find((prompt) => nameKey(prompt.name) === nameKey(name));
  const { inventory, entry: prompt } = await lookUp(workspace, look);
  if (prompt === undefined) {
    const names = inventory.listedPrompts().map((each) => each.name);
    throw noSuchName("Unknown prompt", name.slice(0, 128), names, "prompts");
  }
  const context = contextFor(workspace, inventory.project, caller);
  const render = () => prompt.render(args, context);
  const rendered = await guarded(render, context, "RESOURCE_FAILED", prompt.name);
  const messages = typeof rendered === "string"
    ? [{ role: "user" as const, content: rendered }]
    : rendered;
  return { description: prompt.description, messages };
}

/** Completes a parameter of a resource, by its URI or template; failures give no values. */
export async function completeParameter(
  workspace: Workspace,
  uri: string,
  [parameter, value, others]: readonly [string, string, Readonly<Record<string, string>>],
  caller: Caller,
): Promise<readonly string[]> {
  const isMeant = (resource: Resource) => [uriTemplate(resource), resource.uri].includes(uri);
  const look = ({ resources }: Inventory) => resources.find(isMeant);
  const { inventory, entry: resource } = await lookUp(workspace, look);
  if (resource?.complete === undefined) return [];
  const context = contextFor(workspace, inventory.project, caller);
  const complete = () => resource.complete!(parameter, value, context, others);
  return await guarded(complete, context, "RESOURCE_FAILED", resource.uri).catch(() => []);
}

/** Looks an entry up among the listed ones, then among all. */
async function lookUp<Entry>(
  workspace: Workspace,
  look: (inventory: Inventory) => Entry | undefined,
): Promise<{ inventory: Inventory; entry: Entry | undefined }> {
  const listed = await workspace.inventory("lists");
  const entry = look(listed);
  if (entry !== undefined) return { inventory: listed, entry };
  const inventory = await workspace.inventory("everything");
  return { inventory, entry: look(inventory) };
}
