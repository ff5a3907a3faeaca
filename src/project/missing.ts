/** Finds what the configuration names and the project does not have, and the folder that looks like it. */

import { quotedName } from "../plain_text.ts";
import { basename, join } from "node:path";
import { orElse } from "../errors.ts";
import { asObject, textOf } from "../io/json.ts";
import { statIfExists } from "../io/files.ts";
import { exists, isInside, shownPath } from "../io/paths.ts";
import { noteRead } from "../io/reads.ts";
import { foldersBelow, foldersIn } from "./below.ts";
import { CONFIG_NAME, type ConfigFile } from "./config.ts";
import { ownPackageOf } from "./own_package.ts";
import { holdsPlan } from "./plan.ts";
import type { SiteFacts } from "./sites.ts";
import type { Warning } from "./warning.ts";

/** How many entries of a folder are counted. */
const MOST_ENTRIES = 200;

/**
 * The folder that holds a plan although it does not have the plan's name, relative to the project;
 * `undefined` if there is none.
 */
export function renamedPlan(cwd: string, config: ConfigFile | null): string | undefined {
  // Where none is configured, a plan further below is that of a member, and named as such.
  const folders = isConfigured(config) ? [...foldersBelow(cwd)] : foldersIn(cwd);
  return folders.find((path) =>
    // A project of its own below this one has its own plan.
    !exists(join(cwd, path, CONFIG_NAME)) && holdsPlan(cwd, join(cwd, path))
  );
}

/** Warns of a plan that is configured, or renamed, and not where it should be. */
export function planWarnings(
  cwd: string,
  config: ConfigFile | null,
  dir: string,
  renamed: string | undefined,
): Warning[] {
  if (!isConfigured(config) && renamed === undefined) return [];
  const shown = shownPath(cwd, dir);
  return [missing(
    `The plan's folder ${quotedName(shown)} ${exists(dir) ? "is not a folder" : "does not exist"}`,
    renamed === undefined
      ? undefined
      : `${quotedName(renamed)} holds a plan: ${renamedHint(renamed, shown)}`,
  )];
}

function isConfigured(config: ConfigFile | null): boolean {
  return textOf(asObject(config?.raw["plan"])["dir"]) !== undefined;
}

/** What to do about a renamed plan. */
export function renamedHint(renamed: string, dir: string): string {
  return `rename it to ${quotedName(dir)}, or set plan.dir in ${CONFIG_NAME} to ${
    quotedName(renamed)
  }. For a second ` +
    `plan, create the folder ${quotedName(dir)} first.`;
}

/** Warns of folders of pages, themes and runes that the configuration names and that do not exist. */
export function siteWarnings(
  cwd: string,
  site: SiteFacts | null,
  plan: string | undefined,
): Warning[] {
  if (site === null || site.isTheme === true) return [];
  const isPlan = (path: string) => plan !== undefined && isInside(plan, path);
  const pagesIn = (path: string) => isPlan(path) ? 0 : countPages(path);
  return [...site.sites.values()].flatMap(({ name, raw }) => {
    const { contentDir, theme } = raw;
    const local = Object.entries(asObject(asObject(raw["runes"])["local"]));
    return [
      ...absent(cwd, `The pages of site ${quotedName(name)}`, textOf(contentDir), pagesIn),
      ...absent(
        cwd,
        `The theme of site ${quotedName(name)}`,
        relative(textOf(asObject(theme)["package"] ?? theme)),
        (path) => Number(ownPackageOf(path)?.kind === "theme"),
      ),
      ...local.flatMap(([rune, path]) =>
        absent(
          cwd,
          `The rune ${quotedName(rune)} of site ${quotedName(name)}`,
          relative(textOf(path)),
          () => 0,
        )
      ),
    ];
  });
}

/** A path, not the name of a package. */
function relative(path: string | undefined): string | undefined {
  return path?.startsWith(".") ? path : undefined;
}

function absent(
  cwd: string,
  what: string,
  path: string | undefined,
  likeness: (path: string) => number,
): Warning[] {
  if (path === undefined) return [];
  const full = join(cwd, path);
  if (!isInside(cwd, full) || isThere(full)) return [];
  const name = basename(full);
  const own = [...foldersBelow(cwd)].map((path) => ({ path, own: likeness(join(cwd, path)) }));
  const like = own.map(({ path }) => {
    const inner = own.filter((each) => `${each.path}/`.startsWith(`${path}/`));
    const sum = inner.reduce((total, each) => total + each.own, 0);
    return { path, score: basename(path) === name ? sum * MOST_ENTRIES : sum };
  }).filter(({ score }) => score > 0)
    // Of a folder and the only one in it, the inner one.
    .toSorted((a, b) => b.score - a.score || b.path.length - a.path.length)[0]?.path;
  return [missing(
    `${what} should be in ${quotedName(shownPath(cwd, full))}, which does not exist`,
    like === undefined
      ? undefined
      : `${quotedName(like)} looks like it: move it back, or correct the path.`,
  )];
}

function isThere(path: string): boolean {
  noteRead(path);
  // An unreadable folder above is reported by whoever reads it.
  return orElse(() => statIfExists(path) !== null, true);
}

/** How many Markdown files are directly in a folder. */
function countPages(folder: string): number {
  return entriesOf(folder).filter(({ isFile, name }) => isFile && name.endsWith(".md")).length;
}

function entriesOf(folder: string): Deno.DirEntry[] {
  // It may be gone, or unreadable.
  return orElse(() => Deno.readDirSync(folder).take(MOST_ENTRIES).toArray(), []);
}

function missing(message: string, found: string | undefined): Warning {
  return {
    code: "PATH_MISSING",
    message,
    hint: found ?? `Create it, or correct ${CONFIG_NAME}.`,
  };
}
