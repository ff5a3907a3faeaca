/**
 * What `doctor` says about refrakt.config.json: keys, themes, plugins and folders that look
 * misspelt.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { nearest } from "../../errors.ts";
import { asObject } from "../../io/json.ts";
import { statIfExists } from "../../io/files.ts";
import { isInside } from "../../io/paths.ts";
import { importVersion } from "../../npm/load.ts";
import { declaredDependencies, installedFirstParty } from "../../npm/manifests.ts";
import { FIRST_PARTY_SCOPE, RUNE_PACKAGES } from "../../project/first_party.ts";
import { packageVersion } from "../../npm/versions.ts";
import { BUNDLED_PLUGINS, CONFIG_NAME, configuredPlugins } from "../../project/config.ts";
import type { Project } from "../../project/project.ts";
import type { SiteConfig } from "../../project/sites.ts";
import { type Finding, problem } from "./finding.ts";

/** Keys that @refrakt-md/types 0.25 has and the published JSON Schema of the config lacks. */
const NOT_IN_SCHEMA: Readonly<Record<string, readonly string[]>> = {
  root: ["packages", "xrefs", "fileRoots"],
  site: ["packages", "entityRoutes", "strings", "locale"],
};

/** Packages that a config may name before they are installed. */
const FIRST_PARTY = [...RUNE_PACKAGES, `${FIRST_PARTY_SCOPE}lumina`];

/** The most edits by which a misspelt key may differ from the right one. */
const LARGEST_TYPO = 3;

/** Everything in the config that looks misspelt. */
export async function configFindings(project: Project): Promise<Finding[]> {
  if (project.config === null) return [];
  return [
    ...await keyFindings(project),
    ...packageFindings(project),
    ...folderFindings(project),
  ];
}

/** Where an object of the config stands, what it is, and which keys are read of it. */
type Place = [where: string, value: unknown, known: readonly string[]];

/** Keys that nothing reads, next to one that something does. */
async function keyFindings(project: Project): Promise<Finding[]> {
  const { raw } = project.config!;
  const keys = await knownKeys(project);
  if (keys === undefined) return [];
  const places: Place[] = [
    ["", raw, keys.root],
    ["plan.", raw["plan"], keys.plan],
    ["site.", raw["site"], keys.site],
    ...Object.entries(asObject(raw["sites"])).map(([name, site]): Place => [
      `sites.${name}.`,
      site,
      keys.site,
    ]),
  ];
  return places.flatMap(([where, value, known]) =>
    Object.keys(asObject(value)).filter((key) => !known.includes(key)).flatMap((key) => {
      const guess = typoOf(key, known);
      return guess === undefined ? [] : [problem(
        "config",
        `${CONFIG_NAME} has the key "${where}${key}", which nothing reads`,
        `Did you mean "${where}${guess}"?`,
      )];
    })
  );
}

/** The keys by the schema that the project's own version brings; `undefined` where it has none. */
async function knownKeys(
  project: Project,
): Promise<Record<"root" | "plan" | "site", readonly string[]> | undefined> {
  const schema = await configSchema(project);
  if (schema === undefined) return undefined;
  const keysOf = (value: unknown) => Object.keys(asObject(asObject(value)["properties"]));
  const definitions = asObject(schema["definitions"]);
  return {
    root: [...keysOf(schema), ...NOT_IN_SCHEMA["root"]!],
    plan: keysOf(definitions["PlanConfig"]),
    site: [...keysOf(definitions["SiteConfig"]), ...NOT_IN_SCHEMA["site"]!],
  };
}

async function configSchema(project: Project): Promise<Record<string, unknown> | undefined> {
  try {
    const found = packageVersion(project, `${FIRST_PARTY_SCOPE}transform`);
    // Data of a package can be imported only after one of its modules was.
    await importVersion(found);
    const specifier = `npm:${found.name}@${found.version}/refrakt.config.schema.json`;
    return asObject((await import(specifier, { with: { type: "json" } })).default);
  } catch {
    // Another version may not have it, and a binary does not carry it.
    return undefined;
  }
}

/** Plugins and themes that the project does not have, next to one that it could. */
function packageFindings(project: Project): Finding[] {
  const known = [
    ...new Set([
      ...declaredDependencies(project).map(({ name }) => name),
      ...installedFirstParty(project.cwd),
      ...FIRST_PARTY,
      ...BUNDLED_PLUGINS,
    ]),
  ];
  const finding = (what: string, name: string): Finding[] => {
    if (known.includes(name)) return [];
    const guess = typoOf(name, known);
    return guess === undefined ? [] : [
      problem(
        "config",
        `${what} "${name}" is no package of this project`,
        `Did you mean "${guess}"?`,
      ),
    ];
  };
  const themes = [...project.site?.sites.values() ?? []].flatMap(({ name, raw }) => {
    const theme = themeOf(raw);
    return theme === undefined || theme.startsWith(".") || theme.startsWith("/")
      ? []
      : finding(`The theme of site "${name}",`, theme);
  });
  return [
    ...configuredPlugins(project.config).flatMap((name) => finding("The plugin", name)),
    ...themes,
  ];
}

/** The theme that a site names: a package, or a path. */
export function themeOf(site: SiteConfig["raw"]): string | undefined {
  const theme = site["theme"];
  const name = typeof theme === "string" ? theme : asObject(theme)["package"];
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** Content folders and theme modules that are not there. */
function folderFindings(project: Project): Finding[] {
  return [...project.site?.sites.values() ?? []].flatMap(({ name, raw }) => {
    const theme = themeOf(raw);
    const paths: [what: string, path: unknown][] = [["content folder", raw["contentDir"]]];
    if (theme?.startsWith(".")) paths.push(["theme", theme]);
    return paths.flatMap(([what, path]) => {
      if (typeof path !== "string") return [];
      const absolute = join(project.cwd, path);
      if (!isInside(project.cwd, absolute) || statIfExists(absolute) !== null) return [];
      const guess = nearest(path.replace(/^\.\//, ""), siblings(absolute), 1)[0];
      return [problem(
        "config",
        `The ${what} of site "${name}" is not there: ${path}`,
        guess === undefined ? `Create it, or mend ${CONFIG_NAME}.` : `Did you mean "${guess}"?`,
      )];
    });
  });
}

function siblings(path: string): string[] {
  try {
    return [...Deno.readDirSync(dirname(path))].map((entry) => entry.name);
  } catch {
    return [];
  }
}

function typoOf(name: string, known: readonly string[]): string | undefined {
  return nearest(name, known).find((guess) => Math.abs(guess.length - name.length) <= LARGEST_TYPO);
}
