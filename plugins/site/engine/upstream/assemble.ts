/**
 * Assembles a site: its packages' runes, local runes and aliases, and the configuration of the
 * identity transform.
 */

import { quotedName } from "../../../../src/plain_text.ts";
import { resolve } from "node:path";
import { messageOf, RefraktError } from "../../../../src/errors.ts";
import { asObject, textsOf } from "../../../../src/io/json.ts";
import type { Project, SiteConfig } from "../../../../src/plugin/project.ts";
import { notLoaded } from "./load_plugin.ts";
import { importLocal } from "./local_modules.ts";
import type { LoadedPlugin, MergedPlugins, Rune, RunesModule, ThemeConfig } from "./shapes.ts";
import type { SiteContext } from "./site.ts";
import type { Upstream } from "./upstream.ts";

/** A rune of the project itself, and the files of its module. */
type LocalRune = Awaited<ReturnType<typeof loadLocalRune>>;

/**
 * Assembles a site. Plugins and local runes that cannot be loaded are skipped and listed in `failures`.
 */
export function assemble(
  project: Project,
  site: SiteConfig,
  upstream: Upstream,
  ofPlugins: readonly (LoadedPlugin | RefraktError)[],
  ofLocalRunes: readonly (LocalRune | RefraktError)[],
): SiteContext {
  const { runes: core } = upstream;
  const settings = asObject(site.raw["runes"]);
  const [plugins, localRunes] = [loadedOf(ofPlugins), loadedOf(ofLocalRunes)];
  const failures = [...ofPlugins, ...ofLocalRunes].filter((each) => each instanceof RefraktError);
  const coreNames = new Set(Object.keys(core.runes));
  const merged = site.plugins.length === 0
    ? undefined
    : mergeConfigured(() => core.mergePlugins(plugins, coreNames, settings["prefer"]));
  const local = Object.fromEntries(localRunes.map(({ rune }) => [rune.name, rune]));
  const runes: Record<string, Rune> = { ...core.runes, ...merged?.runes, ...local };
  let tags = { ...core.tags, ...merged?.tags, ...core.runeTagMap(local) };
  const aliases = Object.entries(asObject(settings["aliases"]))
    .filter((entry): entry is [string, string] => typeof entry[1] === "string");
  if (aliases.length > 0) {
    // The packages reject an alias of a rune that is not there.
    const usable = aliases.filter(([, to]) => failures.length === 0 || Object.hasOwn(runes, to));
    const { provenance = {} } = merged ?? {};
    tags = mergeConfigured(() =>
      core.applyAliases(runes, tags, Object.fromEntries(usable), provenance).tags
    );
  }
  // If several plugins define a rune, the merge chose one.
  const ownerOf = (name: string) =>
    plugins.findLast((plugin) => plugin.runes[name] && plugin.runes[name] === merged?.runes[name]);
  const sourceOf = (name: string) =>
    Object.hasOwn(local, name) ? "local" : ownerOf(name)?.npmName ?? "core";
  return {
    project,
    site,
    upstream,
    runes,
    names: nameIndex(runes, aliases),
    aliases: new Map(
      [...Map.groupBy(aliases, ([, to]) => to)].map(([to, all]) => [to, all.map(([name]) => name)]),
    ),
    tags,
    fixtures: merged?.fixtures ?? {},
    source: Object.fromEntries(Object.keys(runes).map((name) => [name, sourceOf(name)])),
    merged,
    config: assembledConfig(upstream, merged, site),
    memo: project.memo,
    localFiles: [
      ...textsOf(localModules(site).map(([, path]) => path))
        .map((path) => resolve(project.cwd, path)),
      ...localRunes.flatMap(({ files }) => files),
    ],
    failures,
  };
}

function loadedOf<Part>(outcomes: readonly (Part | RefraktError)[]): Part[] {
  return outcomes.filter((each): each is Part => !(each instanceof RefraktError));
}

function assembledConfig(
  { runes: core, transform }: Upstream,
  merged: MergedPlugins | undefined,
  site: SiteConfig,
): ThemeConfig {
  const { baseConfig, coreTranslations } = core;
  const { locale, strings } = site.raw;
  // Caches belong to the configuration of one site.
  if (merged === undefined && transform.extractI18nKeys === undefined) return { ...baseConfig };
  return mergeConfigured(() =>
    transform.assembleThemeConfig({
      coreConfig: baseConfig,
      pluginRunes: merged?.themeRunes,
      pluginIcons: merged?.themeIcons,
      pluginBackgrounds: merged?.themeBackgrounds,
      provenance: merged?.provenance,
      // Since 0.29.
      locale,
      strings,
      pluginTranslations: merged?.translations,
      coreTranslations,
    }).config
  );
}

/** Runs a merge of the packages. Its errors are errors of the config. */
function mergeConfigured<Value>(merge: () => Value): Value {
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
  aliases: readonly (readonly [alias: string, rune: string])[],
): Map<string, string> {
  const names = new Map(Object.keys(runes).map((name) => [name, name]));
  for (const [key, rune] of Object.entries(runes)) {
    for (const alias of rune.aliases) if (!names.has(alias)) names.set(alias, key);
  }
  for (const [alias, target] of aliases) {
    if (!names.has(alias) && Object.hasOwn(runes, target)) names.set(alias, target);
  }
  return names;
}

/** The runes of the project itself: their names, and the paths of their modules as the config has them. */
export function localModules(site: SiteConfig): [name: string, path: unknown][] {
  return Object.entries(asObject(asObject(site.raw["runes"])["local"]));
}

/** @throws {RefraktError} With the reason. */
export async function loadLocalRune(
  project: Project,
  name: string,
  path: unknown,
  core: RunesModule,
) {
  const subject = `Local rune ${quotedName(name)}`;
  if (typeof path !== "string") {
    throw new RefraktError("CONFIG_INVALID", `${subject} must be the path of a module`, {
      hint: `Give runes.local.${name} a path such as "./runes/${name}.js".`,
    });
  }
  const { exports, files } = await importLocal(project, path, subject);
  const schema = asObject(exports["default"] ?? exports)["transform"];
  if (typeof schema !== "object" || schema === null) {
    const message = `${subject} (${quotedName(path)}) exports no transform (a Markdoc schema)`;
    throw new RefraktError("PLUGIN_LOAD_FAILED", message, {
      hint: "Export a schema from createContentModelSchema() as transform.",
    });
  }
  try {
    const rune = core.defineRune({ name, schema, description: `Local rune from ${path}` });
    return { rune, files };
  } catch (error) {
    throw notLoaded(subject, error);
  }
}
