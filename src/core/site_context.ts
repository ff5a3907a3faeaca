/**
 * Everything that the tools need to know about one site, assembled once: the
 * runes of its packages, its local runes and aliases, and the configuration that
 * the identity transform runs on. It is assembled again when the site's part of
 * the config, a version or a local rune's file changes.
 *
 * @module
 */

import { isAbsolute, resolve } from "node:path";
import { didYouMean, messageOf, nearest, RefraktError } from "../errors.ts";
import { type PackageVersion, packageVersion } from "../packages/versions.ts";
import { asObject } from "../project/config.ts";
import type { Project } from "../project/project.ts";
import { chooseSite, type SiteConfig } from "../project/sites.ts";
import { importLocal } from "./local_modules.ts";
import { loadPlugin } from "./load_plugin.ts";
import {
  type LoadedPlugin,
  loadUpstream,
  type MarkdocSchema,
  type MergedPlugins,
  type Rune,
  type ThemeConfig,
  type Upstream,
  type UpstreamVersions,
  upstreamVersions,
} from "./upstream.ts";

/** The package name that core runes go by. */
export const CORE_PACKAGE = "@refrakt-md/runes";

/** One site, assembled. */
export interface SiteContext {
  /** The project that it was assembled for. */
  readonly project: Project;
  /** The site's part of the config. */
  readonly site: SiteConfig;
  /** The refrakt packages. */
  readonly upstream: Upstream;
  /** The runes by name, in the order in which the packages define them. */
  readonly runes: Readonly<Record<string, Rune>>;
  /** Every name that a rune goes by, config aliases included, and the rune's own name. */
  readonly names: ReadonlyMap<string, string>;
  /** Config aliases by the rune that they stand for. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  /** Markdoc tags of every name. */
  readonly tags: Readonly<Record<string, MarkdocSchema>>;
  /** Examples of the plugins, by rune. */
  readonly fixtures: Readonly<Record<string, string>>;
  /** Where each rune comes from: `core`, a package, or `local`. */
  readonly source: Readonly<Record<string, string>>;
  /** What the plugins add, for assembling with a theme. */
  readonly merged: MergedPlugins | undefined;
  /** Core and plugins, assembled. */
  readonly config: ThemeConfig;
  /** What could not be loaded. */
  readonly failures: readonly RefraktError[];
  /** A place for what is computed from this context and lives as long. */
  readonly memo: Map<string, unknown>;
}

interface Entry {
  stamp: string;
  inputs: string;
  files: ReadonlyMap<string, string>;
  context: Promise<SiteContext>;
  /** A context with failures is tried again after this time. */
  retryAt: number;
}

const RETRY_AFTER_MS = 10_000;
const MOST_ENTRIES = 32;
const entries = new Map<string, Entry>();

/**
 * The assembled site that a call means.
 *
 * @param project The project as it is now.
 * @param wanted The site that the call named, if any.
 * @throws {RefraktError} The errors of {@linkcode chooseSite}; `CONFIG_INVALID` where the
 * packages contradict each other; `PLUGIN_LOAD_FAILED` where not even the core loads.
 */
export async function siteContext(
  project: Project,
  wanted: string | undefined,
): Promise<SiteContext> {
  const site = chooseSite(project, wanted);
  const key = `${project.cwd}\0${site.name}`;
  const known = entries.get(key);
  const stamp = project.stamp + (project.config?.text ?? "");
  if (known !== undefined && Date.now() < known.retryAt && !haveChanged(known.files)) {
    if (known.stamp === stamp) return await known.context;
    // Something changed, but perhaps nothing that this site is made of.
    if (known.inputs === inputsOf(project, site)) {
      known.stamp = stamp;
      return await known.context;
    }
  }
  const entry: Entry = {
    stamp,
    inputs: inputsOf(project, site),
    files: new Map(),
    context: Promise.resolve() as never,
    retryAt: Infinity,
  };
  entry.context = assemble(project, site, entry);
  entries.delete(key);
  entries.set(key, entry);
  for (const oldest of entries.keys()) {
    if (entries.size <= MOST_ENTRIES) break;
    entries.delete(oldest);
  }
  try {
    return await entry.context;
  } catch (error) {
    if (entries.get(key) === entry) entries.delete(key);
    throw error;
  }
}

/**
 * Finds a rune by its name, an alias of its package or an alias of the config.
 *
 * @throws {RefraktError} `NOT_FOUND` with the nearest names, or `PLUGIN_LOAD_FAILED` where a
 * package that may have it could not be loaded.
 */
export function findRune(context: SiteContext, name: string): Rune {
  const own = context.names.get(name);
  if (own !== undefined) return context.runes[own]!;
  const guess = didYouMean(name, context.names.keys());
  const failure = context.failures[0];
  if (failure !== undefined) {
    throw new RefraktError(
      "PLUGIN_LOAD_FAILED",
      `Unknown rune "${name}", and not everything could be loaded: ${
        context.failures.map((each) => each.message).join("; ")
      }`,
      {
        hint: [failure.hint, guess].filter(Boolean).join(" "),
        data: { rune: name, ...failure.data },
        cause: failure,
      },
    );
  }
  throw new RefraktError("NOT_FOUND", `Unknown rune "${name}"`, {
    hint: [guess, "Call refrakt.inspect_list to see the runes."].filter(Boolean).join(" "),
    data: { rune: name, nearest: nearest(name, context.names.keys()) },
  });
}

/** The warnings that belong into every answer about a site; `undefined` where there are none. */
export function warningsOf(context: SiteContext): string[] | undefined {
  if (context.failures.length === 0) return undefined;
  return context.failures.map(({ message, hint }) => hint ? `${message}. ${hint}` : message);
}

/** Adds the site's warnings to a result, where there are any. */
export function withWarnings<Result extends Record<string, unknown>>(
  context: SiteContext,
  result: Result,
): Result | Result & { warnings: string[] } {
  const warnings = warningsOf(context);
  if (warnings === undefined) return result;
  const own = Array.isArray(result["warnings"]) ? result["warnings"] as string[] : [];
  return { ...result, warnings: [...own, ...warnings] };
}

/** Every name that a rune goes by besides its own: the package's aliases and the config's. */
export function aliasesOf(context: SiteContext, rune: Rune): string[] {
  return [...new Set([...rune.aliases, ...context.aliases.get(rune.name) ?? []])];
}

/** The package that a rune comes from; `local` for the project's own. */
export function packageOf(context: SiteContext, rune: Rune): string {
  const source = context.source[rune.name] ?? "core";
  return source === "core" ? CORE_PACKAGE : source;
}

/** Computes something from a context once. */
export function memoized<Value>(context: SiteContext, key: string, make: () => Value): Value {
  if (!context.memo.has(key)) context.memo.set(key, make());
  return context.memo.get(key) as Value;
}

async function assemble(project: Project, site: SiteConfig, entry: Entry): Promise<SiteContext> {
  const upstream = await loadUpstream(upstreamVersions(project));
  const { runes: core, transform } = upstream;
  const failures: RefraktError[] = [];
  const settings = asObject(site.raw["runes"]);
  const merged = await mergedPlugins(project, site, upstream, settings["prefer"], failures);
  let runes: Record<string, Rune> = { ...core.runes, ...merged?.merged.runes };
  let tags: Record<string, MarkdocSchema> = { ...core.tags, ...merged?.merged.tags };
  const source: Record<string, string> = Object.fromEntries(
    Object.keys(core.runes).map((name) => [name, "core"]),
  );
  for (const name of Object.keys(merged?.merged.runes ?? {})) {
    source[name] = merged?.owners.get(name) ?? "package";
  }
  const files = new Map<string, string>();
  const local = await localRunes(project, site, upstream, files, failures);
  entry.files = files;
  if (Object.keys(local).length > 0) {
    runes = { ...runes, ...local };
    tags = { ...tags, ...core.runeTagMap(local) };
    for (const name of Object.keys(local)) source[name] = "local";
  }
  const aliases = aliasEntries(settings["aliases"]);
  if (Object.keys(aliases).length > 0) {
    const usable = failures.length === 0
      ? aliases
      : Object.fromEntries(Object.entries(aliases).filter(([, to]) => Object.hasOwn(runes, to)));
    tags = configured(() =>
      core.applyAliases(runes, tags, usable, merged?.merged.provenance ?? {}).tags
    );
  }
  if (failures.length > 0) entry.retryAt = Date.now() + RETRY_AFTER_MS;
  return {
    project,
    site,
    upstream,
    runes,
    names: nameIndex(runes, aliases),
    aliases: byTarget(aliases),
    tags,
    fixtures: merged?.merged.fixtures ?? {},
    source,
    merged: merged?.merged,
    config: assembledConfig(upstream, transform, merged?.merged, site),
    failures,
    memo: new Map(),
  };
}

async function mergedPlugins(
  project: Project,
  site: SiteConfig,
  upstream: Upstream,
  prefer: unknown,
  failures: RefraktError[],
): Promise<{ merged: MergedPlugins; owners: Map<string, string> } | undefined> {
  const names = [...new Set(site.plugins)];
  if (names.length === 0) return undefined;
  const settled = await Promise.allSettled(
    names.map((name) => loadPlugin(project, name, upstream.runes)),
  );
  const loaded: LoadedPlugin[] = [];
  for (const result of settled) {
    if (result.status === "fulfilled") loaded.push(result.value);
    else failures.push(result.reason as RefraktError);
  }
  const coreNames = new Set(Object.keys(upstream.runes.runes));
  const merged = configured(() => upstream.runes.mergePlugins(loaded, coreNames, prefer));
  const owners = new Map<string, string>();
  for (const plugin of loaded) {
    for (const name of Object.keys(plugin.runes)) {
      // Of several that define a rune, the one that the merge took.
      if (merged.runes[name] === plugin.runes[name]) owners.set(name, plugin.npmName);
    }
  }
  return { merged, owners };
}

async function localRunes(
  project: Project,
  site: SiteConfig,
  upstream: Upstream,
  files: Map<string, string>,
  failures: RefraktError[],
): Promise<Record<string, Rune>> {
  const runes: Record<string, Rune> = {};
  for (const [name, path] of Object.entries(asObject(asObject(site.raw["runes"])["local"]))) {
    const what = `Local rune "${name}"`;
    if (typeof path !== "string") {
      failures.push(
        new RefraktError("CONFIG_INVALID", `${what} must be the path of a module`, {
          hint: `Give runes.local.${name} a path such as "./runes/${name}.js".`,
        }),
      );
      continue;
    }
    noteFile(files, resolve(project.cwd, path));
    try {
      const module = await importLocal(project, path, what);
      for (const file of module.files) noteFile(files, file);
      const entry = (module.exports["default"] ?? module.exports) as Record<string, unknown>;
      const schema = entry["transform"];
      if (typeof schema !== "object" || schema === null) {
        throw new RefraktError(
          "PLUGIN_LOAD_FAILED",
          `${what} ("${path}") exports no transform (a Markdoc schema)`,
          { hint: "Export a schema made by createContentModelSchema() as transform." },
        );
      }
      const description = `Local rune from ${isFlat(project) ? path : absolute(project, path)}`;
      runes[name] = upstream.runes.defineRune({ name, schema, description });
    } catch (error) {
      failures.push(
        error instanceof RefraktError
          ? error
          : new RefraktError("PLUGIN_LOAD_FAILED", `${what}: ${messageOf(error)}`, {
            cause: error,
          }),
      );
    }
  }
  return runes;
}

/** The nested shapes of the config have their relative paths made absolute; the flat one has not. */
function absolute(project: Project, path: string): string {
  return !isAbsolute(path) && /^\.\.?\//.test(path) ? resolve(project.cwd, path) : path;
}

function isFlat(project: Project): boolean {
  return project.config?.raw["site"] === undefined && project.config?.raw["sites"] === undefined;
}

function assembledConfig(
  upstream: Upstream,
  transform: Upstream["transform"],
  merged: MergedPlugins | undefined,
  site: SiteConfig,
): ThemeConfig {
  const { baseConfig, coreTranslations } = upstream.runes;
  const translated = transform.extractI18nKeys !== undefined;
  if (merged === undefined && !translated) return baseConfig;
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

/** Runs a merge of the packages; what it objects to is a matter of the config. */
function configured<Value>(merge: () => Value): Value {
  try {
    return merge();
  } catch (error) {
    const [first, ...rest] = messageOf(error).split("\n").map((line) => line.trim())
      .filter((line) => line !== "");
    throw new RefraktError(
      "CONFIG_INVALID",
      (first ?? "The runes cannot be merged").replace(/\.$/, ""),
      {
        hint: rest.length === 0 ? 'Change "runes" in refrakt.config.json.' : rest.join(" "),
        cause: error,
      },
    );
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

function byTarget(aliases: Readonly<Record<string, string>>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [alias, target] of Object.entries(aliases)) {
    found.set(target, [...found.get(target) ?? [], alias]);
  }
  return found;
}

/** What a site is made of, as text: equal text, equal site. */
function inputsOf(project: Project, site: SiteConfig): string {
  const versions: UpstreamVersions = upstreamVersions(project);
  const plugins = site.plugins.map((name): PackageVersion | string => {
    try {
      return packageVersion(project, name);
    } catch (error) {
      return messageOf(error);
    }
  });
  return JSON.stringify([site.raw, isFlat(project), versions, plugins]);
}

function noteFile(files: Map<string, string>, path: string): void {
  files.set(path, fileStamp(path));
}

function haveChanged(files: ReadonlyMap<string, string>): boolean {
  for (const [path, stamp] of files) if (fileStamp(path) !== stamp) return true;
  return false;
}

function fileStamp(path: string): string {
  try {
    const { mtime, size } = Deno.statSync(path);
    return `${mtime?.getTime() ?? 0}:${size}`;
  } catch {
    return "-";
  }
}
