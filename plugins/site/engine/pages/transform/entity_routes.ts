/**
 * The hooks that `@refrakt-md/content` does not export: pages created from entities by `entityRoutes`,
 * and entities created from pages with a `type`. They are in the same files from 0.24 to 0.29.
 */

import { importModule, packageFolder } from "../../../../../src/packages/load.ts";
import { contentVersion } from "../../upstream/package_versions.ts";
import type { PipelineHooks } from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";

export interface EntityHooks {
  /** `template` returns the Markdoc of a partial. */
  createEntityRoutesHooks?(template: (name: string) => string | undefined): PipelineHooks;
  createPageEntityHooks?(site: unknown): PipelineHooks;
}

export async function loadEntityHooks({ project }: SiteContext): Promise<EntityHooks> {
  const version = contentVersion(project);
  const folder = await packageFolder(version);
  if (folder === undefined) throw new Error(`the folder of ${version.name} is not known`);
  const files = ["entity-routes.js", "page-entities.js"].map((file) =>
    importModule<EntityHooks>(new URL(`dist/${file}`, folder).href, version.code)
  );
  return Object.assign({}, ...await Promise.all(files));
}
