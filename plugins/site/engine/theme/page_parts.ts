/**
 * What a site adds to the content of a page: the layout around it, the CSS of its tokens, the
 * highlighting of code, and behaviours (tabs, menus, copy buttons).
 */

import { posix } from "node:path";
import { RefraktError } from "../../../../src/errors.ts";
import { asObject, textsOf } from "../../../../src/io/json.ts";
import { importVersion } from "../../../../src/packages/load.ts";
import { installedCopy, packageFacts } from "../../../../src/packages/manifests.ts";
import { contentVersion, lockstepVersion } from "../upstream/package_versions.ts";
import type { ContentModule } from "../upstream/shapes.ts";
import type { SiteContext } from "../upstream/site.ts";
import { entryOf, packageSource, stylesVersion } from "./style_source.ts";
import {
  BASE_THEME,
  isPath,
  loadPreset,
  themeExports,
  themeManifest,
  tintPresets,
} from "./theme.ts";

/** The layout of a page, by the site's rules; `undefined` if the theme has none. */
export async function layoutOf(site: SiteContext, theme: string, url: string): Promise<unknown> {
  const { upstream: { transform }, site: { raw } } = site;
  let layouts = await themeLayouts(site, theme);
  if (Object.keys(layouts).length === 0) {
    const { defaultLayout, docsLayout, blogArticleLayout } = transform;
    layouts = { default: defaultLayout, docs: docsLayout, "blog-article": blogArticleLayout };
  }
  const rules = raw["routeRules"] ??
    asObject((await themeManifest(site, theme))?.value)["routeRules"];
  const name = transform.matchRouteRule(url, rules ?? []);
  const layout = Object.hasOwn(layouts, name) ? layouts[name] : layouts["default"];
  if (layout === undefined || raw["search"] !== false) return layout;
  return transform.withoutSearchLayout?.(layout) ?? layout;
}

/** The layouts that a theme exports, by name. */
export async function themeLayouts(
  site: SiteContext,
  theme: string,
): Promise<Record<string, unknown>> {
  if (theme === BASE_THEME) return {};
  if (isPath(theme)) return asObject((await themeExports(site, theme))["layouts"]);
  const version = stylesVersion(site, theme);
  return version === undefined
    ? {}
    : asObject((await importVersion(version, "layouts"))["layouts"]);
}

/**
 * Returns the CSS of a site's presets, tokens and modes, as a build appends it to the theme.
 *
 * @throws {RefraktError} If a preset cannot be loaded, or the tokens are invalid.
 */
export async function siteTokens(context: SiteContext): Promise<string> {
  const { upstream: { transform }, site: { raw } } = context;
  if (typeof raw["theme"] === "string") return "";
  const { presets, tokens, modes } = asObject(raw["theme"]);
  const tints = asObject(raw["tints"]);
  const names = textsOf(presets);
  const all = await tintPresets(context);
  const loaded = await Promise.all(names.map((name) => loadPreset(context, name)));
  const parts: string[] = [];
  if (names.length > 0 || tokens !== undefined || modes !== undefined) {
    const settings = modes === undefined ? asObject(tokens) : { ...asObject(tokens), modes };
    const merged = transform.mergeThemeTokensConfigs?.(...loaded, settings);
    const { valid = true, errors = [] } = transform.validateThemeTokensConfig?.(merged) ?? {};
    if (!valid) {
      const message = `The site's tokens are invalid: ${errors[0]?.path} ${errors[0]?.message}`;
      throw new RefraktError("CONFIG_INVALID", message, {
        hint: 'Change "tokens", "modes" or "presets" of the theme in refrakt.config.json.',
      });
    }
    parts.push(transform.generateThemeStylesheet?.(merged) ?? "");
  }
  for (const [index, name] of names.entries()) all[name] ??= loaded[index];
  if (Object.keys(tints).length > 0 && Object.keys(all).length > 0) {
    parts.push(transform.generateScopedTintStylesheet?.(tints, all) ?? "");
  }
  return parts.filter((part) => part !== "").join("\n");
}

/** Highlights the code blocks of a serialized tree; `css` has its colours. */
export interface Highlighter {
  (tree: unknown): unknown;
  readonly css?: string;
}

const HIGHLIGHT = "@refrakt-md/highlight";

/** Returns the site's highlighter; `undefined` if the project does not have the package. */
export function highlighterOf(site: SiteContext): Promise<Highlighter | undefined> {
  return site.memo([site, "highlighter"], async () => {
    if (!hasPackage(site, HIGHLIGHT)) return undefined;
    const { project } = site;
    const [{ createHighlightTransform }, content] = await Promise.all([
      importVersion<{ createHighlightTransform(options: object): Promise<Highlighter> }>(
        lockstepVersion(project, HIGHLIGHT),
      ),
      importVersion<ContentModule>(contentVersion(project)),
    ]);
    return await createHighlightTransform(content.buildHighlightOptions?.(site.site.raw) ?? {});
  });
}

/** Whether a package is installed or declared. */
export function hasPackage({ project }: SiteContext, name: string): boolean {
  return installedCopy(project, name) !== undefined ||
    packageFacts(project).declared.some((each) => each.name === name);
}

export const BEHAVIORS = "@refrakt-md/behaviors";

/**
 * Returns the address of the behaviours' main module in a preview, without loading it; `undefined`
 * if the project does not have the package.
 */
export async function behaviorsModule(site: SiteContext): Promise<string | undefined> {
  if (!hasPackage(site, BEHAVIORS)) return undefined;
  const source = await packageSource(site, BEHAVIORS, true);
  const main = source && await entryOf(source, "", ".js");
  if (main !== undefined) return posix.join(source!.address, main);
  throw new RefraktError("PLUGIN_LOAD_FAILED", `${BEHAVIORS} has no readable main module`);
}
