/** The hooks of the core and of plugins, in build order. */

import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import { messageOf } from "../../../../../src/errors.ts";
import { asObject } from "../../../../../src/io/json.ts";
import { patternCompiler } from "../../../../../src/io/pattern.ts";
import { importModule, packageFolder } from "../../../../../src/packages/load.ts";
import { contentVersion } from "../../upstream/package_versions.ts";
import type { PipelineHooks } from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";
import type { ProjectFiles } from "../read/content_files.ts";

export interface HookSet {
  readonly pluginName: string;
  readonly hooks: PipelineHooks;
}

/** The hooks that `@refrakt-md/content` does not export. They are in the same files from 0.24 to 0.29. */
export interface EntityHooks {
  /** Pages created from entities by `entityRoutes`; `template` returns the Markdoc of a partial. */
  createEntityRoutesHooks?(template: (name: string) => string | undefined): PipelineHooks;
  /** Entities created from pages with a `type`. */
  createPageEntityHooks?(site: unknown): PipelineHooks;
}

export async function loadEntityHooks({ project }: SiteContext): Promise<EntityHooks> {
  const version = contentVersion(project);
  const folder = await packageFolder(version);
  if (folder === undefined) throw new Error(`the folder of ${version.name} is not known`);
  const files = ["entity-routes.js", "page-entities.js"].map((file) =>
    importModule<EntityHooks>(new URL(`dist/${file}`, folder).href, version.code)
  );
  return Object.assign({}, ...await Promise.all(files));
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
        registerFileRoot: (namespace: string, path: string) => roots[namespace] = path,
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
  { partials, projectFiles, entityHooks, xrefPatterns }: {
    readonly partials: Readonly<Record<string, MarkdocNode>>;
    readonly xrefPatterns: readonly unknown[];
    readonly projectFiles: ProjectFiles;
    readonly entityHooks: EntityHooks;
  },
): HookSet[] {
  const { upstream: { runes, markdoc }, project } = site;
  const raw = site.site.raw;
  const sets: HookSet[] = [{
    pluginName: "__core__",
    hooks: runes.createCorePipelineHooks({
      xrefPatterns,
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
  const registered = new WeakMap<Methods, Set<string>>();
  return sets.map(({ pluginName, hooks }) => ({
    pluginName,
    hooks: matchingLinearly(withRegistry(hooks, site, projectFiles, registered), site),
  }));
}

function matchingLinearly(hooks: PipelineHooks, { upstream: { linearly } }: SiteContext) {
  const linear = Object.entries(hooks).map(([name, hook]) => {
    if (typeof hook !== "function") return [name, hook];
    return [name, (...args: unknown[]) => linearly(() => Reflect.apply(hook, hooks, args))];
  });
  return Object.fromEntries(linear) as PipelineHooks;
}

/** The patterns of the config for references to elsewhere, matched in linear time. */
export async function readXrefPatterns(
  { upstream: { runes }, project }: SiteContext,
  problems: string[],
): Promise<readonly unknown[]> {
  const { patterns } = runes.compileXrefPatterns(project.config?.raw["xrefs"]);
  if (patterns.length === 0) return [];
  const compile = await patternCompiler();
  return patterns.flatMap((pattern) => {
    try {
      return { ...pattern, match: compile(pattern.match.source) };
    } catch (error) {
      problems.push(`A pattern of xrefs is left out: ${messageOf(error)}`);
      return [];
    }
  });
}

/** The fields by which runes sort entities, by type. */
function orderings(site: SiteContext): Record<string, Record<string, unknown>> {
  const all: Record<string, Record<string, unknown>> = {};
  for (const { theme } of site.merged?.plugins ?? []) {
    for (const [type, fields] of Object.entries(asObject(theme?.["orderings"]))) {
      Object.assign(all[type] ??= {}, asObject(fields));
    }
  }
  return all;
}

/** The sentiment of each field value, from the plugins' badges. */
function sentiments(site: SiteContext): Record<string, Record<string, Record<string, unknown>>> {
  const all: Record<string, Record<string, Record<string, unknown>>> = {};
  const configs = (site.merged?.plugins ?? []).map(({ theme }) => asObject(theme?.["runes"]));
  for (const config of configs.flatMap((runes) => Object.values(runes))) {
    const { block, metaFields } = asObject(config);
    if (typeof block !== "string") continue;
    for (const [field, settings] of Object.entries(asObject(metaFields))) {
      const { sentimentMap } = asObject(settings);
      if (sentimentMap === undefined) continue;
      Object.assign((all[block] ??= {})[field] ??= {}, asObject(sentimentMap));
    }
  }
  return all;
}

/** The registry that a hook receives. */
type Methods = Readonly<Record<PropertyKey, (...args: readonly unknown[]) => unknown>>;

/**
 * Wraps a plugin's `register` hook so that entities of files are read again when a page embeds them:
 * the packages keep parsed files for the life of the process. Their registry searches all entities
 * for one that it does not have, which each page asks for before it is registered.
 *
 * @param registered The types and ids in each registry.
 */
function withRegistry(
  hooks: PipelineHooks,
  { upstream: { markdoc } }: SiteContext,
  files: ProjectFiles,
  registered: WeakMap<Methods, Set<string>>,
): PipelineHooks {
  const { register } = hooks;
  if (register === undefined) return hooks;
  const embeddable = (entry: Readonly<Record<string, unknown>>) => {
    const { sourceFile, extract, embed } = entry;
    if (typeof sourceFile !== "string" || typeof extract !== "function" || embed !== undefined) {
      return entry;
    }
    const read = () => {
      const source = files.read(sourceFile);
      return source === null ? null : extract(markdoc.parse(source));
    };
    return { ...entry, embed: read };
  };
  return {
    ...hooks,
    register(pages: readonly unknown[], registry: Methods, context: unknown) {
      const keys = registered.getOrInsertComputed(registry, () => new Set());
      const keyOf = (type: unknown, id: unknown) => JSON.stringify([type, id]);
      const wrapped = new Proxy(registry, {
        get(methods, key) {
          const value = methods[key];
          if (typeof value !== "function") return value;
          return (first: unknown, ...rest: unknown[]) => {
            if (key === "getById" && !keys.has(keyOf(first, rest[0]))) return undefined;
            if (key !== "register") return methods[key]!(first, ...rest);
            const entry = asObject(first);
            keys.add(keyOf(entry["type"], entry["id"]));
            return methods[key]!(embeddable(entry), ...rest);
          };
        },
      });
      register.call(hooks, pages, wrapped, context);
    },
  };
}
