/**
 * Whether a site can be assembled without a download: plugins are not downloaded in advance,
 * because some are large and may never be used.
 *
 * @module
 */

import { isInRegistry, loadVersion } from "../../npm/load.ts";
import { FIRST_PARTY_SCOPE, isExactVersion } from "../../npm/names.ts";
import { isDownloaded } from "../../npm/from_npm.ts";
import { packageVersion } from "../../npm/versions.ts";
import type { Project } from "../../project/project.ts";
import { chooseSite } from "../../project/sites.ts";
import { upstreamVersions } from "./upstream_versions.ts";

/**
 * Whether the plugins of a site are there. The core is loaded to find out: every tool of
 * the site needs it.
 */
export async function isAtHand(project: Project, name: string): Promise<boolean> {
  const plugins = chooseSite(project, name).plugins
    // Those of other publishers have been loaded for their commands.
    .filter((plugin) => plugin.startsWith(FIRST_PARTY_SCOPE))
    .map((plugin) => packageVersion(project, plugin)).filter(isInRegistry);
  if (plugins.length === 0) return true;
  const { runes } = upstreamVersions(project);
  const { version } = await loadVersion(runes);
  const core = { ...runes, version };
  const found = await Promise.all(plugins.map((plugin) => {
    // A range means the version of its siblings: they are released together.
    const exact = isExactVersion(plugin.version) ? plugin.version : version;
    return isDownloaded({ ...plugin, version: exact }, core);
  }));
  return found.every((each) => each);
}
