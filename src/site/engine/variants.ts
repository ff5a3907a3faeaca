/**
 * The enumerated attributes of a rune: those whose schema lists their values.
 *
 * @module
 */

import type { SiteContext } from "./site.ts";
import type { MarkdocSchema } from "./shapes.ts";

/** The values of each enumerated attribute, in the order of the schema. */
export function variantsOf(schema: MarkdocSchema): Record<string, string[]> {
  const variants: Record<string, string[]> = {};
  for (const [name, { matches }] of Object.entries(schema.attributes ?? {})) {
    if (Array.isArray(matches) && matches.length > 0) variants[name] = matches.map(String);
  }
  return variants;
}

/** Whether an attribute belongs to every rune. */
export function isUniversal(context: SiteContext, attribute: string): boolean {
  return context.upstream.runes.UNIVERSAL_ATTRIBUTE_NAMES?.has(attribute) ?? false;
}
