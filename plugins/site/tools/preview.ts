/** The tools of `view preview`, not of clients: agents render pages with `refrakt_render`. */

import * as z from "zod";
import { defineTool, type Tool } from "../../../src/plugin/tool.ts";
import { siteEngine } from "../engine/lazy.ts";
import { READS_PAGES, SITE_NAME } from "../fields.ts";
import { folded } from "../engine/pages/read/diagnostics.ts";

export const previewTool: Tool = defineTool({
  name: "refrakt_preview",
  title: "Preview a page or a rune",
  description: "A page or a rune's example in the site's theme, for the view in a browser.",
  input: z.strictObject({
    path: z.string().optional().describe("A page"),
    rune: z.string().optional().describe("Or a rune's example"),
    seen: z.string().optional().describe("The revision that the view has"),
    site: SITE_NAME,
  }),
  ...READS_PAGES,
  run: async ({ seen, ...input }, call) => {
    const sites = call.project.site?.names ?? [];
    // The view has a menu of sites.
    const site = input.site ?? sites[0];
    const { preview, document, revision } = await (await siteEngine())
      .preview({ ...input, site }, call);
    const answer = { revision, sites, site };
    // The view has this revision already.
    if (revision === seen) return answer;
    return {
      ...answer,
      preview: { ...preview, diagnostics: folded(preview.diagnostics) },
      document,
    };
  },
});

/** A file of a previewed page, by its address below that of its site. */
export const previewFileTool: Tool = defineTool({
  name: "refrakt_preview_file",
  title: "A file of a previewed page",
  description: "A file that a previewed page loads.",
  input: z.strictObject({
    site: z.string().describe("Site name"),
    path: z.string().describe("A file"),
    root: z.string().describe("Its folder"),
  }),
  ...READS_PAGES,
  run: async (input, call) => ({ file: await (await siteEngine()).previewFile(input, call) }),
});
