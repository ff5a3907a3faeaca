import { RefraktError } from "../../errors.ts";
import { asObject } from "../../io/json.ts";
import { isUniversal, variantsOf } from "./edit_example.ts";
import type { Rune } from "./shapes.ts";
import { aliasesOf, packageOf, type SiteContext, withWarnings } from "./site.ts";

export function listRunes(context: SiteContext, variants: boolean) {
  const all = Object.values(context.runes);
  const variantsIn = ({ schema }: Rune, universal: boolean): Record<string, string[]> =>
    Object.fromEntries(
      Object.entries(variantsOf(schema)).filter(([name]) =>
        isUniversal(context, name) === universal
      ),
    );
  const runes = all.map((rune) => ({
    name: rune.name,
    aliases: aliasesOf(context, rune),
    package: packageOf(context, rune),
    description: rune.description,
    ...(variants ? { variants: variantsIn(rune, false) } : {}),
  }));
  if (!variants) return withWarnings(context, { runes });
  const universalVariants: Record<string, string[]> = {};
  for (const rune of all) Object.assign(universalVariants, variantsIn(rune, true));
  return withWarnings(context, { runes, universalVariants });
}

export function extractTexts(context: SiteContext): Record<string, unknown> {
  const { extractI18nKeys } = context.upstream.transform;
  if (extractI18nKeys === undefined) {
    throw new RefraktError("TOOL_FAILED", "The installed refrakt packages cannot extract texts", {
      hint: "Upgrade @refrakt-md/transform to 0.29 or newer.",
    });
  }
  return withWarnings(context, asObject(extractI18nKeys(context.config)));
}
