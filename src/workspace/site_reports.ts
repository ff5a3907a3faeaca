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

/** What was begun for a project; where something is wrong it is tried again. */
const running = new WeakMap<Project, { site: string; report: Promise<SiteReport> }[]>();

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
  const begun = running.get(project) ??
    project.site.names.map((site) => ({ site, report: diagnose(engine, project, site) }));
  running.set(project, begun);
  const waitMs = Math.max(0, deadline - performance.now());
  const sites = await Promise.all(
    begun.map(async ({ site, report }) =>
      waitMs === Infinity ? await report : (await within(report, waitMs))?.value ?? { site }
    ),
  );
  const isDone = sites.every(({ packages, problem }) => (packages ?? problem) !== undefined);
  if (isDone && problemsOf(sites).length > 0) running.delete(project);
  const known = sites.length === 1 ? told.map((warning) => warning.package) : [];
  return { sites, warnings: [...loadingWarning(sites), ...problemsOf(sites, known)] };
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
