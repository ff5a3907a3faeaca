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

import type { CliPlugin } from "../../src/surface/plugin.ts";

export type * from "../../src/authoring.ts";

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
  try {
    const { main } = await import("../../src/cli/ralph.ts");
    await main(Deno.args);
  } catch (error) {
    const { startupSentence } = await import("../../src/startup.ts");
    Deno.stderr.writeSync(new TextEncoder().encode(`${startupSentence(error)}\n`));
    Deno.exit(1);
  }
}
