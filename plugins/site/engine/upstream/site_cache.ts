/** Finds an assembled site: it is assembled again when its config, a package or a local rune changes. */

import { RefraktError } from "../../../../src/errors.ts";
import { noteUntil } from "../../../../src/io/reads.ts";
import { mayPass } from "../../../../src/packages/failures.ts";
import type { Project } from "../../../../src/plugin/project.ts";
import { chooseSite, configKey } from "../../sites.ts";
import { assemble, loadLocalRune, localModules } from "./assemble.ts";
import { loadPlugin } from "./load_plugin.ts";
import { upstreamVersions } from "./package_versions.ts";
import type { SiteContext } from "./site.ts";
import { loadUpstream } from "./upstream.ts";

/** How long after a failed download the next one waits, in milliseconds. */
const RETRY_AFTER_MS = 10_000;

/** How long a package that npm does not have counts as missing, in milliseconds. */
const DAY_MS = 86_400_000;

/** Notes when a failed load expires: soon, if the network or npm may be back. */
export function noteFailure(error: unknown): void {
  const isPassing = mayPass(error) || error instanceof Error && mayPass(error.cause);
  noteUntil(Date.now() + (isPassing ? RETRY_AFTER_MS : DAY_MS));
}

/** The limit of sites in memory; each takes some 20 MB with its pages. */
const MOST_CACHED = 8;

/** Loads a site, or returns the loaded one while its config, packages and runes are the same. */
export async function siteOf(project: Project, wanted: string | undefined): Promise<SiteContext> {
  const site = chooseSite(project, wanted);
  const { memo } = project;
  const owner = configKey(project);
  const upstream = await memo("upstream", () => loadUpstream(upstreamVersions(project)));
  const plugins = await Promise.all(
    [...new Set(site.plugins)].map((name) => {
      const load = () => outcomeOf(loadPlugin(project, name, upstream.runes));
      return memo([upstream, "plugin", name], load);
    }),
  );
  const local = await Promise.all(
    localModules(site).map(([name, path]) => {
      const load = () => outcomeOf(loadLocalRune(project, name, path, upstream.runes));
      return memo([...owner, upstream, "local rune", site.name, name], load);
    }),
  );
  // Its pages stay as they are if the same packages fail again.
  const loaded = [...plugins, ...local].map((part) => part instanceof Error ? part.message : part);
  const parts = memo.same([...owner, "site", site.name], [upstream, ...loaded], MOST_CACHED);
  return memo([parts, "site"], () => assemble(project, site, upstream, plugins, local));
}

/** The loaded part, or the error, which may not occur later. */
async function outcomeOf<Part>(loading: Promise<Part>) {
  try {
    return await loading;
  } catch (error) {
    if (!(error instanceof RefraktError)) throw error;
    noteFailure(error);
    return error;
  }
}
