/**
 * Assembles a site: its packages' runes, local runes and aliases, and the configuration of the
 * identity transform.
 */

import { quotedName } from "../../../../src/plain_text.ts";
import { resolve } from "node:path";
import { messageOf, RefraktError } from "../../../../src/errors.ts";
import { asObject } from "../../../../src/io/json.ts";
import { fileStamp } from "../../../../src/io/stamp.ts";
import type { Project } from "../../../../src/plugin/project.ts";
import type { SiteConfig } from "../../../../src/plugin/project.ts";
import { Kept } from "./site_values.ts";
import { loadPlugin, notLoaded } from "./load_plugin.ts";
import { importLocal } from "./local_modules.ts";
import type {
  LoadedPlugin,
  MarkdocSchema,
  MergedPlugins,
  Rune,
  RunesModule,
  ThemeConfig,
} from "./shapes.ts";
import type { SiteContext } from "./site.ts";
import { loadUpstream, type Upstream } from "./upstream.ts";
import { upstreamVersions } from "./package_versions.ts";

/**
 * Assembles a site. Plugins and local runes that cannot be loaded are skipped and listed in `failures`.
 */
export async function assemble(project: Project, site: SiteConfig): Promise<SiteContext> {
  const upstream = await loadUpstream(upstreamVersions(project));
  const { runes: core } = upstream;
  const settings = asObject(site.raw["runes"]);
  const plugins = await mergePlugins(project, site, upstream, settings["prefer"]);
  const local = await loadLocalRunes(project, site, core);
  const failures = [...plugins.failures, ...local.failures];
  const { merged } = plugins;
  const runes: Record<string, Rune> = { ...core.runes, ...merged?.runes, ...local.runes };
  let tags: Readonly<Record<string, MarkdocSchema>> = {
    ...core.tags,
    ...merged?.tags,
    ...core.runeTagMap(local.runes),
  };
  const aliases = aliasEntries(settings["aliases"]);
  if (Object.keys(aliases).length > 0) {
    const usable = failures.length === 0
      ? aliases
      : Object.fromEntries(Object.entries(aliases).filter(([, to]) => Object.hasOwn(runes, to)));
    const before = tags;
    tags = configured(() =>
      core.applyAliases(runes, before, usable, merged?.provenance ?? {}).tags
    );
  }
  return {
    project,
    site,
    upstream,
    runes,
    names: nameIndex(runes, aliases),
    aliases: Map.groupBy(Object.keys(aliases), (alias) => aliases[alias]!),
    tags,
    fixtures: merged?.fixtures ?? {},
    source: Object.fromEntries(
      Object.keys(runes).map((name) => [
        name,
        Object.hasOwn(local.runes, name) ? "local" : plugins.owners.get(name) ?? "core",
      ]),
    ),
    merged,
    config: assembledConfig(upstream, merged, site),
    kept: new Kept(),
    files: local.files,
    failures,
  };
}

interface Plugins {
  /** `undefined` if the site has no plugins. */
  readonly merged: MergedPlugins | undefined;
  readonly owners: ReadonlyMap<string, string>;
  readonly failures: readonly RefraktError[];
}

async function mergePlugins(
  project: Project,
  site: SiteConfig,
  upstream: Upstream,
  prefer: unknown,
): Promise<Plugins> {
  const names = [...new Set(site.plugins)];
  const failures: RefraktError[] = [];
  const owners = new Map<string, string>();
  if (names.length === 0) return { merged: undefined, owners, failures };
  const settled = await Promise.allSettled(
    names.map((name) => loadPlugin(project, name, upstream.runes)),
  );
  const loaded: LoadedPlugin[] = [];
  for (const result of settled) {
    if (result.status === "fulfilled") loaded.push(result.value);
    else if (result.reason instanceof RefraktError) failures.push(result.reason);
    else throw result.reason;
  }
  const coreNames = new Set(Object.keys(upstream.runes.runes));
  const merged = configured(() => upstream.runes.mergePlugins(loaded, coreNames, prefer));
  for (const plugin of loaded) {
    for (const name of Object.keys(plugin.runes)) {
      // If several plugins define a rune, the merge chose one.
      if (merged.runes[name] === plugin.runes[name]) owners.set(name, plugin.npmName);
    }
  }
  return { merged, owners, failures };
}

function assembledConfig(
  { runes: core, transform }: Upstream,
  merged: MergedPlugins | undefined,
  site: SiteConfig,
): ThemeConfig {
  const { baseConfig, coreTranslations } = core;
  const translated = transform.extractI18nKeys !== undefined;
  // Caches belong to the configuration of one site.
  if (merged === undefined && !translated) return { ...baseConfig };
  return configured(() =>
    transform.assembleThemeConfig({
      coreConfig: baseConfig,
      pluginRunes: merged?.themeRunes,
      pluginIcons: merged?.themeIcons,
      pluginBackgrounds: merged?.themeBackgrounds,
      provenance: merged?.provenance,
      ...(translated
        ? {
          locale: site.raw["locale"],
          strings: site.raw["strings"],
          pluginTranslations: merged?.translations,
          coreTranslations,
        }
        : {}),
    }).config
  );
}

/** Runs a merge of the packages. Its errors are errors of the config. */
function configured<Value>(merge: () => Value): Value {
  try {
    return merge();
  } catch (error) {
    const [first, ...rest] = messageOf(error).split("\n").map((line) => line.trim())
      .filter((line) => line !== "");
    const message = (first ?? "The runes cannot be merged").replace(/\.$/, "");
    throw new RefraktError("CONFIG_INVALID", message, {
      hint: rest.length === 0 ? 'Change "runes" in refrakt.config.json.' : rest.join(" "),
      cause: error,
    });
  }
}

function nameIndex(
  runes: Readonly<Record<string, Rune>>,
  aliases: Readonly<Record<string, string>>,
): Map<string, string> {
  const names = new Map(Object.keys(runes).map((name) => [name, name]));
  for (const [key, rune] of Object.entries(runes)) {
    for (const alias of rune.aliases) if (!names.has(alias)) names.set(alias, key);
  }
  for (const [alias, target] of Object.entries(aliases)) {
    if (!names.has(alias) && Object.hasOwn(runes, target)) names.set(alias, target);
  }
  return names;
}

function aliasEntries(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(asObject(value)).filter((entry): entry is [string, string] =>
      typeof entry[1] === "string"
    ),
  );
}

async function loadLocalRunes(project: Project, site: SiteConfig, core: RunesModule) {
  const runes: Record<string, Rune> = {};
  /** Stamps of the files read, by path. */
  const files = new Map<string, string>();
  const failures: RefraktError[] = [];
  for (const [name, path] of Object.entries(asObject(asObject(site.raw["runes"])["local"]))) {
    try {
      runes[name] = await loadLocalRune(project, name, path, core, (file) => {
        files.set(file, fileStamp(file));
      });
    } catch (error) {
      failures.push(
        error instanceof RefraktError ? error : notLoaded(`Local rune ${quotedName(name)}`, error),
      );
    }
  }
  return { runes, files, failures };
}

async function loadLocalRune(
  project: Project,
  name: string,
  path: unknown,
  core: RunesModule,
  note: (file: string) => void,
): Promise<Rune> {
  const what = `Local rune ${quotedName(name)}`;
  if (typeof path !== "string") {
    throw new RefraktError("CONFIG_INVALID", `${what} must be the path of a module`, {
      hint: `Give runes.local.${name} a path such as "./runes/${name}.js".`,
    });
  }
  note(resolve(project.cwd, path));
  const module = await importLocal(project, path, what);
  module.files.forEach(note);
  const schema = asObject(module.exports["default"] ?? module.exports)["transform"];
  if (typeof schema !== "object" || schema === null) {
    const message = `${what} (${quotedName(path)}) exports no transform (a Markdoc schema)`;
    throw new RefraktError("PLUGIN_LOAD_FAILED", message, {
      hint: "Export a schema from createContentModelSchema() as transform.",
    });
  }
  return core.defineRune({ name, schema, description: `Local rune from ${path}` });
}
