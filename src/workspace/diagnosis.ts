/**
 * What the packages of the sites are like, for the detection report. The engine may be
 * busy or waiting for a registry; the report does not wait for it.
 *
 * @module
 */

import { messageOf } from "../errors.ts";
import { changedPackages, noteLoaded } from "../npm/changes.ts";
import type { Project, Warning } from "../project/project.ts";
import type { SiteEngine } from "../site/engine/client.ts";
import type { SiteReport, SitesReport } from "../tools/detection.ts";
import type { DiscoveredPlugin } from "../tools/discovered_plugin.ts";
import { soon } from "./soon.ts";

/** What was begun for a project. */
interface Running {
  readonly started: number;
  readonly reports: ReadonlyMap<string, Promise<SiteReport>>;
}

const running = new WeakMap<Project, Running>();

/** Tries the packages of every site; what is not known in time is left out. */
export async function diagnoseSites(engine: SiteEngine, project: Project): Promise<SitesReport> {
  if (project.site === null) return { sites: null, warnings: changedPackages(project) };
  let begun = running.get(project);
  if (begun === undefined) {
    const { names } = project.site;
    begun = {
      started: performance.now(),
      reports: new Map(names.map((name) => [name, diagnose(engine, project, name)])),
    };
    running.set(project, begun);
  }
  const { started, reports } = begun;
  const sites = await Promise.all(
    [...reports].map(async ([site, report]) => await soon(report, started) ?? { site }),
  );
  return { sites, warnings: [...problemsOf(sites), ...changedPackages(project)] };
}

/** Notes the folders of plugins, also of those that were loaded in Workers. */
export function noteFolders(plugins: readonly DiscoveredPlugin[]): void {
  for (const { packageName, origin, path } of plugins) {
    if (path !== undefined && (origin === "workspace" || origin === "linked")) {
      noteLoaded(packageName, { path, kind: origin });
    }
  }
}

async function diagnose(engine: SiteEngine, project: Project, site: string): Promise<SiteReport> {
  const call = { project, signal: new AbortController().signal, progress: () => {} };
  try {
    const report = await engine.ask("diagnose", { site }, call);
    for (const { name, origin, path } of report.packages) {
      if (path === undefined || origin !== "workspace" && origin !== "linked") continue;
      noteLoaded(name, { path: `${project.cwd}/${path}`, kind: origin });
    }
    return report;
  } catch (error) {
    return { site, problem: messageOf(error) };
  }
}

/** A package that several sites need is one warning. */
function problemsOf(sites: readonly SiteReport[]): Warning[] {
  const found = new Map<string, { names: string[]; hint?: string }>();
  for (const { site, packages = [], problem } of sites) {
    if (problem !== undefined) found.set(problem, { names: [site] });
    for (const { problem: message, hint } of packages) {
      if (message === undefined) continue;
      const known = found.get(message);
      if (known === undefined) {
        found.set(message, { names: [site], ...(hint === undefined ? {} : { hint }) });
      } else if (!known.names.includes(site)) known.names.push(site);
    }
  }
  return [...found].map(([message, { names, hint }]): Warning => ({
    code: "SITE_BROKEN",
    message: `${names.length === 1 ? "Site" : "Sites"} ${names.join(", ")}: ${message}`,
    ...(hint === undefined ? {} : { hint }),
  }));
}
