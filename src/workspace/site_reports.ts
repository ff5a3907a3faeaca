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
import { groupedByReason, hintOf, type Problem, reasonOf } from "./group_warnings.ts";

/** What was begun for a project. */
interface Running {
  readonly reports: ReadonlyMap<string, Promise<SiteReport>>;
  /** What was wrong is tried again after this time, by `performance.now()`. */
  retryAt: number;
}

/** How long what could not be loaded is believed to be so, in milliseconds. */
const RETRY_AFTER_MS = 10_000;

const running = new WeakMap<Project, Running>();

/**
 * Tries the packages of every site; what is not known in time is left out.
 *
 * @param deadline Until when a report is waited for, by `performance.now()`.
 * @param told What the report says already.
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
    [...begun.reports].map(async ([site, report]) =>
      waitMs === Infinity ? await report : (await within(report, waitMs))?.value ?? { site }
    ),
  );
  return { sites, warnings: [...loadingWarning(sites), ...problemsOf(sites, told)] };
}

function begin(engine: SiteEngine, project: Project, names: readonly string[]): Running {
  const reports = new Map(names.map((name) => [name, diagnose(engine, project, name)]));
  const begun: Running = { reports, retryAt: Infinity };
  Promise.all(reports.values()).then((sites) => {
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

/** What is wrong with a package of a site. */
interface SiteProblem extends Problem {
  readonly site: string;
}

/**
 * Packages with the same problem are one warning, and so are the sites that need them. What
 * is said of a plugin already is not said again of the only site.
 */
function problemsOf(sites: readonly SiteReport[], told: readonly Warning[] = []): Warning[] {
  const known = new Set(
    told.flatMap(({ package: name, message }) =>
      name === undefined || sites.length > 1 ? [] : [`${name} ${reasonOf({ name, message })}`]
    ),
  );
  const warnings: Warning[] = [];
  const problems: SiteProblem[] = [];
  for (const { site, packages = [], problem } of sites) {
    if (problem !== undefined) {
      warnings.push({ code: "SITE_BROKEN", message: `Site ${site}: ${problem}` });
    }
    for (const { name, problem: message, hint } of packages) {
      if (message === undefined || known.has(`${name} ${reasonOf({ name, message })}`)) continue;
      problems.push({ site, name, message, ...(hint === undefined ? {} : { hint }) });
    }
  }
  return [...warnings, ...groupedByReason(problems).map(warningOf)];
}

function warningOf(problems: readonly [SiteProblem, ...SiteProblem[]]): Warning {
  const [first] = problems;
  const sites = [...new Set(problems.map(({ site }) => site))];
  const names = [...new Set(problems.map(({ name }) => name))];
  const what = names.length === 1
    ? first.message
    : `${names.length} packages cannot be loaded (${names.join(", ")}): ${reasonOf(first)}`;
  return {
    code: "SITE_BROKEN",
    message: `${sites.length === 1 ? "Site" : "Sites"} ${sites.join(", ")}: ${what}`,
    ...hintOf(first, names),
  };
}
