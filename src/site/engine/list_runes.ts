/**
 * The runes of a site, in the order of the packages.
 *
 * @module
 */

import { aliasesOf, packageOf, type SiteContext, type WithWarnings, withWarnings } from "./site.ts";
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

/** The runes of a site. */
export interface RuneList {
  /** The runes. */
  readonly runes: readonly ListedRune[];
  /** The enumerated attributes that every rune has, on request. */
  readonly universalVariants?: Readonly<Record<string, readonly string[]>>;
}

/** Lists the runes of a site, in the order of the packages. */
export function listRunes(context: SiteContext, variants: boolean): RuneList & WithWarnings {
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
