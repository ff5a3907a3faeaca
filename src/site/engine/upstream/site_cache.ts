/** Caches assembled sites until their config, packages or local runes change. */

import { messageOf } from "../../../errors.ts";
import { fileStamp } from "../../../io/stamp.ts";
import { packageVersion } from "../../../npm/versions.ts";
import type { Project } from "../../../project/project.ts";
import { chooseSite, type SiteConfig } from "../../../project/sites.ts";
import { assemble } from "./assemble.ts";
import type { SiteContext } from "./site.ts";
import { upstreamVersions } from "./package_versions.ts";

interface Entry {
  readonly inputs: string;
  /** Stamps of the local runes' files. */
  files: ReadonlyMap<string, string>;
  /** A site with failures is assembled again after this time. */
  retryAt: number;
  readonly context: Promise<SiteContext>;
}

/** How long a site with failures is cached. */
const RETRY_AFTER_MS = 10_000;

/** By project, trusted code and site, the last used one last. */
const entries = new Map<string, Entry>();

/** The limit of sites in memory; each takes some 20 MB with its pages. */
const MOST_SITES = 8;

/** Loads a site, or returns it as it was loaded if nothing that it is made of has changed. */
export async function siteOf(project: Project, wanted: string | undefined): Promise<SiteContext> {
  const config = chooseSite(project, wanted);
  const key = JSON.stringify([project.cwd, project.code, config.name]);
  const inputs = inputsOf(project, config);
  const known = entries.get(key);
  const entry = known?.inputs === inputs && isCurrent(known)
    ? known
    : { inputs, files: new Map(), retryAt: Infinity, context: assemble(project, config) };
  entries.delete(key);
  entries.set(key, entry);
  if (entries.size > MOST_SITES) entries.delete(entries.keys().next().value!);
  try {
    const context = await entry.context;
    if (entry === known) return context;
    entry.files = context.files;
    if (context.failures.length > 0) entry.retryAt = Date.now() + RETRY_AFTER_MS;
    return context;
  } catch (error) {
    if (entries.get(key) === entry) entries.delete(key);
    throw error;
  }
}

function isCurrent({ files, retryAt }: Entry): boolean {
  return Date.now() < retryAt && [...files].every(([path, stamp]) => fileStamp(path) === stamp);
}

/** Everything that a site is made of besides local runes, for comparison. */
function inputsOf(project: Project, site: SiteConfig): string {
  const others = [...site.plugins, "@refrakt-md/content"].map((name) => {
    try {
      return packageVersion(project, name);
    } catch (error) {
      return messageOf(error);
    }
  });
  return JSON.stringify([project.config?.raw, upstreamVersions(project), others]);
}
