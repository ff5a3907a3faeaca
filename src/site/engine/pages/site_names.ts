/**
 * Names that the theme and the site's config give: icons, tints, backgrounds, layouts.
 *
 * @module
 */

import { asObject } from "../../../io/json.ts";
import { importVersion } from "../../../npm/load.ts";
import { packageVersion } from "../../../npm/versions.ts";
import { createMemo } from "../memo.ts";
import type { ThemeConfig } from "../shapes.ts";
import type { SiteContext } from "../site.ts";
import { isPath, siteTheme, themeConfig, themeManifest } from "../theme.ts";

/** The names that pages may use; a kind that nobody can tell is absent. */
export interface SiteNames {
  /** Icons: `rocket`, `hint/warning`. */
  readonly icon?: ReadonlySet<string>;
  /** Tints. */
  readonly tint?: ReadonlySet<string>;
  /** Backgrounds. */
  readonly background?: ReadonlySet<string>;
  /** Layouts. */
  readonly layout?: ReadonlySet<string>;
}

const known = createMemo<SiteContext, Promise<SiteNames>>();

/** The names of a site; empty where its theme cannot be loaded. */
export function siteNames(site: SiteContext): Promise<SiteNames> {
  return known(site, async () => {
    const theme = siteTheme(site);
    if (theme === undefined) return {};
    try {
      const config = await themeConfig(site, theme);
      return {
        icon: new Set(iconNames(site, config)),
        tint: new Set([...Object.keys(asObject(config["tints"])), ...ownKeys(site, "tints")]),
        background: new Set([
          ...Object.keys(asObject(config["backgrounds"])),
          ...ownKeys(site, "backgrounds"),
        ]),
        ...await layoutsOf(site, theme),
      };
    } catch {
      // Rendering says why the theme cannot be loaded.
      return {};
    }
  });
}

function iconNames(site: SiteContext, config: ThemeConfig): string[] {
  const groups = { ...asObject(site.merged?.themeIcons), ...asObject(config["icons"]) };
  return [
    ...ownKeys(site, "icons"),
    ...Object.entries(groups).flatMap(([group, icons]) =>
      Object.keys(asObject(icons)).map((name) => group === "global" ? name : `${group}/${name}`)
    ),
  ];
}

function ownKeys({ site }: SiteContext, field: string): string[] {
  return Object.keys(asObject(site.raw[field]));
}

async function layoutsOf(site: SiteContext, theme: string): Promise<Pick<SiteNames, "layout">> {
  const { routeRules } = site.site.raw;
  const rules = Array.isArray(routeRules) ? routeRules.map((rule) => asObject(rule)["layout"]) : [];
  const manifest = await themeManifest(site, theme).catch(() => undefined);
  const module = isPath(theme)
    ? {}
    : await importVersion<Record<string, unknown>>(packageVersion(site.project, theme), "layouts")
      .catch(() => ({}));
  const names = [
    ...Object.keys(asObject(asObject(manifest?.manifest)["layouts"])),
    ...Object.keys(asObject(asObject(module)["layouts"])),
  ];
  if (names.length === 0) return {};
  return { layout: new Set([...names, ...rules.filter((name) => typeof name === "string")]) };
}
