/**
 * The texts of a site's runes that can be translated.
 *
 * @module
 */

import { RefraktError } from "../../errors.ts";
import { asObject } from "../../io/json.ts";
import { type SiteContext, withWarnings } from "./site.ts";

/**
 * The keys and default texts of a site.
 *
 * @throws {RefraktError} `TOOL_FAILED` where the packages are too old for it.
 */
export function extractTexts(context: SiteContext): Record<string, unknown> {
  const { extractI18nKeys } = context.upstream.transform;
  if (extractI18nKeys === undefined) {
    throw new RefraktError("TOOL_FAILED", "The installed refrakt packages cannot extract texts", {
      hint: "Upgrade @refrakt-md/transform to 0.29 or newer.",
    });
  }
  const keys = extractI18nKeys(context.config);
  const isMap = typeof keys === "object" && keys !== null && !Array.isArray(keys);
  return withWarnings(context, isMap ? { ...asObject(keys) } : { keys });
}
