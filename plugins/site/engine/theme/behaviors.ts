/** The behaviours of the project's packages: tabs, menus, copy buttons. */

import { posix } from "node:path";
import { RefraktError } from "../../../../src/errors.ts";
import { entryOf, packageSource } from "./style_source.ts";
import { hasPackage } from "./highlight.ts";
import type { SiteContext } from "../upstream/site.ts";

export const BEHAVIORS = "@refrakt-md/behaviors";

/**
 * Returns the address of their main module in a preview, without loading it here; `undefined` if the
 * project does not have the package.
 */
export async function behaviorsModule(site: SiteContext): Promise<string | undefined> {
  if (!hasPackage(site, BEHAVIORS)) return undefined;
  const source = await packageSource(site, BEHAVIORS, true);
  const main = source && await entryOf(source, "", ".js");
  if (main === undefined) {
    throw new RefraktError("PLUGIN_LOAD_FAILED", `${BEHAVIORS} has no readable main module`);
  }
  return posix.join(source!.address, main);
}
