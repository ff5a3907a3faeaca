/**
 * The resources of the core. Each reads through the function of the tool that it
 * mirrors, so that both give the same answer and the same error.
 *
 * @module
 */

import type { CallContext } from "../tools/context.ts";
import type { Resource } from "../tools/resource.ts";
import { openParams } from "../tools/uri.ts";
import type { SiteEngine } from "./engine/client.ts";

const SITE = "site";
const RUNE = { uri: "refrakt://rune/{name}", query: [SITE] };

/** `refrakt://reference`, `refrakt://contracts` and `refrakt://rune/{name}`. */
export function siteResources(engine: SiteEngine): readonly Resource[] {
  return [
    {
      uri: "refrakt://reference",
      name: "reference",
      title: "Rune reference",
      description: "The runes of a site and how they are written, in brief.",
      mimeType: "application/json",
      query: [SITE],
      requires: [SITE],
      complete: completeSite,
      read: async (params, call) => ({
        data: (await engine.ask("describeRunes", { site: params[SITE] }, call)).data,
      }),
    },
    {
      uri: "refrakt://contracts",
      name: "contracts",
      title: "Structure contracts",
      description: "The HTML contract of every rune of a site.",
      mimeType: "application/json",
      query: [SITE],
      requires: [SITE],
      complete: completeSite,
      read: async (params, call) => ({
        data: await engine.ask("contract", { site: params[SITE] }, call),
      }),
    },
    {
      ...RUNE,
      name: "rune",
      title: "Rune",
      description: "What a rune becomes. Query parameters other than site are attributes.",
      mimeType: "application/json",
      openQuery: "attributes",
      requires: [SITE],
      complete: (parameter, value, context, others) =>
        parameter === "name"
          ? completeRune(engine, value, context, others[SITE])
          : completeSite(parameter, value, context),
      read: async (params, call) => ({
        data: await engine.ask("inspectRune", {
          rune: params["name"] ?? "",
          attributes: openParams(RUNE, params),
          site: params[SITE],
        }, call),
      }),
    },
  ];
}

/** The names of the sites that begin with what was typed. */
export function completeSite(parameter: string, value: string, { project }: CallContext): string[] {
  if (parameter !== SITE) return [];
  return (project.site?.names ?? []).filter((name) => name.startsWith(value));
}

/** Rune names of the site, or of every site where the client has named none yet. */
export async function completeRune(
  engine: SiteEngine,
  value: string,
  call: CallContext,
  wanted?: string,
): Promise<string[]> {
  const found = new Set<string>();
  for (const site of wanted === undefined ? call.project.site?.names ?? [] : [wanted]) {
    try {
      const names = await engine.ask("runeNames", { site }, call);
      for (const name of names) if (name.startsWith(value)) found.add(name);
    } catch {
      // A site that cannot be assembled completes nothing; reading it says why.
    }
  }
  return [...found].sort();
}
