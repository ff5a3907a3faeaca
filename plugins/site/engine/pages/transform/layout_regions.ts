/** The regions and the tint that the `_layout.md` files around a page give it. */

import { posix } from "node:path";
import { orElse } from "../../../../../src/errors.ts";
import { asObject, textOf } from "../../../../../src/io/json.ts";
import type { LayoutFolder, LayoutRegion } from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";
import type { ParsedPage } from "../check/parse_page.ts";
import { readPage } from "../read/content_files.ts";
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
  const { tint, tintMode = "", locked = false } = cascade ?? {};
  const mode = ["light", "dark"].includes(tintMode) ? tintMode : null;
  return { tint: textOf(tint) ?? null, mode, locked };
}

/** The folders from the content folder to the page's, as the packages read them. */
function layoutFolders(site: SiteContext, { content }: SitePages, relative: string): LayoutFolder {
  const folderAt = (way: string, [next, ...rest]: readonly string[]): LayoutFolder => {
    const path = posix.join(way, "_layout.md");
    const children = next === undefined ? [] : [folderAt(posix.join(way, next), rest)];
    const folder = { name: posix.basename(way), children };
    const file = content.files.find((each) => each.kind === "layout" && each.relative === path);
    const raw = file && readPage(site, file);
    // The check has a finding about a layout that is too hard to parse.
    return raw !== undefined && isParsable(site, raw)
      ? { ...folder, layout: { relativePath: path, raw } }
      : folder;
  };
  return folderAt("", relative.split("/").slice(0, -1));
}

function isParsable({ upstream }: SiteContext, text: string): boolean {
  return orElse(() => (upstream.requireParsable(text), true), false);
}
