/** The hooks of the core and of plugins, in build order, with cached registrations. */

import { messageOf } from "../../../../errors.ts";
import { asObject } from "../../../../io/json.ts";
import type { MarkdocNode, PipelineHooks } from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";
import type { EntityHooks } from "./entity_routes.ts";
import type { ProjectFiles } from "../read/project_files.ts";

export interface HookSet {
  readonly pluginName: string;
  readonly hooks: PipelineHooks;
}

/** Runs the plugins' `configure` hooks, which may register folders of partials by namespace. */
export async function configurePlugins(
  site: SiteContext,
  files: ProjectFiles,
): Promise<{ roots: Record<string, string>; problems: string[] }> {
  const { config, cwd } = site.project;
  const roots: Record<string, string> = { ...site.merged?.fileRoots };
  const problems: string[] = [];
  for (const { name, pipeline } of site.merged?.plugins ?? []) {
    try {
      await pipeline?.configure?.({
        config: config?.raw,
        configDir: cwd,
        registerFileRoot: (namespace, path) => roots[namespace] = path,
        projectFiles: files,
      });
    } catch (error) {
      problems.push(`${name}: ${messageOf(error)}`);
    }
  }
  return { roots, problems };
}

/** All hooks, in build order. */
export function hookSets(
  site: SiteContext,
  { partials, projectFiles, entityHooks }: {
    readonly partials: Readonly<Record<string, MarkdocNode>>;
    readonly projectFiles: ProjectFiles;
    readonly entityHooks: EntityHooks;
  },
): HookSet[] {
  const { upstream: { runes, markdoc }, project } = site;
  const raw = site.site.raw;
  const sets: HookSet[] = [{
    pluginName: "__core__",
    hooks: runes.createCorePipelineHooks({
      xrefPatterns: runes.compileXrefPatterns(project.config?.raw["xrefs"]).patterns,
      repoUrl: raw["repoUrl"],
      repoBranch: raw["repoBranch"],
      embedConfig: {
        tags: site.tags,
        nodes: runes.nodes,
        functions: runes.functions,
        orderings: orderings(site),
        sentiments: sentiments(site),
        partials,
        projectRoot: project.cwd,
        projectFiles,
      },
    }),
  }];
  const add = (pluginName: string, hooks: PipelineHooks | undefined) => {
    if (hooks !== undefined) sets.push({ pluginName, hooks });
  };
  for (const { name, pipeline } of site.merged?.plugins ?? []) add(name, pipeline);
  const template = (name: string) =>
    Object.hasOwn(partials, name) ? markdoc.format(partials[name]!) : undefined;
  add("__entity-routes__", entityHooks.createEntityRoutesHooks?.(template));
  add("__page-entities__", entityHooks.createPageEntityHooks?.(raw));
  return sets;
}

function orderings(site: SiteContext): Record<string, Record<string, unknown>> {
  const all: Record<string, Record<string, unknown>> = {};
  for (const { theme } of site.merged?.plugins ?? []) {
    for (const [type, fields] of Object.entries(asObject(theme?.["orderings"]))) {
      all[type] = { ...all[type], ...asObject(fields) };
    }
  }
  return all;
}

/** The sentiment of each field value, from the plugins' badges. */
function sentiments(site: SiteContext): Record<string, Record<string, Record<string, unknown>>> {
  const all: Record<string, Record<string, Record<string, unknown>>> = {};
  for (const { theme } of site.merged?.plugins ?? []) {
    for (const config of Object.values(asObject(theme?.["runes"]))) {
      const { block, metaFields } = asObject(config);
      if (typeof block !== "string") continue;
      for (const [field, settings] of Object.entries(asObject(metaFields))) {
        const { sentimentMap } = asObject(settings);
        if (sentimentMap === undefined) continue;
        all[block] ??= {};
        all[block]![field] = { ...all[block]![field], ...asObject(sentimentMap) };
      }
    }
  }
  return all;
}

type Entry = Readonly<Record<string, unknown>>;

/** The registry or the context that a hook receives. */
type Methods = Readonly<Record<PropertyKey, (...args: readonly unknown[]) => unknown>>;
type Calls = readonly ((registry: Methods, context: Methods) => void)[];

/** The calls of `register` hooks to replay, by the key of their pages. */
export type Registrations = Map<string, Calls>;

/** Pages that a plugin registers together, and a key of everything it can see of them. */
export interface Registered {
  readonly key: string;
  readonly pages: readonly unknown[];
}

/** The methods with side effects that a `register` hook calls. */
const LEAVES_SOMETHING = new Set<unknown>(["register", "relate", "info", "warn", "error"]);

/**
 * Wraps a plugin's hooks to replay its registrations for unchanged pages. Entities of files are read
 * again when a page embeds them, because as of 0.29 the packages cache parsed files for the life of
 * the process.
 */
export function registering(
  { pluginName, hooks }: HookSet,
  { upstream: { markdoc } }: SiteContext,
  files: ProjectFiles,
  parts: (pages: readonly unknown[]) => readonly Registered[],
  before: Registrations | undefined,
  now: Registrations,
): HookSet {
  const { register } = hooks;
  if (register === undefined) return { pluginName, hooks };
  const embeddable = (entry: Entry): Entry => {
    const { sourceFile, extract, embed } = entry;
    if (typeof sourceFile !== "string" || typeof extract !== "function" || embed !== undefined) {
      return entry;
    }
    return {
      ...entry,
      embed: () => {
        const source = files.read(sourceFile);
        return source === null ? null : extract(markdoc.parse(source));
      },
    };
  };
  const noting = (pages: readonly unknown[], registry: Methods, context: Methods): Calls => {
    const calls: ((registry: Methods, context: Methods) => void)[] = [];
    const noted = (target: Methods, isRegistry: boolean) =>
      new Proxy(target, {
        get(methods, key) {
          const value = methods[key];
          if (typeof value !== "function") return value;
          if (!LEAVES_SOMETHING.has(key)) return value.bind(methods);
          return (...args: unknown[]) => {
            const entry = key === "register" ? embeddable(asObject(args[0])) : undefined;
            const call = (on: Methods) => {
              // Later hooks may change an entity, so each replay gets a copy.
              const given = entry === undefined ? args : [{ ...entry }];
              return on[key]!(...given);
            };
            calls.push((registry, context) => call(isRegistry ? registry : context));
            return call(methods);
          };
        },
      });
    register.call(hooks, pages, noted(registry, true), noted(context, false));
    return calls;
  };
  // The second run gets the pages that hooks contributed.
  let isFirst = true;
  return {
    pluginName,
    hooks: {
      ...hooks,
      register(all: readonly unknown[], registry: Methods, context: Methods) {
        if (!isFirst) return void noting(all, registry, context);
        isFirst = false;
        for (const { key, pages } of parts(all)) {
          const known = before?.get(key);
          known?.forEach((repeat) => repeat(registry, context));
          now.set(key, known ?? noting(pages, registry, context));
        }
      },
    },
  };
}
