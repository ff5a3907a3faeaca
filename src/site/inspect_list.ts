/**
 * `refrakt.inspect_list`: the runes of a site.
 *
 * @module
 */

import { z } from "zod";
import { defineTool, type Tool } from "../tools/tool.ts";
import type { SiteEngine } from "./engine/client.ts";
import { SITE, WARNINGS } from "./fields.ts";

/** What the tool answers. */
const LIST = z.object({
  runes: z.array(z.object({
    name: z.string(),
    aliases: z.array(z.string()),
    package: z.string(),
    description: z.string(),
    variants: z.record(z.string(), z.array(z.string())).optional(),
  })),
  universalVariants: z.record(z.string(), z.array(z.string())).optional(),
  warnings: WARNINGS,
});

/** Declares the tool. */
export function inspectListTool(engine: SiteEngine): Tool {
  return defineTool({
    name: "refrakt.inspect_list",
    title: "List runes",
    description: "Every rune of a site: name, aliases, package and description.",
    input: z.strictObject({
      site: SITE,
      variants: z.boolean().optional().describe("Also the values of enumerated attributes"),
    }),
    output: LIST,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    requires: ["site"],
    run: ({ site, variants = false }, call) => engine.ask("listRunes", { site, variants }, call),
  });
}
