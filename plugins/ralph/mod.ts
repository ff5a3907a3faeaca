/**
 * The Ralph Specum workflow on its own: a library that loads the plugin, and a program that
 * serves it over stdio.
 *
 * The program needs only the project:
 *
 * ```sh
 * deno run --no-config --no-prompt --allow-read=. --allow-write=specs,.gitignore jsr:@refrakt/mcp/ralph
 * ```
 *
 * The library loads the plugin on demand:
 *
 * @example
 * ```ts
 * // deno run example.ts
 * import { loadRalphPlugin } from "jsr:@refrakt/mcp/ralph";
 *
 * const plugin = await loadRalphPlugin();
 * console.assert(plugin.tools?.some((tool) => tool.name === "ralph_start"));
 * ```
 *
 * @module
 */

import type { Contribution } from "../../src/plugin/contribution.ts";

/**
 * Loads the plugin. The import is dynamic, because its dependencies do not resolve in every
 * project, and the program should then fail with its own message.
 *
 * @returns The tools, resources and prompts of the workflow.
 */
export async function loadRalphPlugin(): Promise<Contribution> {
  return (await import("./plugin.ts")).ralphPlugin;
}

if (import.meta.main) {
  const { startProgram } = await import("../../src/cli/start.ts");
  await startProgram(() => import("../../src/cli/ralph.ts"));
}
