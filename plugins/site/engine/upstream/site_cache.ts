/** Finds an assembled site: it is assembled again when its config, a package or a local rune changes. */

import { RefraktError } from "../../../../src/errors.ts";
import { noteUntil } from "../../../../src/io/reads.ts";
import { installedCopy, takesFromDisk } from "../../../../src/packages/installed.ts";
import type { Project } from "../../../../src/plugin/project.ts";
import { chooseSite, configKey } from "../../sites.ts";
import { assemble, loadLocalRune, localRunes } from "./assemble.ts";
import { loadPlugin } from "./load_plugin.ts";
import { upstreamVersions } from "./package_versions.ts";
import type { SiteContext } from "./site.ts";
import { loadUpstream } from "./upstream.ts";

/** How long what cannot be loaded is not loaded again, in milliseconds. */
export const RETRY_AFTER_MS = 10_000;

/** The limit of sites in memory; each takes some 20 MB with its pages. */
const MOST_SITES = 8;

/** Loads a site, or returns it as it was loaded if nothing that it is made of has changed. */
export async function siteOf(project: Project, wanted: string | undefined): Promise<SiteContext> {
  const site = chooseSite(project, wanted);
  const { memo } = project;
  const owner = configKey(project);
  const upstream = await memo("upstream", () => loadUpstream(upstreamVersions(project)));
  const plugins = await Promise.all(
    [...new Set(site.plugins)].map((name) => {
      const load = () => outcomeOf(project, loadPlugin(project, name, upstream.runes));
      return memo([upstream, "plugin", name], load);
    }),
  );
  const local = await Promise.all(
    localRunes(site).map(([name, path]) => {
      const load = () => outcomeOf(project, loadLocalRune(project, name, path, upstream.runes));
      return memo([...owner, upstream, "local rune", site.name, name], load);
    }),
  );
  // Its pages stay as they are if the same packages fail again.
  const parts = memo.same(
    [...owner, "site", site.name],
    [
      upstream,
      ...[...plugins, ...local].map((part) => part instanceof Error ? part.message : part),
    ],
    MOST_SITES,
  );
  return memo([parts, "site"], () => assemble(project, site, upstream, plugins, local));
}

/** What was loaded, or why it was not: it may be loaded later. */
async function outcomeOf<Part>(project: Project, loading: Promise<Part>) {
  try {
    return await loading;
  } catch (error) {
    if (!(error instanceof RefraktError)) throw error;
    if (!isMissing(project, error)) noteUntil(Date.now() + RETRY_AFTER_MS);
    return error;
  }
}

/** Whether a package is not installed, which is among what was read. */
function isMissing(project: Project, { data }: RefraktError): boolean {
  const name = data?.["plugin"];
  return typeof name === "string" && takesFromDisk(project) &&
    installedCopy(project, name) === undefined;
}
