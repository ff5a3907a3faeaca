/**
 * Examines the sites' packages for the detection report, which does not wait long: the engine may be
 * busy or downloading.
 */

import { quotedName, word } from "../../src/plain_text.ts";
import { messageOf } from "../../src/errors.ts";
import { defined } from "../../src/io/json.ts";
import { noteUntil } from "../../src/io/reads.ts";
import { waitAtMost } from "../../src/io/turns.ts";
import type { Project, Warning } from "../../src/plugin/project.ts";
import { siteEngine } from "./engine/lazy.ts";
import { configKey } from "./sites.ts";
import type { Detection, SiteReport } from "../../src/plugin/detection.ts";

/** How long a problem counts as known, in milliseconds. */
const AGAIN_AFTER_MS = 1000;

/** Omits what is unknown by the deadline (`performance.now()`), and known problems. */
export async function siteReports(
  project: Project,
  deadline: number,
  warnings: readonly Warning[],
): Promise<Pick<Detection, "sites" | "warnings">> {
  const waitMs = Math.max(0, deadline - performance.now());
  const sites = await Promise.all(project.site!.names.map((site) => {
    const key = [...configKey(project), "report", site];
    const report = project.memo(key, () => reportOf(project, site));
    return waitMs === Infinity ? report : waitAtMost(waitMs, report, (): SiteReport => ({ site }));
  }));
  const omitted = sites.length === 1 ? warnings.map((warning) => warning.package) : [];
  return { sites, warnings: [...loadingWarning(sites), ...problemsOf(sites, omitted)] };
}

async function reportOf(project: Project, site: string): Promise<SiteReport> {
  try {
    const report = await (await siteEngine()).diagnose({ site }, { project });
    if (report.packages.some(({ problem }) => problem)) noteUntil(Date.now() + AGAIN_AFTER_MS);
    return report;
  } catch (error) {
    noteUntil(Date.now() + AGAIN_AFTER_MS);
    return { site, problem: messageOf(error) };
  }
}

function loadingWarning(sites: readonly SiteReport[]): Warning[] {
  const names = sites.filter(({ packages, problem }) => (packages ?? problem) === undefined)
    .map(({ site }) => site);
  if (names.length === 0) return [];
  return [{
    code: "PLUGINS_LOADING",
    message: `Still loading: the packages of site ${names.map(quotedName).join(", ")}`,
    hint: "Call refrakt_detect again to see them.",
  }];
}

/** One warning per problem; sites with the same problem share it. */
function problemsOf(
  sites: readonly SiteReport[],
  reported: readonly (string | undefined)[],
): Warning[] {
  const problems = new Map<string, { names: string[]; hint?: string | undefined }>();
  for (const { site, packages = [], problem: whole } of sites) {
    const wrong = packages.filter(({ name }) => !reported.includes(name));
    for (const { problem, hint } of [{ problem: whole, hint: undefined }, ...wrong]) {
      if (problem === undefined) continue;
      problems.getOrInsert(problem, { names: [], hint }).names.push(site);
    }
  }
  return [...problems].map(([problem, { names, hint }]) => {
    const sites = `${names.length === 1 ? "Site" : "Sites"} ${names.map(word).join(", ")}`;
    return defined({ code: "SITE_BROKEN" as const, message: `${sites}: ${problem}`, hint });
  });
}
