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
 * console.assert(plugin.name === "ralph");
 * ```
 *
 * @module
 */

import type { Plugin } from "../../src/plugin/plugin.ts";

/**
 * Loads the plugin, for a server to embed.
 *
 * @returns The plugin with the tools, resources and prompts of the workflow.
 */
export async function loadRalphPlugin(): Promise<Plugin> {
  return (await import("./plugin.ts")).RALPH;
}

if (import.meta.main) {
  const { startProgram } = await import("../../src/cli/start.ts");
  await startProgram(async () => {
    const { programOf } = await import("../../src/cli/main.ts");
    const { RALPH_PROGRAM } = await import("./program.ts");
    return programOf(RALPH_PROGRAM);
  });
}
