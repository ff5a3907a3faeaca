/** Loads the configuration and the manifest of a theme. */

import { quotedName } from "../../../../src/plain_text.ts";
import { dirname, isAbsolute, join } from "node:path";
import { messageOf, RefraktError } from "../../../../src/errors.ts";
import { statIfExists } from "../../../../src/io/files.ts";
import { asObject, defined, parseJsonc, textOf, textsOf } from "../../../../src/io/json.ts";
import { resolveInside } from "../../../../src/io/paths.ts";
import { readIfExists, readInside } from "../../../../src/io/read.ts";
import { importVersion } from "../../../../src/packages/load.ts";
import { isPackageName } from "../../../../src/packages/names.ts";
import { packageVersion } from "../../../../src/packages/versions.ts";
import { parseJson } from "./json_files.ts";
import { notLoaded } from "../upstream/load_plugin.ts";
import { importLocal } from "../upstream/local_modules.ts";
import { noteFailure } from "../upstream/site_cache.ts";
import type { ThemeConfig } from "../upstream/shapes.ts";
import type { SiteContext } from "../upstream/site.ts";
import { folderSource, packageSource, readText, type StyleSource } from "./style_source.ts";

export const BASE_THEME = "base";

/** The theme in the site's config: a package or a path. */
export function siteTheme({ site }: Pick<SiteContext, "site">): string | undefined {
  const theme = site.raw["theme"];
  const name = typeof theme === "string" ? theme : asObject(theme)["package"];
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** The configuration of core, plugins and theme. */
export async function themeConfig(context: SiteContext, theme: string): Promise<ThemeConfig> {
  if (theme === BASE_THEME) return context.config;
  const load = () => themeExports(context, theme);
  const exports = await context.memo([context, "exports of the theme", theme], load);
  const config = [exports["themeConfig"], exports["config"], exports["default"]]
    .concat(Object.values(exports)).find(isThemeConfig);
  if (config === undefined) {
    const message = `Theme ${quotedName(theme)} exports no theme configuration`;
    throw new RefraktError("PLUGIN_LOAD_FAILED", message, {
      hint: "Export an object with a prefix and runes, for example as themeConfig.",
    });
  }
  const presets = await tintPresets(context);
  const key = [context, config, "theme", theme, JSON.stringify(presets)];
  return context.memo(key, () => assembledWith(context, config, presets));
}

/** The icons of a theme and of the site, by group and name, as the build passes them to pages. */
export function iconsOf(context: SiteContext, config: ThemeConfig): Record<string, unknown> {
  return context.memo([context, config, "icons"], () => {
    const icons = asObject(config["icons"]);
    const ofSite = asObject(context.site.raw["icons"]);
    return { ...icons, global: { ...asObject(icons["global"]), ...ofSite } };
  });
}

/** The site's theme, or none if it cannot be loaded. */
export async function ownTheme(
  site: SiteContext,
): Promise<{ readonly theme: string; readonly config: ThemeConfig; readonly problem?: string }> {
  const theme = siteTheme(site) ?? BASE_THEME;
  try {
    return { theme, config: await themeConfig(site, theme) };
  } catch (error) {
    noteFailure(error);
    return { theme: BASE_THEME, config: site.config, problem: messageOf(error) };
  }
}

export async function themeFiles(
  context: SiteContext,
  theme: string,
): Promise<StyleSource | undefined> {
  if (theme === BASE_THEME) return undefined;
  if (!isPath(theme)) return isPackageName(theme) ? await packageSource(context, theme) : undefined;
  const base = resolveInside(context.project.cwd, theme, "The theme");
  const dir = statIfExists(base)?.isFile ? dirname(base) : base;
  return statIfExists(dir)?.isDirectory ? folderSource(context, dir) : undefined;
}

export async function themeManifest(context: SiteContext, theme: string) {
  const files = await themeFiles(context, theme);
  const text = files && await readText(files, "manifest.json");
  if (files === undefined || typeof text !== "string") return undefined;
  const source = `${files.displayName}/manifest.json`;
  return { source, value: parseJson(text, source) };
}

export function isPath(theme: string): boolean {
  return theme.startsWith(".") || isAbsolute(theme);
}

/**
 * Throws for a path that the site's config does not name: a caller must not choose which module of
 * the project runs.
 */
export function requireNamed(context: SiteContext, path: string, subject: string): void {
  const { cwd } = context.project;
  const theme = siteTheme(context);
  const real = resolveInside(cwd, path, subject);
  // The import reports the missing file.
  if (statIfExists(real) === null) return;
  if (theme !== undefined && isPath(theme) && resolveInside(cwd, theme, subject) === real) return;
  const message = `${subject} is a module that is not in the config: ${quotedName(path)}`;
  throw new RefraktError("PERMISSION_DENIED", message, {
    hint: `Modules of the project only run if they are in refrakt.config.json: set "theme" ` +
      `of site ${quotedName(context.site.name)} to it, or give a package or a JSON file.`,
  });
}

/** The exports of a theme's module for the transform. */
export async function themeExports(
  context: SiteContext,
  theme: string,
): Promise<Record<string, unknown>> {
  if (isPath(theme)) {
    requireNamed(context, theme, "The theme");
    const module = moduleOf(context, theme);
    return { ...(await importLocal(context.project, module, "The theme")).exports };
  }
  // Only packages of the project are loaded.
  const version = packageVersion(context.project, theme);
  try {
    return await importVersion(version, "transform");
  } catch (error) {
    const hint = "Omit theme to see the structure without one.";
    throw notLoaded(`Theme ${quotedName(theme)}`, error, hint, { theme });
  }
}

/** The module with a theme's configuration: the path itself, or what its package exports. */
function moduleOf({ project }: SiteContext, theme: string): string {
  const dir = resolveInside(project.cwd, theme, "The theme");
  if (!statIfExists(dir)?.isDirectory) return theme;
  const manifest = asObject(parseJsonc(readIfExists(dir, "package.json", "manifest") ?? "{}"));
  const exported = asObject(manifest["exports"])["./transform"];
  const built = textOf(asObject(exported)["default"]) ?? textOf(exported);
  const module = built === undefined ? undefined : join(theme, built);
  const isThere = module && statIfExists(resolveInside(project.cwd, module))?.isFile;
  return isThere ? module : join(theme, "src/config");
}

/** Assembles as a site build does: the theme replaces the core, with the plugins on top. */
function assembledWith(
  { merged, upstream, site: { raw } }: SiteContext,
  theme: ThemeConfig,
  presetMap: Readonly<Record<string, unknown>>,
): ThemeConfig {
  const { tints, backgrounds } = raw;
  const overrides = defined({ tints, backgrounds });
  return upstream.transform.assembleThemeConfig({
    coreConfig: theme,
    themeOverrides: Object.keys(overrides).length > 0 ? overrides : undefined,
    pluginRunes: merged?.themeRunes,
    pluginIcons: merged?.themeIcons,
    pluginBackgrounds: merged?.themeBackgrounds,
    extensions: merged?.extensions,
    provenance: merged?.provenance,
    presetMap,
  }).config;
}

function isThemeConfig(value: unknown): value is ThemeConfig {
  const { prefix, runes } = asObject(value);
  return typeof prefix === "string" && typeof runes === "object" && runes !== null;
}

/** Loads the presets that the site's tints extend, by specifier. */
export async function tintPresets(context: SiteContext): Promise<Record<string, unknown>> {
  const tints = Object.values(asObject(context.site.raw["tints"])).map(asObject);
  const specifiers = textsOf(tints.map((tint) => tint["extends"]))
    .filter((specifier) => /^[@./]/.test(specifier));
  const load = async (specifier: string) => {
    const make = () => loadPreset(context, specifier);
    return [specifier, await context.memo([context, "preset", specifier], make)] as const;
  };
  return Object.fromEntries(await Promise.all(specifiers.map(load)));
}

/** Loads a preset: a module or a JSON file, of a package or of the project. */
export async function loadPreset({ project }: SiteContext, specifier: string): Promise<unknown> {
  const subject = `Preset ${quotedName(specifier)}`;
  if (specifier.startsWith(".") || isAbsolute(specifier)) {
    if (specifier.endsWith(".json")) {
      return parseJson(readInside(project.cwd, specifier, "config"), specifier);
    }
    return presetIn((await importLocal(project, specifier, subject)).exports, subject);
  }
  const [, name, subpath] = /^(@[^/]+\/[^/]+)\/(.+)$/.exec(specifier) ?? [];
  if (name === undefined || subpath === undefined) {
    const message = `${subject} is neither a file nor an export of a package`;
    throw new RefraktError("CONFIG_INVALID", message, {
      hint: 'Valid examples: "@refrakt-md/lumina/presets/nord", "./presets/mine.js".',
    });
  }
  try {
    return presetIn(await importVersion(packageVersion(project, name), subpath), subject);
  } catch (error) {
    throw notLoaded(subject, error, `Install ${name}, or change "tints" in refrakt.config.json.`);
  }
}

function presetIn(exports: Readonly<Record<string, unknown>>, subject: string): unknown {
  const preset = exports["default"] ?? exports["config"];
  if (typeof preset === "object" && preset !== null) return preset;
  throw new RefraktError("PLUGIN_LOAD_FAILED", `${subject} exports no preset`, {
    hint: "Export the tokens as the default export.",
  });
}
