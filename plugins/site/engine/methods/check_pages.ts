/** Checks pages: their own mistakes, their links, and the messages of the build. */

import { quotedName } from "../../../../src/plain_text.ts";
import { messageOf, RefraktError } from "../../../../src/errors.ts";
import { statIfExists } from "../../../../src/io/files.ts";
import { isInside, shownPath } from "../../../../src/io/paths.ts";
import { eachInTurn, turnTaker } from "../../../../src/io/turns.ts";
import type { EngineCall } from "../engine_call.ts";
import { openPages, type SitePages } from "../pages/transform/site_pages.ts";
import { type ContentFile, findFile, notPages, placesOf } from "../pages/read/content_files.ts";
import { type Diagnostic, diagnostic } from "../pages/read/diagnostics.ts";
import { ownTheme } from "../theme/theme.ts";
import { type SiteContext, warningsOf } from "../upstream/site.ts";
import { openBuiltSite, type PageResult } from "./built_site.ts";
import { changedFiles, type CommitFiles } from "./changed_files.ts";
import { findingsBefore, newFindings } from "./findings_before.ts";

export interface CheckInput {
  /** A page or a folder; every page by default. */
  readonly path?: string | undefined;
  /** Only what is new since this commit. */
  readonly commit?: CommitFiles | undefined;
}

export interface Finding extends Diagnostic {
  /** Relative to the project. */
  readonly path: string;
}

/** Checks pages, reusing results that are still current. */
export async function checkPages(
  site: SiteContext,
  { path, commit }: CheckInput,
  call: EngineCall,
) {
  const pages = await openPages(site);
  const { files } = pages.content;
  const chosen = chosenFiles(site, pages, path);
  const findings: Finding[] = [];
  const next = turnTaker(call.signal);
  // Each page is parsed, transformed and checked.
  const total = files.length * 3;
  let done = 0;
  const turn = async () => {
    call.progress({ progress: ++done, total });
    await next();
  };
  const { config: theme, problem } = await ownTheme(site);
  const parsed = await pages.all(turn, (file, error) => {
    if (!chosen.includes(file)) return;
    findings.push({ path: file.shown, ...diagnostic("render-failed", messageOf(error)) });
  });
  const { build, built, result } = await openBuiltSite(site, pages, parsed, theme, turn);
  const wanted = new Set(chosen.map((file) => file.path));
  const checked = parsed.filter(({ file }) => wanted.has(file.path));
  for (const outcome of await eachInTurn(checked, turn, result)) {
    if ("error" in outcome) throw outcome.error;
    findings.push(...pageFindings(outcome.value));
  }
  let changed: string[] | undefined;
  let gone: string[] | undefined;
  if (commit !== undefined) {
    const opened = { site, pages, parsed, theme, turn };
    changed = changedFiles(site, pages.content, commit);
    const before = await findingsBefore(opened, commit, changed, wanted);
    const compared = newFindings(findings, before);
    findings.splice(0, findings.length, ...compared.added);
    gone = compared.gone;
  }
  call.progress({ progress: total, total, message: "Done" });
  const unplaced = build.messages.filter(({ severity, url }) =>
    severity !== "info" && !built.some(({ route }) => route.url === url)
  ).map(({ message }) => message.split("\n")[0]!);
  const missing = [...warningsOf(site) ?? [], ...problem === undefined ? [] : [problem]];
  const config = shownPath(site.project.cwd, site.project.site!.configPath);
  findings.unshift(
    ...missing.map((message) => ({ path: config, ...diagnostic("package-skipped", message) })),
  );
  const warnings = [
    ...pages.problems,
    ...notPages(pages.content),
    ...new Set(unplaced.slice(0, MOST_UNPLACED)),
  ];
  return {
    files: wanted.size,
    findings,
    ...(changed === undefined ? {} : { changed, gone: gone! }),
    skipped: skippedOf(site),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** What is said about a page: what the build says about a partial is said of its pages. */
function pageFindings(
  { page: { file: { kind, shown } }, diagnostics }: PageResult,
): Finding[] {
  return diagnostics.flatMap((each) => {
    const isOfPages = each.code === "build-message" || each.code === "render-failed";
    return kind === "partial" && isOfPages ? [] : { path: shown, ...each };
  });
}

const MOST_UNPLACED = 10;

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
  throw new RefraktError("NOT_FOUND", `No pages below ${quotedName(path)}`, {
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
