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
 * @example As a library: what does a directory have?
 * ```ts
 * import { detect } from "@refrakt/mcp";
 *
 * const report = await detect({ cwd: "examples/plan" });
 * console.assert(report.plan?.dir === "plan");
 * ```
 *
 * @module
 */

export * from "./src/lib/mod.ts";

if (import.meta.main) {
  const { startProgram } = await import("./src/cli/start.ts");
  await startProgram(() => import("./src/cli/main.ts"));
}
