/** `refrakt.pages`: finds, counts and groups pages. */

import * as z from "zod";
import { defineTool, type Tool } from "../tools/tool.ts";
import { siteEngine } from "./engine/lazy.ts";
import { READS, SEVERAL, SITE, startOf, WARNINGS } from "./fields.ts";

const PAGES = z.object({
  total: z.int(),
  uses: z.int().optional().describe("Total uses of these runes"),
  items: z.array(z.looseObject({
    path: z.string(),
    url: z.string().optional(),
    title: z.string().nullable(),
    kind: z.enum(["layout", "partial"]).optional().describe("Absent for a page"),
    uses: z.int().optional(),
    lines: z.array(z.int()).optional().describe("Lines that link to the target"),
    snippet: z.string().optional(),
  })).optional(),
  groups: z.array(z.object({ key: z.string(), count: z.int(), uses: z.int().optional() }))
    .optional(),
  nextCursor: z.string().optional(),
  warnings: WARNINGS,
});

export const pagesTool: Tool = defineTool({
  name: "refrakt.pages",
  // refrakt.query replaces it.
  listed: { to: "none" },
  title: "Query pages",
  description: "Finds, counts and groups pages by runes, missing front matter, words, links.",
  input: z.strictObject({
    rune: SEVERAL,
    layout: SEVERAL,
    text: z.string().optional(),
    missing: SEVERAL.describe("Such as description"),
    linksTo: z.string().optional().describe("Page, address, partial or image"),
    fields: SEVERAL.describe("Front matter, layout, runes, words, linkedFrom, headings"),
    groupBy: z.string().optional().describe("rune, folder or a field"),
    sort: z.string().optional().describe('As "-words,title"'),
    limit: z.int().min(1).max(1000).optional(),
    cursor: z.string().optional(),
    site: SITE,
  }),
  output: PAGES,
  ...READS,
  run: async ({ cursor, ...query }, call) =>
    await (await siteEngine()).queryPages(
      { ...query, start: startOf(cursor, "refrakt.pages") },
      call,
    ),
});
