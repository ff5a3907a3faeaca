/** Checks pages: their own mistakes, their links, and the messages of the build. */

import { messageOf, RefraktError } from "../../../errors.ts";
import { statIfExists } from "../../../io/files.ts";
import { isInside, shownPath } from "../../../io/paths.ts";
import type { EngineCall } from "../engine_call.ts";
import { turnTaker } from "../../../io/turns.ts";
import { openBuild, type SiteBuild } from "../pages/build/build.ts";
import { buildFindings, lostInPage } from "../pages/build/build_findings.ts";
import { openPages, type SitePages } from "../pages/build/site_pages.ts";
import { partialCycles } from "../pages/check/links.ts";
import { diagnosticsOf } from "../pages/check/page_findings.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import { type ContentFile, findFile, placesOf } from "../pages/read/content_files.ts";
import { byPlace, type Diagnostic, diagnostic } from "../pages/read/diagnostics.ts";
import { buildTheme } from "../theme/theme.ts";
import type { ThemeConfig } from "../upstream/shapes.ts";
import { type SiteContext, warningsOf } from "../upstream/site.ts";
import { changedPages, type Head } from "./changed_pages.ts";

export interface CheckInput {
  /** A page or a folder; every page by default. */
  readonly path?: string | undefined;
  readonly head?: Head | undefined;
}

export interface Finding extends Diagnostic {
  /** Relative to the project. */
  readonly path: string;
}

/** Checks pages, reusing results that are still current. */
export async function checkPages(
  site: SiteContext,
  { path, head }: CheckInput,
  call: EngineCall,
) {
  const pages = await openPages(site);
  let chosen = chosenFiles(site, pages, path);
  const turn = turnTaker(call.signal);
  const parsed: ParsedPage[] = [];
  const findings: Finding[] = [];
  const { files } = pages.content;
  for (const [index, file] of files.entries()) {
    call.progress({ progress: index, total: files.length * 2, message: file.shown });
    try {
      parsed.push(pages.page(file));
    } catch (error) {
      if (chosen.includes(file)) {
        findings.push({ path: file.shown, ...diagnostic("render-failed", messageOf(error)) });
      }
    }
    await turn();
  }
  const { icons, config: themed, problem } = await buildTheme(site);
  const toBuild = parsed.filter(({ file }) => file.kind === "page");
  const build = await openBuild(site, pages, toBuild, icons, turn);
  let changed: string[] | undefined;
  if (head !== undefined) {
    const found = await changedPages(site, pages, parsed, build, head);
    changed = found.changed;
    chosen = chosen.filter((file) => found.files.has(file.path));
  }
  const wanted = new Set(chosen.map((file) => file.path));
  const targets = pages.targets(parsed);
  const cycles = partialCycles(parsed);
  for (const [index, page] of parsed.entries()) {
    const { file } = page;
    if (!wanted.has(file.path)) continue;
    call.progress({
      progress: files.length + index,
      total: files.length * 2,
      message: file.shown,
    });
    const alone = diagnosticsOf(site, page, targets);
    const cyclic = cycles.get(file.path) ?? [];
    // The build never ends on a partial that includes itself.
    const built = cyclic.length > 0
      ? []
      : await builtFindings(site, page, build, themed, call.signal);
    for (const each of [...alone, ...cyclic, ...built].sort(byPlace)) {
      findings.push({ path: file.shown, ...each });
    }
    await turn();
  }
  call.progress({ progress: files.length * 2, total: files.length * 2, message: "Done" });
  const unplaced = build.messages.filter(({ severity, url }) =>
    severity !== "info" && !toBuild.some(({ route }) => route.url === url)
  ).map(({ message }) => message.split("\n")[0]!);
  const missing = [...warningsOf(site) ?? [], ...problem === undefined ? [] : [problem]];
  const config = shownPath(site.project.cwd, site.project.site!.configPath);
  findings.unshift(
    ...missing.map((message) => ({ path: config, ...diagnostic("package-skipped", message) })),
  );
  const warnings = [
    ...pages.problems,
    ...new Set(unplaced.slice(0, MOST_UNPLACED)),
  ];
  return {
    files: wanted.size,
    findings,
    ...(changed === undefined ? {} : { changed }),
    skipped: skippedOf(site),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

const MOST_UNPLACED = 10;

/** What the build finds in a file. Its messages about a partial are those about its pages. */
async function builtFindings(
  site: SiteContext,
  page: ParsedPage,
  build: SiteBuild,
  theme: ThemeConfig,
  signal: AbortSignal,
): Promise<Diagnostic[]> {
  const isPartial = page.file.kind === "partial";
  try {
    const finished = await build.finish(page);
    const lost = lostInPage(site, page, finished, theme);
    if (isPartial) return lost;
    return [...buildFindings(site, page, [...build.messages, ...finished.messages]), ...lost];
  } catch (error) {
    if (signal.aborted) throw error;
    if (isPartial) return [];
    return [diagnostic("render-failed", messageOf(error).split("\n")[0]!)];
  }
}

function skippedOf({ site }: SiteContext): string[] {
  return site.raw["entityRoutes"] === undefined
    ? []
    : ["pages created by entityRoutes: they have no file"];
}

function chosenFiles(
  site: SiteContext,
  { content }: SitePages,
  path: string | undefined,
): readonly ContentFile[] {
  if (path === undefined) return content.files;
  const folder = folderOf(site, content.dir, path);
  if (folder === undefined) return [findFile(site, content, path)];
  const inside = content.files.filter((file) => isInside(folder, file.path));
  if (inside.length > 0) return inside;
  throw new RefraktError("NOT_FOUND", `No pages below ${JSON.stringify(path)}`, {
    hint: "Omit path to check every page of the site.",
  });
}

function folderOf(site: SiteContext, dir: string, path: string): string | undefined {
  for (const folder of placesOf(site.project.cwd, dir, path, "The folder")) {
    if (statIfExists(folder)?.isDirectory && isInside(dir, folder)) return folder;
    if (statIfExists(folder)?.isDirectory && isInside(folder, dir)) return dir;
  }
  return undefined;
}
