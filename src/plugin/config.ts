/** What `refrakt.config.json` names. */

import { RefraktError } from "../errors.ts";
import { textsOf } from "../io/json.ts";

export const CONFIG_NAME = "refrakt.config.json";

/** The error for a project whose config is invalid, so that its plan and sites are unknown. */
export function configError(problem: string): RefraktError {
  return new RefraktError("CONFIG_INVALID", problem, {
    hint: `Fix ${CONFIG_NAME} first: it says where the plan and the sites are.`,
  });
}

/** Limit of plugins that are searched, loaded or reported: each that npm lacks takes a request. */
export const MOST_PLUGINS = 60;

/** The plugins that a site or the top level names. */
export function pluginsIn(fields: Readonly<Record<string, unknown>>): string[] {
  return textsOf(fields["plugins"] ?? fields["packages"]).filter((name) => name !== "");
}
