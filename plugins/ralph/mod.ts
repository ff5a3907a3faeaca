/**
 * The Ralph Specum workflow on its own: a library that gives the plugin, and a
 * program that serves it over stdio.
 *
 * As a program it needs nothing but the project:
 *
 * ```sh
 * deno run --no-config --no-prompt --allow-read=. --allow-write=specs,.gitignore jsr:@refrakt/mcp/ralph
 * ```
 *
 * As a library it loads the plugin when asked:
 *
 * @example
 * ```ts
 * import { loadRalphPlugin } from "@refrakt/mcp/ralph";
 *
 * const plugin = await loadRalphPlugin();
 * console.assert(plugin.commands.some((command) => command.toolName === "ralph_start"));
 * ```
 *
 * @module
 */

import type { CliPlugin } from "../../src/tools/plugin.ts";

/**
 * Loads the plugin. It is not imported at the top, because its dependencies do
 * not resolve in every project, and this module should say so itself.
 *
 * @returns The plugin, with the tools, resources and prompts of the workflow.
 */
export async function loadRalphPlugin(): Promise<CliPlugin> {
  return (await import("./plugin.ts")).ralphPlugin;
}

if (import.meta.main) {
  const { startProgram } = await import("../../src/cli/start.ts");
  await startProgram(() => import("../../src/cli/ralph.ts"));
}
