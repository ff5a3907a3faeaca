/** Lints a rune package before it is published. */

import { quotedName } from "../../../../src/plain_text.ts";
import { join } from "node:path";
import * as z from "zod";
import { messageOf, RefraktError } from "../../../../src/errors.ts";
import { statIfExists } from "../../../../src/io/files.ts";
import {
  asObject,
  fieldOf,
  isObject,
  isTextList,
  textOf,
  textsOf,
} from "../../../../src/io/json.ts";
import { resolveInside, shownPath } from "../../../../src/io/paths.ts";
import { readIfExists } from "../../../../src/io/read.ts";
import { isMissingExport } from "../../../../src/packages/failures.ts";
import { importVersion } from "../../../../src/packages/load.ts";
import { reservedFor } from "../../../../src/packages/names.ts";
import type { PackageVersion } from "../../../../src/packages/package.ts";
import { packageVersion } from "../../../../src/packages/versions.ts";
import type { Project } from "../../../../src/plugin/project.ts";
import { schemaProblem } from "../../../../src/plugin/json_schema.ts";
import { checkPlugin } from "../../../../src/plugin/check_cli_plugin.ts";
import { portableSchema } from "../../../../src/plugin/model_arguments.ts";
import { findPluginExport, fixtureFiles, packageDir } from "../upstream/load_plugin.ts";
import { importLocal, requireLocalTrust } from "../upstream/local_modules.ts";
import type { PathFinding, PluginExport } from "../upstream/shapes.ts";
import { loadUpstream } from "../upstream/upstream.ts";
import { upstreamVersions } from "../upstream/package_versions.ts";

export interface PackageInput {
  readonly package?: string | undefined;
  readonly dir?: string | undefined;
}

type Exports = Readonly<Record<string, unknown>>;
type Report = (path: string, message: string) => void;

interface Lint {
  readonly project: Project;
  /** The folder, if the package lies in the project. */
  readonly place: string | undefined;
  /** Absent for a folder of the project, whose modules are local code. */
  readonly version: PackageVersion | undefined;
  readonly fail: Report;
  readonly warn: Report;
}

const TEXT = z.string().min(1, "Must be a non-empty text");
const NAMED = z.looseObject({ name: TEXT, version: TEXT });
const ATTRIBUTES_SCHEMA = z.record(
  z.string(),
  z.looseObject({
    type: z.enum(["string", "number", "boolean"]).optional(),
    matches: z.array(z.unknown()).optional(),
  }),
);

const PLUGIN = z.looseObject({
  name: TEXT,
  version: TEXT,
  runes: z.record(
    z.string(),
    z.looseObject({
      transform: z.looseObject({}),
      fixture: z.string().trim().min(1, "Is empty").optional(),
      authoringHints: z.string().optional(),
      schema: ATTRIBUTES_SCHEMA.optional(),
      // One wrong name is an error of the whole list, as in the CLI.
      aliases: z.unknown().refine(areNames, "Must be a list of names").nullish(),
      description: z.string().optional(),
    }),
  ).refine((runes) => Object.keys(runes).length > 0, "Has to define at least one rune"),
  theme: z.looseObject({
    runes: z.record(z.string(), z.looseObject({ block: TEXT })).optional(),
    icons: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  }).optional(),
  extends: z.record(z.string(), z.looseObject({ schema: ATTRIBUTES_SCHEMA.optional() })).optional(),
});

function areNames(value: unknown): boolean {
  return isTextList(value) && !value.includes("");
}

export async function lintPackage(project: Project, from: PackageInput) {
  const { package: wanted, dir } = ownByDefault(project, from);
  const errors: PathFinding[] = [];
  const warnings: PathFinding[] = [];
  const warn: Report = (path, message) => warnings.push({ path, message });
  const fail: Report = (path, message) => errors.push({ path, message });
  const version = wanted === undefined ? undefined : packageVersion(project, wanted);
  const place = dir === undefined ? packageDir(project, version!) : packageFolder(project, dir);
  const manifest = place === undefined
    ? { name: wanted, version: version!.version, main: "unknown" }
    : manifestIn(place);
  const name = textOf(fieldOf(manifest, "name")) ?? wanted ?? "<unknown>";
  const source = place === undefined
    ? `npm:${wanted}@${version!.version}`
    : shownPath(project.cwd, place);
  if (!isObject(manifest)) fail("package.json", manifest ?? "File not found");
  else {
    if (version === undefined) requireLocalTrust(project, source);
    const lint = { project, place, version, fail, warn };
    reportIssues(NAMED, manifest, "package.json.", fail);
    if (!hasOnlyCommands(manifest)) await lintRunes(manifest, lint);
    await lintCommands(manifest, name, lint);
  }
  return { valid: errors.length === 0, pluginName: name, source, errors, warnings };
}

/** The package to lint; by its name or by default, the project's own is its folder. */
function ownByDefault({ own }: Project, { package: name, dir }: PackageInput): PackageInput {
  const isOwn = own !== null && (name === undefined || name === own.name);
  if (dir === undefined && isOwn) return { dir: "." };
  if ((name === undefined) !== (dir === undefined)) return { package: name, dir };
  throw new RefraktError("INVALID_ARGS", "Pass either package or dir", {
    hint: '{ "package": "@refrakt-md/plan" } or { "dir": "packages/my-runes" }',
  });
}

function packageFolder(project: Project, path: string): string {
  const dir = resolveInside(project.cwd, path, "The package folder");
  if (statIfExists(dir)?.isDirectory !== false) return dir;
  const message = `${quotedName(shownPath(project.cwd, dir))} is not a folder`;
  throw new RefraktError("INVALID_ARGS", message, {
    hint: "Pass the folder that contains the package.json.",
  });
}

/** Returns an error message for an invalid manifest, `null` without one. */
function manifestIn(dir: string): Record<string, unknown> | string | null {
  try {
    const text = readIfExists(dir, "package.json", "manifest");
    const value: unknown = text === null ? null : JSON.parse(text);
    return value === null || isObject(value) ? value : "Not a JSON object";
  } catch (error) {
    return `Not JSON: ${messageOf(error)}`;
  }
}

/** Whether a package has commands and, by its manifest, no runes. */
function hasOnlyCommands({ main, exports }: Exports): boolean {
  const has = (key: string) => Object.hasOwn(asObject(exports), key);
  return !main && has("./cli-plugin") && !has(".") && !has("./transform");
}

const COMMAND_ENTRIES = ["dist", "src", ""].flatMap((folder) =>
  [".js", ".ts"].map((ending) => join(folder, `cli-plugin${ending}`))
);

/** Candidate paths of a package's module: the usual ones and those of its manifest. */
function modulePaths({ main, exports }: Exports): readonly string[] {
  const dot = isObject(exports) ? exports["."] : exports;
  const declared = textsOf([main, dot, ...Object.values(asObject(dot))])
    .filter((path) => /(?<!\.d)\.[cm]?[jt]s$/.test(path));
  const usual = ["dist/index.js", "src/index.ts", "src/index.js", "index.js"];
  return [...new Set([...usual, ...declared.map((path) => path.replace(/^\.\//, ""))])];
}

/** Imports the first of these files of a folder from which something is picked. */
async function importFirst<Wanted>(
  { project, place = "" }: Lint,
  files: readonly string[],
  pick: (exports: Exports) => Wanted | undefined,
  warn: Report,
): Promise<Wanted | undefined> {
  for (const file of files) {
    const path = join(place, file);
    if (!statIfExists(path)?.isFile) continue;
    try {
      const picked = pick((await importLocal(project, path, "The package")).exports);
      if (picked !== undefined) return picked;
    } catch (error) {
      warn(file, `Import failed: ${messageOf(error)}`);
    }
  }
  return undefined;
}

/** Validates a value; each finding's path is the path in the value. */
function reportIssues(schema: z.ZodType, value: unknown, prefix: string, fail: Report): void {
  for (const { path, message } of schema.safeParse(value).error?.issues ?? []) {
    const steps = path.map((key) => typeof key === "number" ? `[${key}]` : `.${String(key)}`);
    fail(prefix + steps.join("").replace(/^\./, ""), message);
  }
}

async function lintRunes(manifest: Exports, lint: Lint): Promise<void> {
  const { project, place, version, fail, warn } = lint;
  const { main, exports } = manifest;
  if (!main && typeof exports !== "string" && !asObject(exports)["."]) {
    warn("package.json", 'No entry point: neither "main" nor "exports"');
  }
  let plugin: PluginExport | undefined;
  let reason = "";
  try {
    plugin = version === undefined
      ? await importFirst(lint, modulePaths(manifest), findPluginExport, warn)
      : findPluginExport(await importVersion(version));
  } catch (thrown) {
    // An import error of a folder is a finding; without a folder, the package cannot be found.
    if (place === undefined) throw thrown;
    reason = `; ${messageOf(thrown).split("\n")[0]}`;
  }
  if (plugin === undefined) {
    const message = `No plugin object with a name, a version and runes is exported${reason}`;
    return fail("exports", message);
  }
  reportIssues(PLUGIN, plugin, "", (path, message) => {
    fail(path.includes(".") ? path : `Plugin.${path}`, message);
  });
  const entries = Object.entries(plugin.runes).filter(([, entry]) => isObject(entry));
  for (const [name, { fixture, authoringHints }] of entries) {
    if (fixture?.trim() && !new RegExp(`\\{%\\s*${RegExp.escape(name)}[\\s%]`).test(fixture)) {
      warn(`runes.${name}.fixture`, `Does not use the tag {% ${name} %}`);
    }
    if (typeof authoringHints === "string" && authoringHints.trim() === "") {
      warn(`runes.${name}.authoringHints`, "Is empty: write it or remove it");
    }
  }
  const roles = new Map(entries.map(([name, { fixture }]) => [name, fixture ? ["canonical"] : []]));
  const { runes } = await loadUpstream(upstreamVersions(project));
  for (const { file, text } of place === undefined ? [] : fixtureFiles(place)) {
    try {
      const { rune, frontmatter } = runes.parseFixture(text, file);
      roles.get(rune)?.push(frontmatter.role ?? "canonical");
    } catch (thrown) {
      warn(`fixtures/${file}`, messageOf(thrown));
    }
  }
  // Runes that only appear inside others need no example and no description.
  const outer = entries.filter(([, { transform }]) => {
    const { selfClosing, inline } = asObject(transform);
    return selfClosing !== true && inline !== true;
  }).map(([name, { description }]) => ({ name, description, roles: roles.get(name)! }));
  const report = (path: string, part: string, lacking: readonly { readonly name: string }[]) => {
    const names = lacking.map(({ name }) => name);
    if (names.length > 0) warn(path, `Runes without ${part}: ${names.join(", ")}`);
  };
  report("fixtures", "an example", outer.filter(({ roles }) => roles.length === 0));
  report(
    "fixtures.role",
    "a canonical example (<rune>.md, or role: canonical)",
    outer.filter(({ roles }) => roles.length > 0 && !roles.includes("canonical")),
  );
  report("descriptions", "a description", outer.filter(({ description }) => !description));
}

/** The exports with commands; `undefined` if the package has none. */
async function commandsOf(manifest: Exports, lint: Lint): Promise<Exports | undefined> {
  const { place, version } = lint;
  const isDeclared = Object.hasOwn(asObject(manifest["exports"]), "./cli-plugin");
  if (place !== undefined && !isDeclared) return undefined;
  if (version === undefined) {
    const entry = asObject(manifest["exports"])["./cli-plugin"];
    const targets = textsOf([entry, ...["import", "default"].map((key) => asObject(entry)[key])]);
    const files = [...targets, ...COMMAND_ENTRIES];
    const problems = [`None of ${[...new Set(files)].join(", ")} exists`];
    const note: Report = (_, why) => problems.unshift(why);
    const commands = await importFirst(lint, files, (all) => all, note);
    if (commands === undefined) throw new Error(problems[0]);
    return commands;
  }
  try {
    return await importVersion(version, "cli-plugin");
  } catch (error) {
    if (isMissingExport(error)) return undefined;
    throw error;
  }
}

async function lintCommands(manifest: Exports, name: string, lint: Lint): Promise<void> {
  const { project, fail, warn } = lint;
  let exports: Exports | undefined;
  try {
    exports = await commandsOf(manifest, lint);
  } catch (thrown) {
    return fail("cli-plugin", `Cannot load: ${messageOf(thrown).split("\n")[0]}`);
  }
  if (exports === undefined) return;
  const exported = exports["default"] ?? exports;
  let plugin: ReturnType<typeof checkPlugin>;
  try {
    plugin = checkPlugin(exported);
  } catch (thrown) {
    return fail("cli-plugin", messageOf(thrown));
  }
  const { namespace, commands, problems } = plugin;
  for (const { path, message } of problems) fail(`cli-plugin.${path}`, message);
  const owner = reservedFor(namespace, name, project)?.owner;
  if (owner !== undefined) {
    warn("cli-plugin.namespace", `${quotedName(namespace)} is taken by ${owner}`);
  }
  if (commands.length + problems.length === 0) {
    warn("cli-plugin.commands", "No commands: the plugin adds nothing");
  }
  // Names of invalid commands count, too.
  const names = new Set<unknown>();
  for (const [index, value] of [fieldOf(exported, "commands")].flat().entries()) {
    const path = `cli-plugin.commands[${index}]`;
    const command = asObject(value);
    if (names.has(command["name"])) fail(`${path}.name`, "Is declared twice");
    names.add(command["name"]);
    lintCommand(command, path, warn);
  }
}

/** Warns about fields that are valid but unhelpful. */
function lintCommand(command: Exports, path: string, warn: Report): void {
  const { description, mcpHandler, inputSchema } = command;
  const subject = `Command ${quotedName(String(command["name"]))}`;
  if ((textOf(description ?? "") ?? "-").trim() === "") {
    warn(`${path}.description`, `${subject} has no description, by which models choose`);
  }
  if (inputSchema === undefined) {
    warn(path, `${subject} has no inputSchema, so clients do not know its input`);
  } else if (mcpHandler === undefined) {
    warn(path, `${subject} has an inputSchema but no mcpHandler: its input becomes argv`);
  }
  if (!isObject(inputSchema) || schemaProblem(inputSchema) !== undefined) return;
  const { json, omitted } = portableSchema(inputSchema);
  const required = textsOf(json["required"]);
  const unknown = textsOf(inputSchema["required"]).filter((key) => !required.includes(key));
  if (omitted.length > 0) warn(`${path}.inputSchema`, `Clients do not see ${omitted.join(", ")}`);
  if (unknown.length > 0) {
    warn(`${path}.inputSchema.required`, `Not in the listed properties: ${unknown.join(", ")}`);
  }
}
