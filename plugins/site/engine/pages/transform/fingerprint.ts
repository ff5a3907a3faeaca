/**
 * The fingerprint of what other pages see of a page: while it is the same, only the page itself is
 * processed again.
 */

import { FIRST_PARTY_SCOPE } from "../../../../../src/packages/names.ts";
import { visitElements } from "../../upstream/elements.ts";
import type { BuiltPage } from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";

export type Fingerprint = ReturnType<typeof fingerprintOf>;

/**
 * Computes the fingerprint of a page. As of 0.29, the core reads front matter, headings and drawers,
 * and refrakt's plugins read their own runes.
 */
export function fingerprintOf(site: SiteContext, page: BuiltPage) {
  /** What the hooks read. */
  const nodes: unknown[] = [];
  if (hasForeignPlugins(site)) nodes.push(page.renderable, page.frontmatter, page.headings);
  else {
    visitElements(page.renderable, (element) => {
      const rune = element.attributes["data-rune"];
      const isRead = rune === "drawer" ||
        typeof rune === "string" && !Object.hasOwn(site.upstream.runes.runes, rune);
      if (isRead) nodes.push(element);
      return !isRead;
    });
  }
  const { route, frontmatter, headings } = page;
  // Everything that the hooks over all pages see.
  return { nodes, whole: JSON.stringify([route, nodes, frontmatter, headings]) };
}

/** Whether the site has third-party plugins, whose hooks may read everything. */
export function hasForeignPlugins({ site }: SiteContext): boolean {
  return site.plugins.some((name) => !name.startsWith(FIRST_PARTY_SCOPE));
}
