/** Finds what the configuration names and the project does not have, and the folder that looks like it. */

import { quotedName } from "../../src/plain_text.ts";
import { basename, join } from "node:path";
import { orElse } from "../../src/errors.ts";
import { asObject, textOf } from "../../src/io/json.ts";
import { foldersBelow, statIfExists } from "../../src/io/files.ts";
import { isInside, shownPath } from "../../src/io/paths.ts";
import { CONFIG_NAME } from "../../src/plugin/config.ts";
import { ownPackageOf } from "./own_package.ts";
import type { SiteFacts, Warning } from "../../src/plugin/project.ts";

/** How many entries of a folder are counted. */
const MOST_ENTRIES = 200;

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
    const themePath = relative(asObject(theme)["package"] ?? theme);
    const local = Object.entries(asObject(asObject(raw["runes"])["local"]));
    return [
      ...absent(cwd, `The pages ${ofSite}`, textOf(contentDir), pagesIn),
      ...absent(cwd, `The theme ${ofSite}`, themePath, isTheme),
      ...local.flatMap(([rune, path]) =>
        absent(cwd, `The rune ${quotedName(rune)} ${ofSite}`, relative(path), () => 0)
      ),
    ];
  });
}

/** A path, not the name of a package. */
function relative(path: unknown): string | undefined {
  return typeof path === "string" && path.startsWith(".") ? path : undefined;
}

function absent(
  cwd: string,
  what: string,
  path: string | undefined,
  likeness: (path: string) => number,
): Warning[] {
  if (path === undefined) return [];
  const full = join(cwd, path);
  // An unreadable folder above is reported by whoever reads it.
  const isThere = orElse(() => statIfExists(full) !== null, true);
  if (!isInside(cwd, full) || isThere) return [];
  const name = basename(full);
  const folders = [...foldersBelow(cwd)]
    .map((path) => ({ path, likeness: likeness(join(cwd, path)) }));
  const like = folders.map(({ path }) => {
    const inner = folders.filter((each) => `${each.path}/`.startsWith(`${path}/`));
    const sum = inner.reduce((total, each) => total + each.likeness, 0);
    return { path, score: basename(path) === name ? sum * MOST_ENTRIES : sum };
  }).filter(({ score }) => score > 0)
    // Of a folder and the only one in it, the inner one.
    .toSorted((a, b) => b.score - a.score || b.path.length - a.path.length)[0]?.path;
  return [{
    code: "PATH_MISSING",
    message: `${what} should be in ${quotedName(shownPath(cwd, full))}, which does not exist`,
    hint: like === undefined
      ? `Create it, or correct ${CONFIG_NAME}.`
      : `${quotedName(like)} looks like it: move it back, or correct the path.`,
  }];
}

/** How many Markdown files are directly in a folder; none in one that is gone, or unreadable. */
function countPages(folder: string): number {
  const entries = orElse(() => Deno.readDirSync(folder).take(MOST_ENTRIES).toArray(), []);
  return entries.filter(({ isFile, name }) => isFile && name.endsWith(".md")).length;
}
