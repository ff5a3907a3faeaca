/**
 * What the core and the plugins do to pages in a build, beside the transform of the runes.
 *
 * @module
 */

import { messageOf } from "../../../errors.ts";
import { asObject } from "../../../io/json.ts";
import type { PipelineHooks } from "../shapes.ts";
import type { SiteContext } from "../site.ts";
import { entityRouteHooks } from "./entity_routes.ts";
import type { SitePages } from "./site_pages.ts";

/** The hooks of one package. */
export interface HookSet {
  readonly pluginName: string;
  readonly hooks: PipelineHooks;
}

/** The hooks of the core and of the plugins, in the order of the build. */
export async function hookSets(
  site: SiteContext,
  { partials }: SitePages,
  messages: { severity: string; message: string }[],
): Promise<HookSet[]> {
  const { upstream: { runes }, project } = site;
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
          partials: Object.keys(partials).length === 0 ? undefined : partials,
          projectRoot: project.cwd,
        },
      }),
    });
  }
  for (const plugin of site.merged?.plugins ?? []) {
    const { pipeline } = plugin;
    if (pipeline === undefined) continue;
    try {
      await pipeline.configure?.({
        config: project.config?.raw,
        configDir: project.cwd,
        registerFileRoot: () => {},
      });
    } catch (error) {
      messages.push({ severity: "warning", message: `${plugin.name}: ${messageOf(error)}` });
    }
    sets.push({ pluginName: plugin.name, hooks: pipeline });
  }
  if (raw["entityRoutes"] !== undefined) {
    sets.push({ pluginName: "__entity-routes__", hooks: entityRouteHooks(site) });
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
