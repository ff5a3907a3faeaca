/**
 * The kind of package that a project is for others (theme, rune plugin, preset pack, template or
 * library), and the folders that its configuration names and that do not exist, with similar ones.
 */

import { quotedName } from "../../src/plain_text.ts";
import { basename, join } from "node:path";
import { orElse } from "../../src/errors.ts";
import { asObject, isObject, parseJsonc, textOf } from "../../src/io/json.ts";
import { foldersBelow, statIfExists } from "../../src/io/files.ts";
import { isInside, shownPath } from "../../src/io/paths.ts";
import { readIfExists } from "../../src/io/read.ts";
import { CONFIG_NAME } from "../../src/plugin/config.ts";
import type { OwnPackage, PackageKind, SiteFacts, Warning } from "../../src/plugin/project.ts";

/** The files that tell the kind, besides `package.json`. */
const KIND_FILES = ["manifest.json", "presets.json", "template.json"] as const;

/** Reads the kind from the manifests; a private package without an entry has none. */
export function ownPackageOf(cwd: string): OwnPackage | null {
  const manifest = objectIn(cwd, "package.json");
  const exports = asObject(manifest["exports"]);
  const [theme, presets, template] = KIND_FILES.map((file) => objectIn(cwd, file));
  const asKind = (kind: PackageKind): OwnPackage => ({ kind, name: textOf(manifest["name"]) });
  if (isObject(template!["site"])) return asKind("template");
  if (Array.isArray(presets!["presets"])) return asKind("preset pack");
  const isTheme = isObject(theme!["layouts"]) || typeof theme!["designTokens"] === "string";
  if (isTheme || "./transform" in exports && "./manifest" in exports) return asKind("theme");
  const hasEntry = manifest["private"] !== true &&
    [manifest["main"], manifest["module"], manifest["exports"]].some((entry) => entry);
  if (!hasEntry) return null;
  const asked = ["peerDependencies", "dependencies", "devDependencies"]
    .flatMap((group) => Object.keys(asObject(manifest[group])));
  const isPlugin = "./cli-plugin" in exports ||
    asked.some((name) => /^@refrakt-md\/(?:runes|transform|types)$/.test(name));
  return asKind(isPlugin ? "plugin" : "library");
}

/** A JSON file, or an empty object. */
function objectIn(cwd: string, path: string): Record<string, unknown> {
  return asObject(orElse(() => parseJsonc(readIfExists(cwd, path, "manifest") ?? ""), {}));
}

/** How many entries of a folder are counted. */
const MOST_COUNTED = 200;

/** Warns of folders of pages, themes and runes that the configuration names and that do not exist. */
export function siteWarnings(
  cwd: string,
  site: SiteFacts | null,
  plan: string | undefined,
): Warning[] {
  if (site === null || site.isTheme === true) return [];
  const isPlan = (path: string) => plan !== undefined && isInside(plan, path);
  const pagesIn = (path: string) => isPlan(path) ? 0 : countPages(path);
  const isTheme = (path: string) => Number(ownPackageOf(path)?.kind === "theme");
  return [...site.sites.values()].flatMap(({ name, raw }) => {
    const { contentDir, theme } = raw;
    const ofSite = `of site ${quotedName(name)}`;
    const themePath = relativePath(asObject(theme)["package"] ?? theme);
    const local = Object.entries(asObject(asObject(raw["runes"])["local"]));
    return [
      ...absent(cwd, `The pages ${ofSite}`, textOf(contentDir), pagesIn),
      ...absent(cwd, `The theme ${ofSite}`, themePath, isTheme),
      ...local.flatMap(([rune, path]) =>
        absent(cwd, `The rune ${quotedName(rune)} ${ofSite}`, relativePath(path), () => 0)
      ),
    ];
  });
}

/** Returns a relative path; `undefined` for the name of a package. */
function relativePath(path: unknown): string | undefined {
  return typeof path === "string" && path.startsWith(".") ? path : undefined;
}

function absent(
  cwd: string,
  subject: string,
  path: string | undefined,
  likeness: (path: string) => number,
): Warning[] {
  if (path === undefined) return [];
  const full = join(cwd, path);
  // An unreadable folder counts as existing: its reader reports the error.
  const isThere = orElse(() => statIfExists(full) !== null, true);
  if (!isInside(cwd, full) || isThere) return [];
  const name = basename(full);
  const folders = [...foldersBelow(cwd)]
    .map((path) => ({ path, likeness: likeness(join(cwd, path)) }));
  const like = folders.map(({ path }) => {
    const inner = folders.filter((each) => `${each.path}/`.startsWith(`${path}/`));
    const sum = inner.reduce((total, each) => total + each.likeness, 0);
    return { path, score: basename(path) === name ? sum * MOST_COUNTED : sum };
  }).filter(({ score }) => score > 0)
    // Of a folder and its only subfolder, the inner one.
    .toSorted((a, b) => b.score - a.score || b.path.length - a.path.length)[0]?.path;
  return [{
    code: "PATH_MISSING",
    message: `${subject} should be in ${quotedName(shownPath(cwd, full))}, which does not exist`,
    hint: like === undefined
      ? `Create it, or correct ${CONFIG_NAME}.`
      : `${quotedName(like)} looks like it: move it back, or correct the path.`,
  }];
}

/** How many Markdown files are directly in a folder; none in one that is gone, or unreadable. */
function countPages(folder: string): number {
  const entries = orElse(() => Deno.readDirSync(folder).take(MOST_COUNTED).toArray(), []);
  return entries.filter(({ isFile, name }) => isFile && name.endsWith(".md")).length;
}
