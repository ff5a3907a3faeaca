/**
 * Reads the parts of a rune package: its manifest, its plugin object and its commands, from a
 * package that the project has or from a folder in it. Its modules
 * are imported, which runs them.
 *
 * @module
 */

import { join } from "node:path";
import { messageOf, RefraktError } from "../../errors.ts";
import { isObject } from "../../io/json.ts";
import { statIfExists } from "../../io/files.ts";
import { resolveInside, shownPath } from "../../io/paths.ts";
import { readIfExists } from "../../io/read.ts";
import { isMissingExport } from "../../npm/failures.ts";
import { importVersion } from "../../npm/load.ts";
import { packageVersion } from "../../npm/versions.ts";
import type { Project } from "../../project/project.ts";
import { findPluginExport, packageDir } from "./load_plugin.ts";
import { importLocal } from "./local_modules.ts";
import type { Finding, PluginExport } from "./shapes.ts";

/** The parts of a package. */
export interface PackageSource {
  readonly name: string;
  readonly shown: string;
  /** `null` where there is none; a text where it is not JSON. */
  readonly manifest: Record<string, unknown> | string | null;
  readonly dir: string | undefined;
  /** The plugin object, or why it cannot be had. */
  plugin(warnings: Finding[]): Promise<PluginExport | undefined>;
  /** What `./cli-plugin` exports; `undefined` where the package has no such export. */
  commands(): Promise<{ exports: Readonly<Record<string, unknown>> } | undefined>;
}

const ENTRIES = ["dist/index.js", "src/index.ts", "src/index.js", "index.js"];
const COMMAND_ENTRIES = [
  "dist/cli-plugin.js",
  "src/cli-plugin.js",
  "src/cli-plugin.ts",
  "cli-plugin.js",
];

/** A package that the project has. */
export function packageSource(project: Project, name: string): PackageSource {
  const version = packageVersion(project, name);
  const dir = packageDir(project, version);
  const manifest = dir === undefined
    ? { name, version: version.version, main: "unknown" }
    : manifestIn(dir);
  const declared = dir === undefined ? undefined : hasCommands(manifest);
  return {
    name,
    shown: dir === undefined ? `npm:${name}@${version.version}` : shownPath(project.cwd, dir),
    manifest,
    dir,
    plugin: async () => findPluginExport(await importVersion(version)),
    async commands() {
      if (declared === false) return undefined;
      try {
        return { exports: await importVersion(version, "cli-plugin") };
      } catch (error) {
        if (isMissingExport(error)) return undefined;
        throw error;
      }
    },
  };
}

/**
 * A folder of the project.
 *
 * @throws {RefraktError} `PERMISSION_DENIED` for one outside, `INVALID_ARGS` for a file.
 */
export function folderSource(project: Project, path: string): PackageSource {
  const dir = resolveInside(project.cwd, path, "The package folder");
  const info = statIfExists(dir);
  if (info !== null && !info.isDirectory) {
    throw new RefraktError("INVALID_ARGS", `"${shownPath(project.cwd, dir)}" is not a folder`, {
      hint: "Give the folder that holds the package.json.",
    });
  }
  const manifest = info === null ? null : manifestIn(dir);
  const facts = typeof manifest === "object" && manifest !== null ? manifest : {};
  const name = typeof facts["name"] === "string" ? facts["name"] : "<unknown>";
  return {
    name,
    shown: shownPath(project.cwd, dir),
    manifest,
    dir,
    plugin: (warnings) =>
      importFirst(
        project,
        dir,
        [...new Set([...ENTRIES, ...mainOf(facts)])],
        warnings,
        findPluginExport,
      ),
    async commands() {
      if (!hasCommands(manifest)) return undefined;
      const problems: Finding[] = [];
      const exports = await importFirst(project, dir, COMMAND_ENTRIES, problems, (each) => each);
      if (exports !== undefined) return { exports };
      throw new Error(problems[0]?.message ?? `None of ${COMMAND_ENTRIES.join(", ")} exists`);
    },
  };
}

/** Imports the first of some files that exists and has what is wanted; failures become findings. */
async function importFirst<Wanted>(
  project: Project,
  dir: string,
  files: readonly string[],
  problems: Finding[],
  pick: (exports: Readonly<Record<string, unknown>>) => Wanted | undefined,
): Promise<Wanted | undefined> {
  for (const file of files) {
    const path = join(dir, file);
    if (!statIfExists(path)?.isFile) continue;
    try {
      const picked = pick((await importLocal(project, path, "The package")).exports);
      if (picked !== undefined) return picked;
    } catch (error) {
      problems.push({ path: file, message: `Import failed: ${messageOf(error)}` });
    }
  }
  return undefined;
}

/** The manifest in a folder: `null` where there is none, a text where it is not JSON. */
export function manifestIn(dir: string): PackageSource["manifest"] {
  try {
    const text = readIfExists(dir, "package.json", "manifest");
    if (text === null) return null;
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : "it is no object";
  } catch (error) {
    return messageOf(error);
  }
}

/** Whether a manifest says that the package has commands. */
export function hasCommands(manifest: PackageSource["manifest"]): boolean {
  if (typeof manifest !== "object" || manifest === null) return false;
  const exports = manifest["exports"];
  return typeof exports === "object" && exports !== null && Object.hasOwn(exports, "./cli-plugin");
}

/** The entry point that a manifest names, where it is a plain path. */
function mainOf(manifest: Readonly<Record<string, unknown>>): string[] {
  const { main, exports } = manifest;
  const dot = isObject(exports) ? exports["."] : exports;
  const nested = isObject(dot) ? Object.values(dot) : [dot];
  return [main, ...nested].filter((path): path is string =>
    typeof path === "string" && /\.[cm]?[jt]s$/.test(path) && !path.endsWith(".d.ts")
  ).map((path) => path.replace(/^\.\//, ""));
}
