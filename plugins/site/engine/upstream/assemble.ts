/**
 * Assembles a site: its packages' runes, local runes and aliases, and the configuration of the
 * identity transform.
 */

import { quotedName } from "../../../../src/plain_text.ts";
import { resolve } from "node:path";
import { messageOf, RefraktError } from "../../../../src/errors.ts";
import { asObject, textOf } from "../../../../src/io/json.ts";
import type { Project } from "../../../../src/plugin/project.ts";
import type { SiteConfig } from "../../../../src/plugin/project.ts";
import { notLoaded } from "./load_plugin.ts";
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
import type { Upstream } from "./upstream.ts";

/** A rune of the project itself. */
interface LocalRune {
  readonly rune: Rune;
  /** The files of its module. */
  readonly files: readonly string[];
}

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
  const [loaded, localOnes] = [loadedOf(ofPlugins), loadedOf(ofLocalRunes)];
  const failures = [...ofPlugins, ...ofLocalRunes].filter((each) => each instanceof RefraktError);
  const { merged, owners } = site.plugins.length === 0
    ? { merged: undefined, owners: new Map<string, string>() }
    : mergePlugins(loaded, upstream, settings["prefer"]);
  const local = Object.fromEntries(localOnes.map(({ rune }) => [rune.name, rune]));
  const runes: Record<string, Rune> = { ...core.runes, ...merged?.runes, ...local };
  let tags: Readonly<Record<string, MarkdocSchema>> = {
    ...core.tags,
    ...merged?.tags,
    ...core.runeTagMap(local),
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
        Object.hasOwn(local, name) ? "local" : owners.get(name) ?? "core",
      ]),
    ),
    merged,
    config: assembledConfig(upstream, merged, site),
    memo: project.memo,
    localFiles: [
      ...localRunes(site).flatMap(([, path]) => textOf(path) ?? [])
        .map((path) => resolve(project.cwd, path)),
      ...localOnes.flatMap(({ files }) => files),
    ],
    failures,
  };
}

function loadedOf<Part>(outcomes: readonly (Part | RefraktError)[]): Part[] {
  return outcomes.filter((each): each is Part => !(each instanceof RefraktError));
}

/** Merges plugins; `owners` are the packages by rune. */
function mergePlugins(loaded: LoadedPlugin[], upstream: Upstream, prefer: unknown) {
  const owners = new Map<string, string>();
  const coreNames = new Set(Object.keys(upstream.runes.runes));
  const merged = configured(() => upstream.runes.mergePlugins(loaded, coreNames, prefer));
  for (const plugin of loaded) {
    for (const name of Object.keys(plugin.runes)) {
      // If several plugins define a rune, the merge chose one.
      if (merged.runes[name] === plugin.runes[name]) owners.set(name, plugin.npmName);
    }
  }
  return { merged, owners };
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

/** The runes of the project itself: their names, and the paths of their modules as the config has them. */
export function localRunes(site: SiteConfig): [name: string, path: unknown][] {
  return Object.entries(asObject(asObject(site.raw["runes"])["local"]));
}

/** @throws {RefraktError} With the reason. */
export async function loadLocalRune(
  project: Project,
  name: string,
  path: unknown,
  core: RunesModule,
): Promise<LocalRune> {
  const what = `Local rune ${quotedName(name)}`;
  if (typeof path !== "string") {
    throw new RefraktError("CONFIG_INVALID", `${what} must be the path of a module`, {
      hint: `Give runes.local.${name} a path such as "./runes/${name}.js".`,
    });
  }
  const { exports, files } = await importLocal(project, path, what);
  const schema = asObject(exports["default"] ?? exports)["transform"];
  if (typeof schema !== "object" || schema === null) {
    const message = `${what} (${quotedName(path)}) exports no transform (a Markdoc schema)`;
    throw new RefraktError("PLUGIN_LOAD_FAILED", message, {
      hint: "Export a schema from createContentModelSchema() as transform.",
    });
  }
  try {
    return {
      rune: core.defineRune({ name, schema, description: `Local rune from ${path}` }),
      files,
    };
  } catch (error) {
    throw notLoaded(what, error);
  }
}
