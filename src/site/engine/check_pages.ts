/**
 * Checks every page of a site, its layouts and partials.
 *
 * @module
 */

import { isInside, resolveInside } from "../../io/paths.ts";
import { messageOf, RefraktError } from "../../errors.ts";
import { statIfExists } from "../../io/files.ts";
import type { Channels } from "./channels.ts";
import { type ContentFile, findFile } from "./pages/content_files.ts";
import { byPlace, type Diagnostic, diagnostic } from "./pages/diagnostics.ts";
import { addressOf, checkLinks, type Targets } from "./pages/links.ts";
import type { ParsedPage } from "./pages/read_page.ts";
import { openPages, type SitePages } from "./pages/site_pages.ts";
import { type SiteContext, warningsOf, type WithWarnings } from "./site.ts";
import { turnTaker } from "./slices.ts";

/** What {@linkcode checkPages} takes. */
export interface CheckInput {
  /** A page or a folder; every page where it is left out. */
  readonly path?: string | undefined;
}

/** A finding, and the file that it is about. */
export interface Finding extends Diagnostic {
  /** The file, relative to the project. */
  readonly path: string;
}

/** What {@linkcode checkPages} finds. */
export type Checked = WithWarnings & {
  /** How many files were checked. */
  readonly files: number;
  /** The findings, by path and place. */
  readonly findings: readonly Finding[];
};

/**
 * Checks pages. A page that has not changed since the last call is not read again.
 *
 * @throws {RefraktError} `NOT_FOUND` for a path that is not there, `TIMEOUT` when the call is
 * cancelled, and the errors of the site.
 */
export async function checkPages(
  site: SiteContext,
  { path }: CheckInput,
  channels: Channels,
): Promise<Checked> {
  const pages = await openPages(site);
  const wanted = new Set(chosen(site, pages, path).map((file) => file.path));
  const turn = turnTaker(channels.signal, "Check one folder at a time: give path.");
  const parsed: ParsedPage[] = [];
  const findings: Finding[] = [];
  const { files } = pages.content;
  for (const [index, file] of files.entries()) {
    channels.progress({ progress: index, total: files.length, message: file.shown });
    try {
      parsed.push(pages.page(file));
    } catch (error) {
      if (wanted.has(file.path)) {
        findings.push({ path: file.shown, ...diagnostic("render-failed", messageOf(error)) });
      }
    }
    await turn();
  }
  const targets = pages.targets(parsed);
  for (const page of parsed) {
    if (!wanted.has(page.file.path)) continue;
    for (const found of diagnosticsOf(site, page, targets, parsed)) {
      findings.push({ path: page.file.shown, ...found });
    }
    await turn();
  }
  channels.progress({ progress: files.length, total: files.length, message: "Done" });
  const warnings = [...warningsOf(site) ?? [], ...pages.problems];
  return { files: wanted.size, findings, ...(warnings.length === 0 ? {} : { warnings }) };
}

/** Every finding about a page, by place. */
export function diagnosticsOf(
  site: SiteContext,
  page: ParsedPage,
  targets: Targets,
  all: readonly ParsedPage[],
): Diagnostic[] {
  const { file, route, ids, references } = page;
  return [
    ...page.diagnostics,
    ...sameAddress(page, all),
    ...checkLinks(site, { url: route.url, relative: file.relative, ids }, references, targets),
  ].sort(byPlace);
}

function sameAddress(page: ParsedPage, all: readonly ParsedPage[]): Diagnostic[] {
  if (page.file.kind !== "page") return [];
  const address = addressOf(page.route.url);
  const other = all.find(({ file, route }) =>
    file.kind === "page" && file.path !== page.file.path && addressOf(route.url) === address
  );
  if (other === undefined) return [];
  const message = `${other.file.shown} has the same address: ${page.route.url}`;
  return [diagnostic("route-duplicate", message)];
}

function chosen(
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
