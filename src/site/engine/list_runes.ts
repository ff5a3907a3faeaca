/**
 * The runes of a site, in the order of the packages.
 *
 * @module
 */

import { RefraktError } from "../../errors.ts";
import { asObject } from "../../io/json.ts";
import { isUniversal, variantsOf } from "./edit_example.ts";
import { aliasesOf, packageOf, type SiteContext, withWarnings } from "./site.ts";

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

/** The keys and default texts of a site. */
export function extractTexts(context: SiteContext): Record<string, unknown> {
  const { extractI18nKeys } = context.upstream.transform;
  if (extractI18nKeys === undefined) {
    throw new RefraktError("TOOL_FAILED", "The installed refrakt packages cannot extract texts", {
      hint: "Upgrade @refrakt-md/transform to 0.29 or newer.",
    });
  }
  const keys = extractI18nKeys(context.config);
  return withWarnings(context, asObject(keys));
}
