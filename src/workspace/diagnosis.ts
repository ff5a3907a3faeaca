/**
 * What the packages of the sites are like, for the detection report. The engine may be
 * busy or waiting for a registry; the report does not wait for it.
 *
 * @module
 */

import { messageOf } from "../errors.ts";
import { changedPackages, noteLoaded } from "../npm/changes.ts";
import { takesFromDisk } from "../npm/disk.ts";
import type { Project, Warning } from "../project/project.ts";
import type { SiteEngine } from "../site/engine/client.ts";
import type { SiteReport, SitesReport } from "../tools/detection.ts";
import type { DiscoveredPlugin } from "../tools/discovered_plugin.ts";
import { soon } from "./soon.ts";

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
 * @param started When somebody began to wait for it, by `performance.now()`.
 */
export async function diagnoseSites(
  engine: SiteEngine,
  project: Project,
  started: number,
): Promise<SitesReport> {
  if (project.site === null) return { sites: null, warnings: changedPackages(project) };
  let begun = running.get(project);
  if (begun === undefined || performance.now() > begun.retryAt) {
    begun = begin(engine, project, project.site.names);
    running.set(project, begun);
  }
  const sites = await Promise.all(
    [...begun.reports].map(async ([site, report]) =>
      await soon(report, started, {
        mayStall: () => !takesFromDisk(project),
        isDownloading: engine.isDownloading,
      }) ?? { site }
    ),
  );
  const warnings = [...loadingWarning(sites), ...problemsOf(sites), ...changedPackages(project)];
  return { sites, warnings };
}

function begin(engine: SiteEngine, project: Project, names: readonly string[]): Running {
  const reports = new Map(names.map((name) => [name, diagnose(engine, project, name)]));
  const begun: Running = { reports, retryAt: Infinity };
  Promise.all(reports.values()).then((sites) => {
    if (problemsOf(sites).length > 0) begun.retryAt = performance.now() + RETRY_AFTER_MS;
  });
  return begun;
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

/** What is wrong with a package. */
interface Problem {
  readonly site: string;
  readonly name: string;
  readonly message: string;
  readonly hint?: string;
}

/** Packages with the same problem are one warning, and so are the sites that need them. */
function problemsOf(sites: readonly SiteReport[]): Warning[] {
  const kinds = new Map<string, Problem[]>();
  const warnings: Warning[] = [];
  for (const { site, packages = [], problem } of sites) {
    if (problem !== undefined) {
      warnings.push({ code: "SITE_BROKEN", message: `Site ${site}: ${problem}` });
    }
    for (const { name, problem: message, hint } of packages) {
      if (message === undefined) continue;
      const found = { site, name, message, ...(hint === undefined ? {} : { hint }) };
      const kind = JSON.stringify([reasonOf(found), hint?.replaceAll(name, "")]);
      kinds.set(kind, [...kinds.get(kind) ?? [], found]);
    }
  }
  return [...warnings, ...[...kinds.values()].map(warningOf)];
}

function warningOf(problems: readonly Problem[]): Warning {
  const first = problems[0]!;
  const sites = [...new Set(problems.map(({ site }) => site))];
  const names = [...new Set(problems.map(({ name }) => name))];
  const what = names.length === 1
    ? first.message
    : `${names.length} packages cannot be loaded (${names.join(", ")}): ${reasonOf(first)}`;
  const hint = first.hint?.replaceAll(first.name, names.join(" "));
  return {
    code: "SITE_BROKEN",
    message: `${sites.length === 1 ? "Site" : "Sites"} ${sites.join(", ")}: ${what}`,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Why a package cannot be loaded, without saying which. */
function reasonOf({ name, message }: Problem): string {
  const at = message.indexOf(": ");
  const reason = message.startsWith("Cannot load ") && at > 0 ? message.slice(at + 2) : message;
  return reason.startsWith(`${name} `) ? `each ${reason.slice(name.length + 1)}` : reason;
}
