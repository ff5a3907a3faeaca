/**
 * What the core and the plugins do to pages in a build, beside the transform of the runes.
 *
 * @module
 */

import { messageOf } from "../../../errors.ts";
import { asObject } from "../../../io/json.ts";
import type { MarkdocNode, PipelineHooks } from "../shapes.ts";
import type { SiteContext } from "../site.ts";
import { entityRouteHooks, pageEntityHooks } from "./entity_routes.ts";
import type { ProjectFiles, ReadLog } from "./read_log.ts";

/** The hooks of one package. */
export interface HookSet {
  readonly pluginName: string;
  readonly hooks: PipelineHooks;
}

/**
 * Has the plugins read the config. They may name folders whose files are partials.
 *
 * @param files How they read files of the project, in versions that ask.
 * @returns The folders by namespace, and what went wrong.
 */
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

/** The hooks of the core and of the plugins, in the order of the build. */
export function hookSets(
  site: SiteContext,
  { partials, log }: {
    readonly partials: Readonly<Record<string, MarkdocNode>>;
    readonly log: ReadLog;
  },
): HookSet[] {
  const { upstream: { runes, markdoc, transform }, project } = site;
  const raw = site.site.raw;
  const sets: HookSet[] = [];
  if (runes.createCorePipelineHooks !== undefined) {
    sets.push({
      pluginName: "__core__",
      hooks: runes.createCorePipelineHooks({
        xrefPatterns: runes.compileXrefPatterns?.(project.config?.raw["xrefs"]).patterns,
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
          projectFiles: log.files,
        },
      }),
    });
  }
  for (const { name, pipeline } of site.merged?.plugins ?? []) {
    if (pipeline !== undefined) sets.push({ pluginName: name, hooks: pipeline });
  }
  if (raw["entityRoutes"] !== undefined) {
    const template = (name: string) =>
      Object.hasOwn(partials, name) ? markdoc.format(partials[name]!) : undefined;
    sets.push({ pluginName: "__entity-routes__", hooks: entityRouteHooks(site, template) });
  }
  if (transform.matchRouteEntity !== undefined) {
    sets.push({ pluginName: "__page-entities__", hooks: pageEntityHooks(site) });
  }
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

/** The mood of each value of a field, as the plugins' badges have it. */
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
