/**
 * `refrakt.inspect_list`: the runes of a site.
 *
 * @module
 */

import { z } from "zod";
import type { Project } from "../project/project.ts";
import { defineTool, type Tool } from "../surface/tool.ts";
import {
  aliasesOf,
  packageOf,
  type SiteContext,
  siteContext,
  withWarnings,
} from "./site_context.ts";
import { isUniversal, variantsOf } from "./variants.ts";

/** One rune of the list. */
export interface ListedRune {
  /** Its name. */
  readonly name: string;
  /** The other names that it goes by. */
  readonly aliases: readonly string[];
  /** The package that it comes from; `local` for the project's own. */
  readonly package: string;
  /** What it is for. */
  readonly description: string;
  /** The values of its enumerated attributes, on request; universal attributes left out. */
  readonly variants?: Readonly<Record<string, readonly string[]>>;
}

/** Lists the runes of a site, in the order of the packages. */
export async function listRunes(
  project: Project,
  site: string | undefined,
  variants = false,
): Promise<Record<string, unknown>> {
  const context = await siteContext(project, site);
  const runes = Object.values(context.runes).map((rune): ListedRune => ({
    name: rune.name,
    aliases: aliasesOf(context, rune),
    package: packageOf(context, rune),
    description: rune.description,
    ...(variants
      ? { variants: pick(variantsOf(rune.schema), (a) => !isUniversal(context, a)) }
      : {}),
  }));
  return withWarnings(context, {
    runes,
    ...(variants ? { universalVariants: universalVariants(context) } : {}),
  });
}

/** The enumerated attributes that every rune has, said once. */
function universalVariants(context: SiteContext): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const rune of Object.values(context.runes)) Object.assign(all, variantsOf(rune.schema));
  return pick(all, (attribute) => isUniversal(context, attribute));
}

function pick(
  variants: Record<string, string[]>,
  wanted: (attribute: string) => boolean,
): Record<string, string[]> {
  return Object.fromEntries(Object.entries(variants).filter(([attribute]) => wanted(attribute)));
}

/** The tool of this file. */
export const inspectListTool: Tool = defineTool({
  name: "refrakt.inspect_list",
  title: "List runes",
  description: "Every rune of a site: name, aliases, package and description.",
  input: z.strictObject({
    site: z.string().optional().describe("Needed where the project has several sites"),
    variants: z.boolean().optional().describe("Also the values of enumerated attributes"),
  }),
  annotations: { readOnlyHint: true, idempotentHint: true },
  needs: ["site"],
  run: ({ site, variants }, { project }) => listRunes(project, site, variants),
});
