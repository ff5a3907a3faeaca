/** `refrakt_preview`: a page or a rune in the theme of its site, for the preview view. */

import * as z from "zod";
import { withContent } from "../tools/result.ts";
import { defineTool, type Tool } from "../tools/tool.ts";
import { siteEngine } from "./engine/lazy.ts";
import type { PageDocument } from "./engine/methods/page_document.ts";
import type { RuneAttribute } from "./engine/methods/preview.ts";
import { DIAGNOSTIC } from "./engine/pages/read/diagnostics.ts";
import { ATTRIBUTES, READS_PAGES, SITE, WARNINGS } from "./fields.ts";

/** How much HTML the result itself contains, in characters. */
const SHOWN_HTML = 8_000;

/** The key of `_meta` with the whole HTML and CSS for views. */
export const PREVIEW_META = "refrakt/preview";

const VIEW = "ui://refrakt/preview";

/** The value under {@linkcode PREVIEW_META}. */
export interface PreviewAssets {
  /** Changes whenever anything else does. */
  readonly revision: string;
  /** The document; absent if it is the one that the view has, `null` if it cannot be rendered. */
  readonly document?: PageDocument | null;
  /** The source of a previewed rune's example. */
  readonly source?: string;
  /** The attributes of a previewed rune. */
  readonly attributes?: readonly RuneAttribute[];
  readonly choices: { readonly pages: readonly string[]; readonly runes: readonly string[] };
  readonly sites: readonly string[];
  readonly site: string | undefined;
}

const PREVIEW = z.object({
  kind: z.enum(["page", "rune"]),
  title: z.string().optional(),
  path: z.string().optional(),
  url: z.string().optional(),
  theme: z.string().optional(),
  diagnostics: z.array(DIAGNOSTIC),
  outline: z.string(),
  html: z.string().nullable().optional().describe(`The first ${SHOWN_HTML} characters`),
  htmlLength: z.int().optional(),
  cssLength: z.int().optional().describe(
    "0 if no CSS was found; assets returns the CSS",
  ),
  cssCut: z.boolean().optional(),
  elements: z.array(z.object({ selector: z.string(), rune: z.string(), name: z.string() }))
    .optional().describe("The contract's name of each element"),
  leftOut: z.array(z.string()).optional(),
  warnings: WARNINGS,
});

export const previewTool: Tool = defineTool({
  name: "refrakt_preview",
  title: "Preview a page or a rune",
  description: "Shows a page, Markdoc or a rune's example in the site's theme. To check what you " +
    "wrote, use refrakt_render.",
  input: z.strictObject({
    path: z.string().optional(),
    source: z.string().optional(),
    rune: z.string().optional(),
    attributes: ATTRIBUTES,
    theme: z.string().optional(),
    assets: z.boolean().optional().describe(
      `For views: the document in _meta["${PREVIEW_META}"]`,
    ),
    seen: z.string().optional().describe("The revision that the view has"),
    site: SITE,
  }),
  output: PREVIEW,
  ...READS_PAGES,
  _meta: { ui: { resourceUri: VIEW }, "ui/resourceUri": VIEW },
  listed: { to: "views" },
  run: async ({ assets = false, seen, ...input }, call) => {
    const sites = call.project.site?.names ?? [];
    // A view has a menu of sites; a model must name one.
    const site = input.site ?? (assets ? sites[0] : undefined);
    const answer = await (await siteEngine())
      .preview({ ...input, site, choices: assets }, call);
    const { data: { html, ...preview }, whole, source, attributes, choices } = answer;
    const data = {
      ...preview,
      html: html === null ? null : html.slice(0, SHOWN_HTML),
      htmlLength: html?.length ?? 0,
      cssLength: whole?.css.length ?? 0,
      cssCut: whole?.cssCut ?? false,
    };
    if (!assets) return data;
    const document = whole ?? null;
    const revision = await answer.revision();
    const shown: PreviewAssets = {
      revision,
      ...(revision === seen ? {} : { document }),
      ...(source === undefined ? {} : { source }),
      ...(attributes === undefined ? {} : { attributes }),
      choices: choices ?? { pages: [], runes: [] },
      sites,
      site,
    };
    return withContent([{ type: "text", text: JSON.stringify(data) }], data, {
      [PREVIEW_META]: shown,
    });
  },
});
