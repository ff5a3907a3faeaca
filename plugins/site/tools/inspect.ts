/** `refrakt_inspect`, `refrakt_inspect_list` and `refrakt_inspect_audit`: what runes render. */

import * as z from "zod";
import { defineTool, type Tool } from "../../../src/plugin/tool.ts";
import { siteEngine } from "../engine/lazy.ts";
import { ATTRIBUTES, READS, SITE_NAME, WARNINGS } from "../fields.ts";

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
  title: "Inspect a rune",
  description: 'HTML, selectors and contract of a rune; the attribute value "all" shows all.',
  input: z.strictObject({
    rune: z.string().min(1).describe("Its name"),
    attributes: ATTRIBUTES,
    theme: z.string().optional().describe('"base" or a package'),
    items: z.int().min(1).max(50).optional().describe("Children"),
    fields: z.array(
      z.enum(["html", "outline", "selectors", "warnings", "config", "editHints", "contract"]),
    ).optional().describe("Default: all but outline"),
    site: SITE_NAME,
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
  title: "List runes",
  description: "Every rune: name, aliases, package, description.",
  input: z.strictObject({
    site: SITE_NAME,
    variants: z.boolean().optional().describe("Attribute values"),
  }),
  output: LIST,
  ...READS,
  run: async (input, call) => await (await siteEngine()).listRunes(input, call),
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
  title: "Audit CSS coverage",
  description: "Which selectors of a rune the theme's CSS styles; without rune, counts of all.",
  input: z.strictObject({
    rune: z.string().optional().describe("Default: all"),
    only: z.literal("unstyled").optional().describe("Without CSS"),
    css: z.string().optional().describe("A CSS file"),
    detail: z.literal("full").optional().describe("All selectors"),
    site: SITE_NAME,
  }),
  output: AUDIT,
  ...READS,
  run: async (input, call) => await (await siteEngine()).auditStyles(input, call),
});
