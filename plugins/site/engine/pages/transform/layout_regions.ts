/** The regions and the tint that the `_layout.md` files around a page give it. */

import { posix } from "node:path";
import { orElse } from "../../../../../src/errors.ts";
import { asObject } from "../../../../../src/io/json.ts";
import type { LayoutFolder, LayoutRegion } from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";
import type { ParsedPage } from "../check/parse_page.ts";
import { type ContentFile, readPage } from "../read/content_files.ts";
import type { SitePages } from "./site_pages.ts";

/** The attributes of the document's root element. */
export interface Tint {
  readonly tint: string | null;
  /** `light` or `dark`; `null` leaves it to the reader. */
  readonly mode: string | null;
  /** Whether the reader cannot change it. */
  readonly locked: boolean;
}

/** The regions of a page by name, before references to other pages are resolved. */
export function regionsOf(
  site: SiteContext,
  pages: SitePages,
  { file: { relative } }: ParsedPage,
  icons: unknown,
): ReadonlyMap<string, LayoutRegion> {
  const root = layoutFolders(site, pages, relative);
  return pages.module.resolveLayouts?.({ relativePath: relative }, root, icons).regions ??
    new Map();
}

export function tintOf(site: SiteContext, pages: SitePages, page: ParsedPage): Tint {
  const { file: { relative }, frontmatter } = page;
  const { colorScheme } = asObject(site.site.raw["theme"]);
  const cascade = pages.module.resolveTintCascade?.(
    // JSON is YAML.
    { relativePath: relative, raw: `---\n${JSON.stringify(frontmatter)}\n---\n` },
    layoutFolders(site, pages, relative),
    { colorScheme },
  );
  if (cascade === undefined) return { tint: null, mode: null, locked: false };
  const { tint, tintMode, locked } = cascade;
  return {
    tint: typeof tint === "string" ? tint : null,
    mode: tintMode === "light" || tintMode === "dark" ? tintMode : null,
    locked,
  };
}

/** The folders from the content folder to the page's, as the packages read them. */
function layoutFolders(site: SiteContext, { content }: SitePages, relative: string): LayoutFolder {
  const folderAt = (way: string, rest: readonly string[]): LayoutFolder => {
    const path = posix.join(way, "_layout.md");
    const file = content.files.find((each) => each.kind === "layout" && each.relative === path);
    const raw = file && parsableText(site, file);
    const [next] = rest;
    return {
      name: posix.basename(way),
      ...(raw === undefined ? {} : { layout: { relativePath: path, raw } }),
      children: next === undefined ? [] : [folderAt(posix.join(way, next), rest.slice(1))],
    };
  };
  return folderAt("", relative.split("/").slice(0, -1));
}

/** The text of a layout; the check has a finding about one that is too hard to parse. */
function parsableText(site: SiteContext, file: ContentFile): string | undefined {
  const text = readPage(site, file);
  return orElse(() => {
    site.upstream.requireParsable(text);
    return text;
  }, undefined);
}
