/**
 * `refrakt.package_validate`: the lint of a rune package, installed or in a folder
 * of the project. Its modules are imported, which runs them.
 *
 * @module
 */

import { z } from "zod";
import { defineTool, type Tool } from "../tools/tool.ts";
import type { SiteEngine } from "./engine/client.ts";

const FINDINGS = z.array(z.object({ path: z.string(), message: z.string() }));

/** What the tool answers. */
const VALIDATION = z.object({
  valid: z.boolean(),
  pluginName: z.string().optional(),
  source: z.string().optional(),
  errors: FINDINGS,
  warnings: FINDINGS.optional(),
});

/** Declares the tool. */
export function packageValidateTool(engine: SiteEngine): Tool {
  return defineTool({
    name: "refrakt.package_validate",
    title: "Validate a rune package",
    description: "Lints a rune package before it is published, which runs its code.",
    input: z.strictObject({
      package: z.string().optional(),
      dir: z.string().optional().describe("Or its folder"),
    }),
    output: VALIDATION,
    // Importing the package's modules runs them, and they may do anything.
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    // It runs the package's code, which is why it is not read-only, and writes nothing.
    writes: false,
    listedWith: ["site"],
    run: (input, call) => engine.ask("lintPackage", input, call),
  });
}
