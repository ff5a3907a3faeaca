/**
 * Finds what a caller means, also where it does not apply to the project, so that
 * it can say why.
 *
 * @module
 */

import type { Surface } from "./registry.ts";
import type { Tool } from "./tool.ts";
import { matchUri } from "./uri.ts";
import type { Workspace } from "./workspace.ts";

/** A tool by any spelling of its name, and the surface that it was found on. */
export async function findTool(
  workspace: Workspace,
  name: string,
): Promise<{ surface: Surface; tool: Tool | undefined }> {
  const surface = await workspace.surface();
  const tool = surface.findTool(name);
  if (tool !== undefined) return { surface, tool };
  const whole = await workspace.wholeSurface();
  return { surface: whole, tool: whole.findTool(name) };
}

/** The surface that knows a URI: the listed one, else the whole one. */
export async function surfaceFor(workspace: Workspace, uri: string): Promise<Surface> {
  const surface = await workspace.surface();
  try {
    if (matchUri(surface.resources, uri) !== undefined) return surface;
  } catch {
    // A malformed URI: reading it gives the error.
    return surface;
  }
  return await workspace.wholeSurface();
}
