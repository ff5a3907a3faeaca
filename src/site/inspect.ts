/** `refrakt_inspect`, `refrakt_inspect_list` and `refrakt_inspect_audit`: what runes render. */

import * as z from "zod";
import { defineTool, type Tool } from "../tools/tool.ts";
import { siteEngine } from "./engine/lazy.ts";
import { ATTRIBUTES, READS, SITE, WARNINGS } from "./fields.ts";

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

export const inspectTool: Tool = defineTool({
  name: "refrakt_inspect",
  listed: { group: "theme" },
  title: "Inspect a rune",
  description:
    'Renders the example of a rune: HTML, selectors, config, contract. Attribute value "all" shows every value.',
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
  ...READS,
  run: async (input, call) => await (await siteEngine()).inspectRune(input, call),
});

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

export const inspectListTool: Tool = defineTool({
  name: "refrakt_inspect_list",
  // refrakt_query lists runes too.
  listed: { to: "none" },
  title: "List runes",
  description: "Every rune of a site: name, aliases, package and description.",
  input: z.strictObject({
    site: SITE,
    variants: z.boolean().optional().describe("Also the values of enumerated attributes"),
  }),
  output: LIST,
  ...READS,
  run: async ({ site, variants = false }, call) =>
    await (await siteEngine()).listRunes({ site, variants }, call),
});

const COUNTS = {
  total: z.int(),
  styled: z.int(),
  unstyled: z.array(z.string()).optional(),
  selectors: z.record(
    z.string(),
    z.object({
      styled: z.boolean(),
      rules: z.array(z.string()).optional().describe("Every rule, as file:line,line"),
      alsoIn: z.array(z.string()).optional().describe("Other runes with the class"),
    }),
  ).optional(),
};

const AUDIT = z.object({
  css: z.string().optional(),
  sheets: z.int().optional().describe("How many style sheets were read"),
  missing: z.array(z.string()).optional().describe("Imports that were not found"),
  totalSelectors: z.int().optional(),
  styledSelectors: z.int().optional(),
  coverage: z.number(),
  shared: z.object(COUNTS).optional().describe("Selectors of every rune, such as [data-elevation]"),
  runes: z.record(z.string(), z.object({ ...COUNTS, status: z.string() })),
  warnings: WARNINGS,
});

export const inspectAuditTool: Tool = defineTool({
  name: "refrakt_inspect_audit",
  listed: { group: "theme" },
  title: "Audit CSS coverage",
  description: "Which of a rune's selectors the theme's CSS styles; without a rune, counts of all.",
  input: z.strictObject({
    rune: z.string().optional(),
    only: z.literal("unstyled").optional(),
    css: z.string().optional().describe("Other sheet or folder"),
    detail: z.literal("full").optional().describe("Also selectors that every rune has"),
    site: SITE,
  }),
  output: AUDIT,
  ...READS,
  run: async (input, call) => await (await siteEngine()).auditStyles(input, call),
});
