/** Caches assembled sites until their config, packages or local runes change. */

import { saidBy } from "../../../../src/errors.ts";
import { packageVersion } from "../../../../src/packages/versions.ts";
import type { Project } from "../../../../src/plugin/project.ts";
import { chooseSite } from "../../sites.ts";
import type { SiteConfig } from "../../../../src/plugin/project.ts";
import { areCurrent, type Reads, recordInto } from "../../../../src/io/reads.ts";
import { assemble } from "./assemble.ts";
import type { SiteContext } from "./site.ts";
import { upstreamVersions } from "./package_versions.ts";

interface Entry {
  /** The last state of the project that had these inputs. */
  project: Project;
  readonly inputs: string;
  /** Stamps of the local runes' files. */
  files: Reads;
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
  const known = entries.get(key);
  // What tells of the packages belongs to a state of the project.
  const inputs = known?.project === project
    ? known.inputs
    : recordInto(project.reads, () => inputsOf(project, config));
  const made = () => {
    const context = assemble(project, config);
    return { project, inputs, files: new Map(), retryAt: Infinity, context };
  };
  const entry = known?.inputs !== inputs || !areCurrent(known.files)
    ? made()
    : Date.now() < known.retryAt
    ? known
    : await retried(known, made());
  entry.project = project;
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

/** Returns the site as it was if the same packages fail again, so that its pages stay cached. */
async function retried(known: Entry, again: Entry): Promise<Entry> {
  known.retryAt = Date.now() + RETRY_AFTER_MS;
  const [before, now] = await Promise.all([known.context, again.context].map(failuresOf));
  return before === now ? known : again;
}

/** What failed; a site that cannot be assembled differs from every other. */
async function failuresOf(context: Promise<SiteContext>): Promise<string | undefined> {
  return (await context.catch(() => undefined))?.failures.map(({ message }) => message).join("\n");
}

/** Everything that a site is made of besides local runes, for comparison. */
function inputsOf(project: Project, site: SiteConfig): string {
  const others = [...site.plugins, "@refrakt-md/content"].map((name) => {
    try {
      return packageVersion(project, name);
    } catch (error) {
      return saidBy(error);
    }
  });
  return JSON.stringify([project.config?.raw, upstreamVersions(project), others]);
}
