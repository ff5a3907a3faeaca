/** The CSS of a site's presets, tokens and modes, as a build appends it to the theme. */

import { RefraktError } from "../../../../src/errors.ts";
import { asObject, textsOf } from "../../../../src/io/json.ts";
import type { SiteContext } from "../upstream/site.ts";
import { loadPreset, tintPresets } from "./theme.ts";

/**
 * Returns the CSS; empty for a site without presets and tokens.
 *
 * @throws {RefraktError} If a preset cannot be loaded, or the tokens are invalid.
 */
export async function siteTokens(context: SiteContext): Promise<string> {
  const { upstream: { transform }, site: { raw } } = context;
  if (typeof raw["theme"] === "string") return "";
  const { presets, tokens, modes } = asObject(raw["theme"]);
  const tints = asObject(raw["tints"]);
  const names = textsOf(presets);
  const parts: string[] = [];
  if (names.length > 0 || tokens !== undefined || modes !== undefined) {
    const loaded = await Promise.all(names.map((name) => loadPreset(context, name)));
    const tokensConfig = { ...asObject(tokens), ...(modes === undefined ? {} : { modes }) };
    const merged = transform.mergeThemeTokensConfigs?.(...loaded, tokensConfig);
    const { valid = true, errors = [] } = transform.validateThemeTokensConfig?.(merged) ?? {};
    if (!valid) {
      const [{ path, message } = { path: "", message: "" }] = errors;
      throw new RefraktError(
        "CONFIG_INVALID",
        `The site's tokens are invalid: ${path} ${message}`,
        {
          hint: 'Change "tokens", "modes" or "presets" of the theme in refrakt.config.json.',
        },
      );
    }
    parts.push(transform.generateThemeStylesheet?.(merged) ?? "");
  }
  const all = await tintPresets(context);
  for (const name of names) all[name] ??= await loadPreset(context, name);
  if (Object.keys(tints).length > 0 && Object.keys(all).length > 0) {
    parts.push(transform.generateScopedTintStylesheet?.(tints, all) ?? "");
  }
  return parts.filter((part) => part !== "").join("\n");
}
