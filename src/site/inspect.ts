/**
 * `refrakt.inspect`: what becomes of a rune.
 *
 * @module
 */

import { z } from "zod";
import { defineTool, type Tool } from "../tools/tool.ts";
import type { SiteEngine } from "./engine/client.ts";
import { ATTRIBUTES, SITE, WARNINGS } from "./fields.ts";

/** What the tool answers; with an attribute that is "all", the parts stand in `variants`. */
const INSPECTION = z.looseObject({
  warnings: WARNINGS,
  rune: z.string(),
  theme: z.string().optional(),
  input: z.string().optional().describe("The example"),
  html: z.string().optional(),
  outline: z.string().optional(),
  selectors: z.array(z.string()).optional(),
  variants: z.array(z.looseObject({ value: z.string() })).optional(),
});

/** Declares the tool. */
export function inspectTool(engine: SiteEngine): Tool {
  return defineTool({
    name: "refrakt.inspect",
    title: "Inspect a rune",
    description:
      'What a rune becomes: HTML, selectors, config, contract. An attribute set to "all" shows every value.',
    input: z.strictObject({
      rune: z.string().min(1),
      attributes: ATTRIBUTES,
      theme: z.string().optional(),
      items: z.int().min(1).max(50).optional().describe("Children of the example"),
      fields: z.array(
        z.enum(["html", "outline", "selectors", "warnings", "config", "editHints", "contract"]),
      ).min(1).optional().describe("All but outline by default"),
      site: SITE,
    }),
    output: INSPECTION,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    requires: ["site"],
    run: (input, call) => engine.ask("inspectRune", input, call),
  });
}
