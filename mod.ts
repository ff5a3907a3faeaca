/**
 * A sandboxed Model Context Protocol server for refrakt projects: a library to
 * embed, and a program to run.
 *
 * As a program, in a project's directory:
 *
 * ```sh
 * deno run --no-config --no-prompt --allow-read=. --allow-write=plan --allow-run=git jsr:@refrakt/mcp
 * ```
 *
 * @example As a library: what does this directory have?
 * ```ts
 * // deno run --allow-read=. example.ts
 * import { detect } from "jsr:@refrakt/mcp";
 *
 * const { plan, tools } = await detect();
 * console.log(plan?.dir ?? "no plan", tools);
 * console.assert(tools.includes("refrakt_detect"));
 * ```
 *
 * @module
 */

export * from "./src/lib/mod.ts";

if (import.meta.main) {
  const { startProgram } = await import("./src/cli/start.ts");
  await startProgram(() => import("./src/cli/main.ts"));
}
