/** The layouts of a theme: what stands around the content of a page. */

import { asObject } from "../../../../src/io/json.ts";
import { importVersion } from "../../../../src/packages/load.ts";
import type { SiteContext } from "../upstream/site.ts";
import { versionOf } from "./style_source.ts";
import { BASE_THEME, isPath, themeExports, themeManifest } from "./theme.ts";

/** The layout of a page, by the site's rules; `undefined` if the theme has none. */
export async function layoutOf(site: SiteContext, theme: string, url: string): Promise<unknown> {
  const { transform } = site.upstream;
  const layouts = await layoutsOf(site, theme);
  const rules = site.site.raw["routeRules"] ?? await manifestRules(site, theme) ?? [];
  const name = transform.matchRouteRule?.(url, rules) ?? "default";
  const layout = Object.hasOwn(layouts, name) ? layouts[name] : layouts["default"];
  const isSearched = site.site.raw["search"] !== false;
  return layout === undefined || isSearched
    ? layout
    : transform.withoutSearchLayout?.(layout) ?? layout;
}

async function layoutsOf(site: SiteContext, theme: string): Promise<Record<string, unknown>> {
  const themeLayouts = await ownLayouts(site, theme);
  if (Object.keys(themeLayouts).length > 0) return themeLayouts;
  const { transform } = site.upstream;
  return {
    default: transform.defaultLayout,
    docs: transform.docsLayout,
    "blog-article": transform.blogArticleLayout,
  };
}

/** The layouts that a theme exports, by name. */
export async function ownLayouts(
  site: SiteContext,
  theme: string,
): Promise<Record<string, unknown>> {
  if (theme === BASE_THEME) return {};
  if (isPath(theme)) return asObject((await themeExports(site, theme))["layouts"]);
  const version = versionOf(site, theme);
  if (version === undefined) return {};
  return asObject((await importVersion<Record<string, unknown>>(version, "layouts"))["layouts"]);
}

async function manifestRules(site: SiteContext, theme: string): Promise<unknown> {
  if (theme === BASE_THEME) return undefined;
  return asObject((await themeManifest(site, theme))?.manifest)["routeRules"];
}
