/** Whether the code of a project runs in the process, and how long loading it may take. */

import type { CodePolicy, SiteFacts } from "./project.ts";
import { isAbsolute } from "node:path";
import { asObject, textOf } from "../io/json.ts";

export const DEFAULT_POLICY: CodePolicy = { trust: false, timeoutMs: 60_000 };

/** The themes that the sites name: packages and paths. */
export function themesOf(site: SiteFacts | null): string[] {
  return [...site?.sites.values() ?? []].flatMap(({ raw: { theme } }) =>
    textOf(asObject(theme)["package"] ?? theme) ?? []
  );
}

/** What a config names of the project's own modules: local runes, or a theme by its path. */
export function ownModules(site: SiteFacts | null): string[] {
  const hasLocalRunes = [...site?.sites.values() ?? []].some(({ raw }) =>
    Object.keys(asObject(asObject(raw["runes"])["local"])).length > 0
  );
  const hasLocalTheme = themesOf(site).some((name) => name.startsWith(".") || isAbsolute(name));
  return [
    ...(hasLocalRunes ? ["local runes"] : []),
    ...(hasLocalTheme ? ["a theme of its own"] : []),
  ];
}
