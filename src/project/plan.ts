/**
 * Where the plan is, and how much is in it.
 *
 * @module
 */

import { join } from "node:path";
import { messageOf, RefraktError } from "../errors.ts";
import { readTextIfExists, statIfExists } from "../sandbox/files.ts";
import { isInside, realPathOf, resolveInside, shownPath } from "../sandbox/paths.ts";
import { asObject, CONFIG_NAME, type ConfigFile } from "./config.ts";
import type { Project, Warning } from "./project.ts";

/** A plan that is there. */
export interface PlanFacts {
  /** Its directory, relative to the project, with `/`. */
  readonly dir: string;
  /** Its directory: real, absolute. */
  readonly path: string;
  /** How many files hold an entity. Counted when first asked for. */
  readonly fileCount: number;
}

/** The plan's directory by the config, or `plan`; `null` where the config's leads out of the project. */
export function planDirOf(
  cwd: string,
  config: ConfigFile | null,
  warnings: Warning[],
): string | null {
  const configured = asObject(config?.raw["plan"])["dir"];
  const dir = typeof configured === "string" && configured !== "" ? configured : "plan";
  try {
    return resolveInside(cwd, dir, "The plan directory");
  } catch (error) {
    warnings.push({
      code: "CONFIG_INVALID",
      message: messageOf(error),
      hint: `Set plan.dir in ${CONFIG_NAME} to a folder inside the project.`,
    });
    return null;
  }
}

/** The plan, where its directory exists. */
export function findPlan(cwd: string, path: string): PlanFacts | null {
  if (!statIfExists(path)?.isDirectory) return null;
  let count: number | undefined;
  return {
    dir: shownPath(cwd, path),
    path,
    get fileCount() {
      return count ??= countEntities(cwd, path);
    },
  };
}

/**
 * The plan of a project that must have one.
 *
 * @throws {RefraktError} `PLAN_DIR_MISSING` where it has none.
 */
export function requirePlan(project: Pick<Project, "plan">): PlanFacts {
  if (project.plan !== null) return project.plan;
  throw new RefraktError("PLAN_DIR_MISSING", "The project has no plan directory", {
    hint: `Call plan.init to create it, or set plan.dir in ${CONFIG_NAME}.`,
  });
}

/**
 * Every Markdown file below a directory, as paths relative to it with `/`. Links that
 * lead out of the project, nowhere or in a circle are left out, alone.
 */
export function markdownFiles(root: string, dir: string): string[] {
  const files: string[] = [];
  const walk = (folder: string, way: string, seen: readonly string[]) => {
    for (const entry of [...Deno.readDirSync(folder)].sort(byName)) {
      const relativeWay = way === "" ? entry.name : `${way}/${entry.name}`;
      const path = join(folder, entry.name);
      let { isDirectory, isFile } = entry;
      let real = path;
      if (entry.isSymlink) {
        try {
          real = realPathOf(path);
          if (!isInside(root, real)) continue;
          ({ isDirectory, isFile } = Deno.statSync(real));
        } catch {
          continue;
        }
      }
      if (isDirectory) {
        if (seen.includes(real)) continue;
        walk(path, relativeWay, [...seen, real]);
      } else if (isFile && entry.name.endsWith(".md")) {
        files.push(relativeWay);
      }
    }
  };
  walk(dir, "", [realPathOf(dir)]);
  return files;
}

/** A string that differs when a file of the plan was changed, added or removed. */
export function planStamp(root: string, dir: string): string {
  let [size, newest] = [0, 0];
  const files = markdownFiles(root, dir);
  for (const file of files) {
    const info = Deno.lstatSync(join(dir, file));
    size += info.size;
    newest = Math.max(newest, info.mtime?.getTime() ?? 0);
  }
  return `${files.length}:${size}:${newest}`;
}

/** Counts the files with a plan tag at the start of a line, outside code fences. */
function countEntities(cwd: string, dir: string): number {
  return markdownFiles(cwd, dir).filter((file) => {
    const text = readTextIfExists(join(dir, file)) ?? "";
    let fence: string | null = null;
    for (const line of text.split("\n")) {
      const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
      if (mark !== undefined) {
        if (fence === null) fence = mark;
        else if (mark[0] === fence[0] && mark.length >= fence.length) fence = null;
      } else if (fence === null && /^\{%\s*(spec|work|bug|decision|milestone)(?:\s|$)/.test(line)) {
        return true;
      }
    }
    return false;
  }).length;
}

function byName(a: Deno.DirEntry, b: Deno.DirEntry): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
