/**
 * `refrakt.package_validate`: the lint of a rune package, installed or in a folder
 * of the project. Its modules are imported, which runs them.
 *
 * @module
 */

import { join } from "node:path";
import { z } from "zod";
import { messageOf, RefraktError } from "../errors.ts";
import { importVersion, isMissingExport } from "../packages/load.ts";
import { declaredDependencies, installedFirstParty, readManifest } from "../packages/manifests.ts";
import { isPackageName, mayHaveCommands } from "../packages/names.ts";
import { packageVersion } from "../packages/versions.ts";
import { configuredPlugins } from "../project/config.ts";
import type { Project } from "../project/project.ts";
import { readTextIfExists, statIfExists } from "../sandbox/files.ts";
import { resolveInside, shownPath } from "../sandbox/paths.ts";
import { defineTool, type Tool } from "../surface/tool.ts";
import { importLocal } from "./local_modules.ts";
import { findPluginExport, fixtureFiles, packageDir } from "./load_plugin.ts";
import {
  cliPluginOf,
  type Findings,
  lintCommands,
  lintManifest,
  lintPlugin,
} from "./plugin_lint.ts";
import { type Finding, loadUpstream, type PluginExport, upstreamVersions } from "./upstream.ts";

/** What {@linkcode validatePackage} finds. */
export interface PackageValidation extends Record<string, unknown> {
  /** Whether there are no errors. */
  readonly valid: boolean;
  /** The package's name, or `<unknown>`. */
  readonly pluginName: string;
  /** Where it was read from. */
  readonly source: string;
  /** What has to be mended. */
  readonly errors: readonly Finding[];
  /** What had better be mended. */
  readonly warnings: readonly Finding[];
}

/** How the parts of a package are got at. */
interface Source {
  readonly name: string;
  readonly shown: string;
  /** `null` where there is none; a text where it is not JSON. */
  readonly manifest: Record<string, unknown> | string | null;
  readonly dir: string | undefined;
  /** The plugin object, or why it cannot be had. */
  plugin(found: Findings): Promise<PluginExport | undefined>;
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

/**
 * Validates a rune package.
 *
 * @param project The project.
 * @param from The name of a package that the project has, or a folder inside the project.
 * @throws {RefraktError} `INVALID_ARGS` unless one of both is given, `PERMISSION_DENIED` for a
 * folder outside the project, `PLUGIN_LOAD_FAILED` for a package that the project does not have.
 */
export async function validatePackage(
  project: Project,
  from: { readonly package?: string | undefined; readonly dir?: string | undefined },
): Promise<PackageValidation> {
  if ((from.package === undefined) === (from.dir === undefined)) {
    throw new RefraktError("INVALID_ARGS", "Give either package or dir", {
      hint: '{ "package": "@refrakt-md/plan" } or { "dir": "packages/my-runes" }',
    });
  }
  const source = from.package === undefined
    ? folderSource(project, from.dir!)
    : packageSource(project, from.package);
  const found: Findings = { errors: [], warnings: [] };
  await lint(project, source, found);
  return {
    valid: found.errors.length === 0,
    pluginName: source.name,
    source: source.shown,
    errors: found.errors,
    warnings: found.warnings,
  };
}

async function lint(project: Project, source: Source, found: Findings): Promise<void> {
  if (source.manifest === null) {
    found.errors.push({ path: "package.json", message: "File not found" });
    return;
  }
  if (typeof source.manifest === "string") {
    found.errors.push({ path: "package.json", message: `Not JSON: ${source.manifest}` });
    return;
  }
  lintManifest(source.manifest, found);
  const { runes } = await loadUpstream(upstreamVersions(project));
  let plugin: PluginExport | undefined;
  let reason = "";
  try {
    plugin = await source.plugin(found);
  } catch (error) {
    // A package that is here and cannot be imported is a finding; one that is nowhere is not.
    if (source.dir === undefined) throw error;
    reason = `; ${messageOf(error).split("\n")[0]}`;
  }
  if (plugin === undefined) {
    found.errors.push({
      path: "exports",
      message: `No plugin object with a name, a version and runes is exported${reason}`,
    });
  } else {
    lintPlugin(plugin, source.dir === undefined ? [] : fixtureFiles(source.dir), runes, found);
  }
  await lintCli(project, source, found);
}

async function lintCli(project: Project, source: Source, found: Findings): Promise<void> {
  let commands;
  try {
    commands = await source.commands();
  } catch (error) {
    const message = `Cannot be loaded: ${messageOf(error).split("\n")[0]}`;
    found.errors.push({ path: "cli-plugin", message });
    return;
  }
  if (commands === undefined) return;
  const plugin = cliPluginOf(commands.exports);
  if (plugin === undefined) {
    found.errors.push({ path: "cli-plugin", message: "Exports no namespace and no commands" });
    return;
  }
  lintCommands(plugin, await takenNamespaces(project, source.name), found);
}

function packageSource(project: Project, name: string): Source {
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
    async plugin(found) {
      try {
        return findPluginExport(await importVersion(version));
      } catch (error) {
        // What is only on disk cannot come from the registry; its files may still be imported.
        if (dir !== undefined) {
          const local = await importFirst(project, dir, ENTRIES, found.warnings, findPluginExport);
          if (local !== undefined) return local;
        }
        throw error;
      }
    },
    async commands() {
      if (declared === false) return undefined;
      try {
        return { exports: await importVersion(version, "cli-plugin") };
      } catch (error) {
        if (isMissingExport(error)) return undefined;
        if (dir === undefined) throw error;
        const problems: Finding[] = [];
        const local = await importFirst(project, dir, COMMAND_ENTRIES, problems, (each) => each);
        if (local === undefined) throw error;
        return { exports: local };
      }
    },
  };
}

function folderSource(project: Project, path: string): Source {
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
    plugin: (found) =>
      importFirst(
        project,
        dir,
        [...new Set([...ENTRIES, ...mainOf(facts)])],
        found.warnings,
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

function manifestIn(dir: string): Record<string, unknown> | string | null {
  const text = readTextIfExists(join(dir, "package.json"));
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value as Record<string, unknown>
      : "it is no object";
  } catch (error) {
    return messageOf(error);
  }
}

function hasCommands(manifest: Source["manifest"]): boolean {
  if (typeof manifest !== "object" || manifest === null) return false;
  const exports = manifest["exports"];
  return typeof exports === "object" && exports !== null && Object.hasOwn(exports, "./cli-plugin");
}

/** The entry point that a manifest names, where it is a plain path. */
function mainOf(manifest: Readonly<Record<string, unknown>>): string[] {
  const { main, exports } = manifest as { main?: unknown; exports?: unknown };
  const dot = typeof exports === "object" && exports !== null
    ? (exports as Record<string, unknown>)["."]
    : exports;
  const nested = typeof dot === "object" && dot !== null
    ? Object.values(dot as Record<string, unknown>)
    : [dot];
  return [main, ...nested].filter((path): path is string =>
    typeof path === "string" && /\.[cm]?[jt]s$/.test(path) && !path.endsWith(".d.ts")
  ).map((path) => path.replace(/^\.\//, ""));
}

/** The namespaces of the project's other packages, by namespace. */
async function takenNamespaces(project: Project, except: string): Promise<Map<string, string>> {
  const configured = configuredPlugins(project.config);
  const names = configured.length > 0 ? configured : [
    ...declaredDependencies(project.cwd).map((declared) => declared.name),
    ...installedFirstParty(project.cwd),
  ].filter(mayHaveCommands);
  const taken = new Map<string, string>();
  const others = [...new Set(names)].filter((name) => name !== except && isPackageName(name));
  await Promise.all(others.map(async (name) => {
    try {
      const version = packageVersion(project, name);
      const dir = packageDir(project, version);
      if (dir !== undefined && readManifest(join(dir, "package.json")) !== undefined) {
        if (!hasCommands(manifestIn(dir))) return;
      }
      const plugin = cliPluginOf(await importVersion(version, "cli-plugin"));
      const { namespace } = (plugin ?? {}) as { namespace?: unknown };
      if (typeof namespace === "string" && !taken.has(namespace)) taken.set(namespace, name);
    } catch {
      // Without commands, or broken: then it takes no namespace.
    }
  }));
  return taken;
}

/** The tool of this file. */
export const packageValidateTool: Tool = defineTool({
  name: "refrakt.package_validate",
  title: "Validate a rune package",
  description:
    "Lints a community rune package before it is published: exports, runes, fixtures, and the shape " +
    "of its CLI plugin (namespace, descriptions, schemas). Imports the package. valid and the " +
    "findings are data.",
  input: z.strictObject({
    package: z.string().min(1).optional().describe("A package that the project has"),
    dir: z.string().min(1).optional().describe("Or the folder of a package inside the project"),
  }),
  annotations: { readOnlyHint: true },
  listedWith: ["site"],
  run: (input, { project }) => validatePackage(project, input),
});
