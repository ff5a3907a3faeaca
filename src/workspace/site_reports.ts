/**
 * What the packages of the sites are like, for the detection report. The engine may be
 * busy or waiting for a registry; the report does not wait for it.
 *
 * @module
 */

import { messageOf } from "../errors.ts";
import { within } from "../io/within.ts";
import type { Project, Warning } from "../project/project.ts";
import type { SiteEngine } from "../site/engine/client.ts";
import type { SiteReport, SitesReport } from "../tools/detection.ts";

/** What was begun for a project. */
interface Running {
  readonly reports: readonly { readonly site: string; readonly report: Promise<SiteReport> }[];
  /** What was wrong is tried again after this time, by `performance.now()`. */
  retryAt: number;
}

/** How long what could not be loaded is believed to be so, in milliseconds. */
const RETRY_AFTER_MS = 10_000;

const running = new WeakMap<Project, Running>();

/**
 * Tries the packages of every site; what is not known by the deadline (`performance.now()`) is left
 * out, and so is what the report says already of the only site.
 */
export async function siteReports(
  engine: SiteEngine,
  project: Project,
  deadline: number,
  told: readonly Warning[] = [],
): Promise<SitesReport> {
  if (project.site === null) return { sites: null, warnings: [] };
  let begun = running.get(project);
  if (begun === undefined || performance.now() > begun.retryAt) {
    begun = begin(engine, project, project.site.names);
    running.set(project, begun);
  }
  const waitMs = Math.max(0, deadline - performance.now());
  const sites = await Promise.all(
    begun.reports.map(async ({ site, report }) =>
      waitMs === Infinity ? await report : (await within(report, waitMs))?.value ?? { site }
    ),
  );
  const known = sites.length === 1 ? told.map((warning) => warning.package) : [];
  return { sites, warnings: [...loadingWarning(sites), ...problemsOf(sites, known)] };
}

function begin(engine: SiteEngine, project: Project, names: readonly string[]): Running {
  const reports = names.map((site) => ({ site, report: diagnose(engine, project, site) }));
  const begun: Running = { reports, retryAt: Infinity };
  Promise.all(reports.map(({ report }) => report)).then((sites) => {
    if (problemsOf(sites).length > 0) begun.retryAt = performance.now() + RETRY_AFTER_MS;
  });
  return begun;
}

async function diagnose(engine: SiteEngine, project: Project, site: string): Promise<SiteReport> {
  const call = { project, signal: new AbortController().signal, progress: () => {} };
  try {
    return await engine.ask("diagnose", { site }, call);
  } catch (error) {
    return { site, problem: messageOf(error) };
  }
}

function loadingWarning(sites: readonly SiteReport[]): Warning[] {
  const names = sites.filter(({ packages, problem }) => (packages ?? problem) === undefined)
    .map(({ site }) => site);
  if (names.length === 0) return [];
  return [{
    code: "PLUGINS_LOADING",
    message: `Still being loaded: the packages of site ${names.join(", ")}`,
    hint: "Call refrakt.detect again to see what they are.",
  }];
}

/** A warning for each site and package with a problem; sites with the same one share it. */
function problemsOf(
  sites: readonly SiteReport[],
  known: readonly (string | undefined)[] = [],
): Warning[] {
  const found = new Map<string, { names: string[]; hint?: string | undefined }>();
  for (const { site, packages = [], problem: whole } of sites) {
    const wrong = packages.filter(({ name }) => !known.includes(name));
    for (const { problem, hint } of [{ problem: whole, hint: undefined }, ...wrong]) {
      if (problem === undefined) continue;
      const same = found.get(problem);
      if (same === undefined) found.set(problem, { names: [site], hint });
      else same.names.push(site);
    }
  }
  return [...found].map(([problem, { names, hint }]) => ({
    code: "SITE_BROKEN",
    message: `${names.length === 1 ? "Site" : "Sites"} ${names.join(", ")}: ${problem}`,
    ...(hint === undefined ? {} : { hint }),
  }));
}
