/**
 * The resources of the core. Each reads through the function of the tool that it
 * mirrors, so that both give the same answer and the same error.
 *
 * @module
 */

import type { CallContext } from "../surface/context.ts";
import type { Resource } from "../surface/resource.ts";
import { openParams } from "../surface/uri.ts";
import { siteContracts } from "./contracts.ts";
import { inspect } from "./inspect.ts";
import { reference } from "./reference.ts";
import { siteContext } from "./site_context.ts";

const SITE = "site";
const RUNE = { uri: "refrakt://rune/{name}", query: [SITE] };

/** `refrakt://reference`, `refrakt://contracts` and `refrakt://rune/{name}`. */
export const coreResources: readonly Resource[] = [
  {
    uri: "refrakt://reference",
    name: "reference",
    title: "Rune reference",
    description: "The runes of a site and how they are written, in brief.",
    mimeType: "application/json",
    query: [SITE],
    needs: [SITE],
    complete: completeSite,
    read: async (params, { project }) => ({
      data: await reference(project, { site: params[SITE] }),
    }),
  },
  {
    uri: "refrakt://contracts",
    name: "contracts",
    title: "Structure contracts",
    description: "The HTML contract of every rune of a site.",
    mimeType: "application/json",
    query: [SITE],
    needs: [SITE],
    complete: completeSite,
    read: async (params, { project }) => ({ data: await siteContracts(project, params[SITE]) }),
  },
  {
    ...RUNE,
    name: "rune",
    title: "Rune",
    description: "What a rune becomes. Query parameters other than site are attributes.",
    mimeType: "application/json",
    openQuery: "attributes",
    needs: [SITE],
    complete: (parameter, value, context, others) =>
      parameter === "name"
        ? completeRune(value, context, others[SITE])
        : completeSite(parameter, value, context),
    read: async (params, { project }) => {
      const attributes = openParams(RUNE, params);
      return {
        data: await inspect(project, {
          rune: params["name"] ?? "",
          attributes,
          site: params[SITE],
        }),
      };
    },
  },
];

function completeSite(parameter: string, value: string, { project }: CallContext): string[] {
  if (parameter !== SITE) return [];
  return (project.site?.names ?? []).filter((name) => name.startsWith(value));
}

/** Rune names of the site, or of every site where the client has named none yet. */
async function completeRune(
  value: string,
  { project }: CallContext,
  wanted: string | undefined,
): Promise<string[]> {
  const found = new Set<string>();
  for (const site of wanted === undefined ? project.site?.names ?? [] : [wanted]) {
    try {
      const { names } = await siteContext(project, site);
      for (const name of names.keys()) if (name.startsWith(value)) found.add(name);
    } catch {
      // A site that cannot be assembled completes nothing; reading it says why.
    }
  }
  return [...found].sort();
}
