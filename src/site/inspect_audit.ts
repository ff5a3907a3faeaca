/**
 * `refrakt.inspect_audit`: which of the selectors that a rune can have are styled.
 *
 * @module
 */

import { z } from "zod";
import { defineTool, type Tool } from "../tools/tool.ts";
import type { SiteEngine } from "./engine/client.ts";
import { SITE, WARNINGS } from "./fields.ts";

const COUNTS = {
  total: z.int(),
  styled: z.int(),
  unstyled: z.array(z.string()).optional(),
  selectors: z.record(
    z.string(),
    z.object({
      styled: z.boolean(),
      rules: z.array(z.string()).optional().describe("Every rule, as file:line"),
      alsoIn: z.array(z.string()).optional().describe("Other runes with the class"),
    }),
  ).optional(),
};

/** What the tool answers. */
const AUDIT = z.object({
  css: z.string().optional(),
  sheets: z.int().optional().describe("How many style sheets were read"),
  missing: z.array(z.string()).optional().describe("Imports that lead nowhere"),
  totalSelectors: z.int().optional(),
  styledSelectors: z.int().optional(),
  coverage: z.number(),
  shared: z.object(COUNTS).optional().describe("What every rune has, such as [data-elevation]"),
  runes: z.record(z.string(), z.object({ ...COUNTS, status: z.string() })),
  warnings: WARNINGS,
});

/** Declares the tool. */
export function inspectAuditTool(engine: SiteEngine): Tool {
  return defineTool({
    name: "refrakt.inspect_audit",
    title: "Audit CSS coverage",
    description:
      "Which of a rune's selectors the theme's CSS styles; without a rune, counts of all.",
    input: z.strictObject({
      rune: z.string().optional(),
      only: z.literal("unstyled").optional(),
      css: z.string().optional().describe("Other sheet or folder"),
      detail: z.literal("full").optional(),
      site: SITE,
    }),
    output: AUDIT,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    requires: ["site"],
    run: (input, call) => engine.ask("auditStyles", input, call),
  });
}
