/** The resources of a site. Each uses the same function of the engine as the tool it mirrors. */

import type { CallContext } from "../../src/plugin/context.ts";
import type { Resource } from "../../src/plugin/resource.ts";
import { openParams } from "../../src/plugin/uri.ts";
import { siteEngine } from "./engine/lazy.ts";

const SITE_PARAMETER = "site";

const OF_SITE = {
  mimeType: "application/json",
  query: [SITE_PARAMETER],
  requires: ["site"],
  complete: completeSite,
};

export const siteResources: readonly Resource[] = [
  {
    ...OF_SITE,
    uri: "refrakt://reference",
    name: "reference",
    title: "Rune reference",
    description: "The runes of a site and how to write them, in brief.",
    read: async (params, call) => ({
      data: (await (await siteEngine()).describeRunes({ site: params[SITE_PARAMETER] }, call)).data,
    }),
  },
  {
    ...OF_SITE,
    uri: "refrakt://contracts",
    name: "contracts",
    title: "Structure contracts",
    description: "The HTML contract of every rune of a site.",
    read: async (params, call) => ({
      data: await (await siteEngine()).contract({ site: params[SITE_PARAMETER] }, call),
    }),
  },
  {
    ...OF_SITE,
    uri: "refrakt://rune/{name}",
    name: "rune",
    title: "Rune",
    description: "A rendered rune. Query parameters other than site are attributes.",
    openQuery: "attributes",
    complete: (parameter, value, context, others) =>
      parameter === "name"
        ? completeRune(value, context, others[SITE_PARAMETER])
        : completeSite(parameter, value, context),
    read: async (params, call) => ({
      data: await (await siteEngine()).inspectRune({
        rune: params["name"] ?? "",
        attributes: openParams(params),
        site: params[SITE_PARAMETER],
      }, call),
    }),
  },
];

function completeSite(parameter: string, value: string, { project }: CallContext): string[] {
  if (parameter !== SITE_PARAMETER) return [];
  return (project.site?.names ?? []).filter((name) => name.startsWith(value));
}

/** Completes rune names of the given site, or of all sites. */
async function completeRune(value: string, call: CallContext, wanted?: string): Promise<string[]> {
  const matches = new Set<string>();
  for (const site of wanted === undefined ? call.project.site?.names ?? [] : [wanted]) {
    try {
      const names = await (await siteEngine()).runeNames({ site }, call);
      for (const name of names) if (name.startsWith(value)) matches.add(name);
    } catch {
      // Reading the resource reports the site's error.
    }
  }
  return [...matches].sort();
}
