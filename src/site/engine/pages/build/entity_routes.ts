/**
 * The hooks that `@refrakt-md/content` does not export: pages created from entities by `entityRoutes`,
 * and entities created from pages with a `type`. They are in the same files from 0.24 to 0.29.
 */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { importModule } from "../../../../npm/load.ts";
import { loadedPackage } from "../../../../sandbox/modules.ts";
import { contentVersion } from "../../upstream/package_versions.ts";
import type { PipelineHooks } from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";

export interface EntityHooks {
  /** `template` returns the Markdoc of a partial. */
  createEntityRoutesHooks?(template: (name: string) => string | undefined): PipelineHooks;
  createPageEntityHooks?(site: unknown): PipelineHooks;
}

/** Loads the hooks; the package's main module has to be loaded. */
export async function loadEntityHooks({ project }: SiteContext): Promise<EntityHooks> {
  const { name, version, root, folder, code } = contentVersion(project);
  const base = root === undefined || folder === undefined
    ? loadedPackage(name, version)?.base
    : pathToFileURL(join(folder.path, "/"));
  const files = ["entity-routes.js", "page-entities.js"].map((file) =>
    importModule<EntityHooks>(new URL(`dist/${file}`, base).href, code)
  );
  return Object.assign({}, ...await Promise.all(files));
}
