/** `refrakt_render`: what a page or a piece of Markdoc becomes. */

import * as z from "zod";
import { defineTool, type Tool } from "../../../src/plugin/tool.ts";
import { siteEngine } from "../engine/lazy.ts";
import { DIAGNOSTIC } from "../engine/pages/read/diagnostics.ts";
import { READS_PAGES, SITE_NAME, WARNINGS } from "../fields.ts";

/** The number of checked addresses; `external` ones are not opened. */
const ADDRESS_COUNTS = z.object({
  checked: z.int(),
  broken: z.int(),
  external: z.int().optional(),
});

const RENDERED = z.object({
  path: z.string().optional(),
  url: z.string().optional().describe("Absent for a layout or partial"),
  kind: z.enum(["layout", "partial"]).optional(),
  title: z.string().nullable().optional(),
  theme: z.string().optional(),
  links: ADDRESS_COUNTS,
  images: ADDRESS_COUNTS,
  headings: ADDRESS_COUNTS,
  diagnostics: z.array(DIAGNOSTIC),
  missing: z.array(z.object({ line: z.int(), text: z.string() })).optional(),
  outline: z.string().nullable().optional(),
  html: z.string().nullable().optional(),
  text: z.string().nullable().optional(),
  leftOut: z.array(z.string()).optional().describe(
    "What the page lacks here, besides layout regions and syntax highlighting",
  ),
  warnings: WARNINGS,
});

export const renderTool: Tool = defineTool({
  name: "refrakt_render",
  listed: { rank: 5 },
  title: "Render a page",
  description: "Renders a page, or unsaved Markdoc, and reports mistakes by line.",
  input: z.strictObject({
    path: z.string().optional().describe("A page"),
    source: z.string().optional().describe("Markdoc, for the page or alone"),
    text: z.string().optional().describe("A file, or Markdown: says what of it the page lacks"),
    format: z.enum(["outline", "html", "text"]).optional().describe("outline by default"),
    theme: z.string().optional().describe('"base" or a package'),
    site: SITE_NAME,
  }),
  output: RENDERED,
  ...READS_PAGES,
  run: async (input, call) => await (await siteEngine()).renderPage(input, call),
});
