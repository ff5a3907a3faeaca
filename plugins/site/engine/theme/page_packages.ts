/** What the project's packages add to a page: its highlighter and its behaviours (tabs, menus, copy buttons). */

import { posix } from "node:path";
import { RefraktError } from "../../../../src/errors.ts";
import { importVersion } from "../../../../src/packages/load.ts";
import { installedCopy } from "../../../../src/packages/installed.ts";
import { packageFacts } from "../../../../src/packages/manifests.ts";
import { contentVersion, lockstepVersion } from "../upstream/package_versions.ts";
import type { ContentModule } from "../upstream/shapes.ts";
import type { SiteContext } from "../upstream/site.ts";
import { entryOf, packageSource } from "./style_source.ts";

/** Highlights the code blocks of a serialized tree; `css` is what it needs. */
export interface Highlighter {
  (tree: unknown): unknown;
  readonly css?: string;
}

const PACKAGE = "@refrakt-md/highlight";

/** Returns the site's highlighter; `undefined` if the project does not have the package. */
export function highlighterOf(site: SiteContext): Promise<Highlighter | undefined> {
  return site.memo([site, "highlighter"], () => load(site));
}

async function load(site: SiteContext): Promise<Highlighter | undefined> {
  if (!hasPackage(site, PACKAGE)) return undefined;
  const { project } = site;
  const [{ createHighlightTransform }, content] = await Promise.all([
    importVersion<{ createHighlightTransform(options: object): Promise<Highlighter> }>(
      lockstepVersion(project, PACKAGE),
    ),
    importVersion<ContentModule>(contentVersion(project)),
  ]);
  return await createHighlightTransform(content.buildHighlightOptions?.(site.site.raw) ?? {});
}

/** Whether a package is installed or declared. */
export function hasPackage({ project }: SiteContext, name: string): boolean {
  return installedCopy(project, name) !== undefined ||
    packageFacts(project).declared.some((each) => each.name === name);
}

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
