/**
 * The runes of a site, in the order of the packages.
 *
 * @module
 */

import { aliasesOf, packageOf, type SiteContext, withWarnings } from "./site.ts";
import { isUniversal, variantsOf } from "./variants.ts";

/** Lists the runes of a site, in the order of the packages. */
export function listRunes(context: SiteContext, variants: boolean) {
  const runes = Object.values(context.runes).map((rune) => ({
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
