/** The layouts of a theme: what stands around the content of a page. */

import { asObject } from "../../../io/json.ts";
import { importVersion } from "../../../npm/load.ts";
import { createMemo, type SiteContext } from "../upstream/site.ts";
import { versionOf } from "./style_source.ts";
import { BASE_THEME, isPath, themeExports, themeManifest } from "./theme.ts";

const known = createMemo<SiteContext, Map<string, Record<string, unknown>>>();

/** The layout of a page, by the site's rules; `undefined` if the theme has none. */
export async function layoutOf(site: SiteContext, theme: string, url: string): Promise<unknown> {
  const { transform } = site.upstream;
  const layouts = await layoutsOf(site, theme);
  const rules = site.site.raw["routeRules"] ?? await manifestRules(site, theme) ?? [];
  const name = transform.matchRouteRule?.(url, rules) ?? "default";
  const found = Object.hasOwn(layouts, name) ? layouts[name] : layouts["default"];
  const isSearched = site.site.raw["search"] !== false;
  return found === undefined || isSearched
    ? found
    : transform.withoutSearchLayout?.(found) ?? found;
}

async function layoutsOf(site: SiteContext, theme: string): Promise<Record<string, unknown>> {
  const all = known(site, () => new Map());
  const before = all.get(theme);
  // Only a theme in the project can change.
  if (before !== undefined && !isPath(theme)) return before;
  const { transform } = site.upstream;
  const standard = {
    default: transform.defaultLayout,
    docs: transform.docsLayout,
    "blog-article": transform.blogArticleLayout,
  };
  const own = asObject((await exportsOf(site, theme))["layouts"]);
  const layouts = Object.keys(own).length > 0 ? own : standard;
  all.set(theme, layouts);
  return layouts;
}

async function exportsOf(site: SiteContext, theme: string): Promise<Record<string, unknown>> {
  if (theme === BASE_THEME) return {};
  if (isPath(theme)) return await themeExports(site, theme);
  const version = versionOf(site, theme);
  return version === undefined ? {} : await importVersion(version, "layouts");
}

async function manifestRules(site: SiteContext, theme: string): Promise<unknown> {
  if (theme === BASE_THEME) return undefined;
  return asObject((await themeManifest(site, theme))?.manifest)["routeRules"];
}
