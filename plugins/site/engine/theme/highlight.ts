/** Loads the highlighter of the project's packages. */

import { importVersion } from "../../../../src/packages/load.ts";
import { installedCopy } from "../../../../src/packages/installed.ts";
import { packageFacts } from "../../../../src/packages/manifests.ts";
import { contentVersion, lockstepVersion } from "../upstream/package_versions.ts";
import type { ContentModule } from "../upstream/shapes.ts";
import type { SiteContext } from "../upstream/site.ts";

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
