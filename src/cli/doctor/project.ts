/**
 * What `doctor` says about the project: what is detected, what can be read, and
 * whether the plan and each site work.
 *
 * @module
 */

import { asObject, fieldOf } from "../../io/json.ts";
import { dirname, join } from "node:path";
import type { WarningCode } from "../../errors.ts";
import { mayRead } from "../../io/permissions.ts";
import { shownPath } from "../../io/paths.ts";
import { planAround } from "../../project/missing_plan.ts";
import type { Project } from "../../project/project.ts";
import { callTool } from "../../tools/call.ts";
import type { CallContext } from "../../tools/context.ts";
import type { Toolset } from "../../tools/registry.ts";
import type { Detection } from "../../tools/detection.ts";
import { themeOf } from "./config.ts";
import { count, type Finding, ok, problem, problemOf, warning } from "./finding.ts";

/** Warnings that stop something which the project asks for. */
const PROBLEMS: ReadonlySet<WarningCode> = new Set([
  "CONFIG_INVALID",
  "FOLDER_UNREADABLE",
  "PLUGIN_LOAD_FAILED",
  "PLUGIN_MALFORMED",
  "SITE_BROKEN",
]);

/** What is detected, in short. */
export function detectionFindings(report: Detection): Finding[] {
  const { plan, site, versions, plugins, warnings } = report;
  const around = plan === null ? planAround(report.cwd) : undefined;
  // Code that is left out for want of a flag says nothing about the project.
  const leftOut = warnings.some(({ code }) => code === "CODE_NOT_TRUSTED");
  const carried = Object.entries(versions.carried ?? {}).map((entry) => entry.join(" "));
  return [
    ok("project", report.cwd),
    ok("server", `${versions.server} on Deno ${versions.deno}`),
    ...(carried.length === 0 ? [] : [ok("binary", `carries ${carried.join(", ")}`)]),
    around !== undefined
      ? problem(
        "plan",
        `none here: this directory itself lies inside the plan ${around}`,
        `Start the server in the project of that plan: --cwd=${dirname(around)}`,
      )
      : plan === null
      ? ok("plan", "none; plan.init creates one")
      : ok("plan", `${plan.dir}/ with ${count(plan.fileCount, "entity", "entities")}`),
    ok("sites", site === null ? "none declared" : site.sites.join(", ")),
    ...plugins.map(({ packageName, packageVersion, versionFrom, commands }) =>
      ok(
        "plugin",
        `${packageName} ${packageVersion} (${versionFrom}), ${count(commands.length, "command")}`,
      )
    ),
    ...warnings.map(({ code, message, hint }) => {
      const stops = PROBLEMS.has(code) && !(leftOut && code === "SITE_BROKEN");
      return (stops ? problem : warning)(topicOf(code), message, hint);
    }),
  ];
}

function topicOf(code: WarningCode): string {
  if (code === "CONFIG_INVALID") return "config";
  if (code === "FOLDER_UNREADABLE") return "folder";
  if (code === "SITE_BROKEN") return "site";
  return code.startsWith("PLUGIN") ? "plugin" : "warning";
}

/** Folders that are there and cannot be read: by the grants, or by the operating system. */
export function folderFindings(project: Project): Finding[] {
  const planFolders = project.planDir === null
    ? []
    : [project.planDir, ...foldersIn(project.planDir)];
  const content = [...project.site?.sites.values() ?? []].flatMap(({ raw }) =>
    typeof raw["contentDir"] === "string" ? [join(project.cwd, raw["contentDir"])] : []
  );
  return [...planFolders, ...content, join(project.cwd, "specs")].flatMap((path) => {
    const shown = `${shownPath(project.cwd, path)}/`;
    if (!mayRead(path)) {
      return [problem(
        "folder",
        `${shown} may not be read`,
        "A --deny-read or a narrow --allow-read keeps the server out: grant --allow-read=. whole.",
      )];
    }
    try {
      for (const _ of Deno.readDirSync(path)) break;
      return [];
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      if (error instanceof Deno.errors.NotADirectory) {
        return [problem("folder", `${shown.slice(0, -1)} is a file, and should be a folder`)];
      }
      return [problem(
        "folder",
        `${shown} cannot be read: ${error instanceof Error ? error.message : error}`,
        "Check its owner and its mode.",
      )];
    }
  });
}

function foldersIn(path: string): string[] {
  try {
    return [...Deno.readDirSync(path)].filter((entry) => entry.isDirectory)
      .map((entry) => join(path, entry.name));
  } catch {
    return [];
  }
}

/** Whether the structure of the plan is sane. */
export async function planFindings(toolset: Toolset, context: CallContext): Promise<Finding[]> {
  if (context.project.plan === null) return [];
  const tool = toolset.findTool("plan.validate");
  if (tool === undefined) return [problem("plan", "The plan plugin is not loaded")];
  const counts = asObject(fieldOf(await callTool(tool, {}, context), "counts"));
  const [errors, warnings] = [Number(counts["errors"]), Number(counts["warnings"])];
  const message = `${count(errors, "error")}, ${count(warnings, "warning")} in its structure`;
  return [
    errors === 0
      ? ok("plan", message)
      : warning("plan", message, "See them with: call plan.validate"),
  ];
}

/** Tries each site that nothing is known to be wrong with: its runes, and its theme. */
export async function siteFindings(
  toolset: Toolset,
  report: Detection,
  context: CallContext,
): Promise<Finding[]> {
  const [list, inspect] = ["refrakt.inspect_list", "refrakt.inspect"].map(toolset.findTool);
  if (list === undefined || inspect === undefined) return [];
  const broken = new Set(
    (report.sites ?? []).filter(({ problem, packages = [] }) =>
      problem !== undefined || packages.some((entry) => entry.problem !== undefined)
    ).map(({ site }) => site),
  );
  const findings: Finding[] = [];
  for (const { name, raw } of context.project.site?.sites.values() ?? []) {
    if (broken.has(name)) continue;
    try {
      const runes = fieldOf(await callTool(list, { site: name }, context), "runes");
      const theme = themeOf(raw);
      const styled = theme === undefined ? {} : { theme };
      await callTool(inspect, { rune: "hint", site: name, ...styled }, context);
      findings.push(
        ok(
          "site",
          `${name} has ${count(Array.isArray(runes) ? runes.length : 0, "rune")}, and renders`,
        ),
      );
    } catch (error) {
      const { message, ...rest } = problemOf("site", error);
      findings.push({ ...rest, message: `${name}: ${message}` });
    }
  }
  return findings;
}
