/**
 * Checks every page of a site, its layouts and partials, by themselves and as the build sees
 * them together.
 *
 * @module
 */

import { messageOf, RefraktError } from "../../errors.ts";
import { statIfExists } from "../../io/files.ts";
import { isInside, resolveInside } from "../../io/paths.ts";
import { type Channels, turnTaker } from "./channels.ts";
import { openBuild, type SiteBuild } from "./pages/build.ts";
import { changedPages, type Head } from "./pages/changed_pages.ts";
import { type ContentFile, findFile } from "./pages/content_files.ts";
import { buildFindings, byPlace, type Diagnostic, diagnostic } from "./pages/diagnostics.ts";
import { addressOf, checkLinks, partialCycles, type Targets } from "./pages/links.ts";
import type { ParsedPage } from "./pages/read_page.ts";
import { openPages, type SitePages } from "./pages/site_pages.ts";
import { type SiteContext, warningsOf } from "./site.ts";
import { buildIcons } from "./theme.ts";

/** What {@linkcode checkPages} takes. */
export interface CheckInput {
  /** A page or a folder; every page where it is left out. */
  readonly path?: string | undefined;
  readonly head?: Head | undefined;
}

/** A finding, and the file that it is about. */
export interface Finding extends Diagnostic {
  /** The file, relative to the project. */
  readonly path: string;
}

/** Checks pages. What has not changed since the last call is not done again. */
export async function checkPages(
  site: SiteContext,
  { path, head }: CheckInput,
  channels: Channels,
) {
  const pages = await openPages(site);
  let chosen = chosenFiles(site, pages, path);
  const turn = turnTaker(channels.signal, "Check one folder at a time: give path.");
  const parsed: ParsedPage[] = [];
  const findings: Finding[] = [];
  const { files } = pages.content;
  for (const [index, file] of files.entries()) {
    channels.progress({ progress: index, total: files.length * 2, message: file.shown });
    try {
      parsed.push(pages.page(file));
    } catch (error) {
      if (chosen.includes(file)) {
        findings.push({ path: file.shown, ...diagnostic("render-failed", messageOf(error)) });
      }
    }
    await turn();
  }
  const { icons, problem } = await buildIcons(site);
  const built = parsed.filter(({ file }) => file.kind === "page");
  const build = await openBuild(site, pages, built, icons, turn);
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
    channels.progress({
      progress: files.length + index,
      total: files.length * 2,
      message: file.shown,
    });
    const found = diagnosticsOf(site, page, targets);
    const cyclic = cycles.get(file.path) ?? [];
    // A partial without an end cannot be built.
    const said = cyclic.length > 0 ? [] : await saidOf(page, build, channels.signal);
    for (const each of [...found, ...cyclic, ...said].sort(byPlace)) {
      findings.push({ path: file.shown, ...each });
    }
    await turn();
  }
  channels.progress({ progress: files.length * 2, total: files.length * 2, message: "Done" });
  const unplaced = build.messages.filter(({ severity, url }) =>
    severity !== "info" && !built.some(({ route }) => route.url === url)
  ).map(({ message }) => message.split("\n")[0]!);
  const warnings = [
    ...warningsOf(site) ?? [],
    ...pages.problems,
    ...problem === undefined ? [] : [problem],
    ...new Set(unplaced.slice(0, MOST_UNPLACED)),
  ];
  return {
    files: wanted.size,
    findings,
    ...(changed === undefined ? {} : { changed }),
    skipped: skippedOf(site, pages),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

const MOST_UNPLACED = 10;

/** What the build says about a page or a layout; partials are built inside of pages. */
async function saidOf(
  page: ParsedPage,
  build: SiteBuild,
  signal: AbortSignal,
): Promise<Diagnostic[]> {
  if (page.file.kind === "partial") return [];
  try {
    const { messages } = await build.finish(page);
    return buildFindings(page, [...build.messages, ...messages]);
  } catch (error) {
    if (signal.aborted) throw error;
    return [diagnostic("render-failed", messageOf(error).split("\n")[0]!)];
  }
}

function skippedOf({ site }: SiteContext, pages: SitePages): string[] {
  const skipped: string[] = [];
  if (pages.module.runPipeline === undefined) {
    skipped.push(
      "the build's passes over all pages: this version of @refrakt-md/content has none",
    );
  }
  if (site.raw["entityRoutes"] !== undefined) {
    skipped.push("pages made by entityRoutes: they have no file to point at");
  }
  return skipped;
}

/** Every finding about a page, links included; what the build says is not among them. */
export function diagnosticsOf(
  site: SiteContext,
  page: ParsedPage,
  targets: Targets,
): Diagnostic[] {
  const { file, route, facts: { ids, references } } = page;
  return [
    ...page.diagnostics,
    ...sameAddress(page, targets),
    ...checkLinks(site, { url: route.url, relative: file.relative, ids }, references, targets),
  ].sort(byPlace);
}

function sameAddress({ file, route: { url } }: ParsedPage, { pages }: Targets): Diagnostic[] {
  if (file.kind !== "page") return [];
  const other = pages.get(addressOf(url))?.files.find((shown) => shown !== file.shown);
  if (other === undefined) return [];
  return [diagnostic("route-duplicate", `${other} has the same address: ${url}`)];
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
    hint: "Leave out path to check every page of the site.",
  });
}

function folderOf(site: SiteContext, dir: string, path: string): string | undefined {
  for (const root of [site.project.cwd, dir]) {
    const folder = resolveInside(site.project.cwd, `${root}/${path}`, "The folder");
    if (statIfExists(folder)?.isDirectory && isInside(dir, folder)) return folder;
    if (statIfExists(folder)?.isDirectory && isInside(folder, dir)) return dir;
  }
  return undefined;
}
