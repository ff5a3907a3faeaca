/** What `refrakt.config.json` names: its plugins and packages. */

import type { ConfigFile } from "./project.ts";
import { RefraktError } from "../errors.ts";
import { asObject, textsOf } from "../io/json.ts";

export const CONFIG_NAME = "refrakt.config.json";

/** The error for a project whose config is invalid, so that its plan and sites are unknown. */
export function configError(problem: string): RefraktError {
  return new RefraktError("CONFIG_INVALID", problem, {
    hint: `Mend ${CONFIG_NAME} first: it says where the plan and the sites are.`,
  });
}

/** Plugins that ship with the server; they have no scope and are not packages. */
export const BUNDLED_PLUGINS: readonly string[] = ["ralph"];

/** Limit of plugins that are searched, loaded or reported. */
export const MOST_PLUGINS = 200;

/** The plugins in the config, first of the top level, then of the sites. */
export function configuredPlugins(config: ConfigFile | null): string[] {
  return config === null ? [] : [...namedPlugins(config)].slice(0, MOST_PLUGINS);
}

/** The npm packages among them. */
export function configuredPackages(config: ConfigFile | null): string[] {
  return configuredPlugins(config).filter((name) => !BUNDLED_PLUGINS.includes(name));
}

function namedPlugins({ raw }: ConfigFile): Set<string> {
  const sites = [raw["site"], ...Object.values(asObject(raw["sites"]))].map(asObject);
  return new Set([raw, ...sites].flatMap(pluginsIn));
}

/** The plugins that a site or the top level names. */
export function pluginsIn(fields: Readonly<Record<string, unknown>>): string[] {
  return textsOf(fields["plugins"] ?? fields["packages"]).filter((name) => name !== "");
}
