/** Checks pages: their own mistakes, their links, and the messages of the build. */

import { resolve } from "node:path";
import { quotedName } from "../../../../src/plain_text.ts";
import { messageOf, RefraktError } from "../../../../src/errors.ts";
import { statIfExists } from "../../../../src/io/files.ts";
import { defined, unlessEmpty } from "../../../../src/io/json.ts";
import { isInside, shownPath } from "../../../../src/io/paths.ts";
import { type Turn, turnTaker } from "../../../../src/io/turns.ts";
import type { CallContext } from "../../../../src/plugin/context.ts";
import { openPages, type SitePages } from "../pages/transform/site_pages.ts";
import { type ContentFile, findFile, notPages, pathsFor } from "../pages/read/content_files.ts";
import { diagnostic, type Finding } from "../pages/read/diagnostics.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import type { ThemeConfig } from "../upstream/shapes.ts";
import { ownTheme } from "../theme/theme.ts";
import { type SiteContext, warningsOf } from "../upstream/site.ts";
import { openBuiltSite, type PageResult } from "./built_site.ts";
import { changedFiles, type CommitFiles, newFindings } from "./since.ts";
import { correct, type CorrectedPage, type OpenedSite, withTexts } from "./other_texts.ts";

interface CheckInput {
  /** A page or a folder; every page by default. */
  readonly path?: string | undefined;
  /** Only what is new since this commit. */
  readonly commit?: CommitFiles | undefined;
  /** Corrects pages in memory: those that may be written, or all. */
  readonly fix?: "write" | "preview" | undefined;
}

/** How often pages are corrected and checked again: a correction may reveal another mistake. */
const MOST_ROUNDS = 5;

/** Checks pages, reusing results that are still current. */
export async function checkPages(
  site: SiteContext,
  { path, commit, fix }: CheckInput,
  call: CallContext,
) {
  const pages = await openPages(site);
  const { files, dir } = pages.content;
  const { cwd } = site.project;
  const chosen = chosenFiles(site, pages, path);
  const failed: Finding[] = [];
  const next = turnTaker(call.signal);
  // Each page is parsed, transformed and checked.
  const total = files.length * 3;
  let done = 0;
  const turn = async () => {
    call.progress({ progress: Math.min(++done, total), total });
    await next();
  };
  const { config: theme, problem } = await ownTheme(site);
  const parsed = await pages.all(turn, (file, error) => {
    if (!chosen.includes(file)) return;
    failed.push({ path: file.displayPath, ...diagnostic("render-failed", messageOf(error)) });
  });
  const opened = { site, pages, parsed };
  const wanted = new Set(chosen.map((file) => file.path));
  const isWanted = ({ file }: ParsedPage) => wanted.has(file.path);
  let changed: string[] | undefined;
  let only = (findings: Finding[]): ReturnType<typeof newFindings> => {
    return { added: findings, gone: undefined };
  };
  if (commit !== undefined) {
    changed = changedFiles(site, pages.content, commit);
    const changedPages = changed.filter((each) =>
      isInside(dir, resolve(cwd, each)) && each.endsWith(".md")
    );
    const then = withTexts(opened, await commit.read(changedPages));
    const present = new Set(files.map((file) => file.path));
    const wasWanted = (page: ParsedPage) => !present.has(page.file.path) || isWanted(page);
    const before = { ...then, ...await findingsIn(then, theme, turn, wasWanted) };
    only = (findings) => newFindings({ findings, parsed }, before);
  }
  const now = await findingsIn(opened, theme, turn, isWanted);
  const first = only([...failed, ...now.findings]);
  const corrected = new Map<string, CorrectedPage>();
  let last = first;
  for (let round = 0; fix !== undefined && round < MOST_ROUNDS; round++) {
    const sourceOf = (path: string) => parsed.find(({ file }) => file.displayPath === path)?.source;
    if (!correct(last.added, sourceOf, corrected, fix === "write" ? cwd : undefined)) break;
    const texts = new Map([...corrected].map(([path, { text }]) => [path, text]));
    const rechecked = await findingsIn(withTexts(opened, texts), theme, turn, isWanted);
    last = only([...failed, ...rechecked.findings]);
  }
  call.progress({ progress: total, total, message: "Done" });
  const { added, gone } = fix === "write" ? last : first;
  const names = new Set(chosen.map(({ displayPath }) => displayPath));
  // Without a path, findings of deleted pages count, too.
  const isOfChosen = (finding: Finding) => path === undefined || names.has(finding.path);
  const missing = [...warningsOf(site) ?? [], ...problem === undefined ? [] : [problem]];
  const config = shownPath(cwd, site.project.site!.configPath);
  return defined({
    files: wanted.size,
    findings: [
      ...missing.map((message) => ({ path: config, ...diagnostic("package-skipped", message) })),
      ...added,
    ],
    changed,
    gone: gone?.filter(isOfChosen).map(({ code }) => code),
    corrected: fix && [...corrected.values()],
    skipped: site.site.raw["entityRoutes"] === undefined
      ? []
      : ["pages created by entityRoutes: they have no file"],
    warnings: unlessEmpty([...pages.problems, ...notPages(pages.content), ...now.unplaced]),
  });
}

/** Builds a site and returns the findings of the pages that are checked. */
async function findingsIn(
  { site, pages, parsed }: OpenedSite,
  theme: ThemeConfig,
  turn: Turn,
  isWanted: (page: ParsedPage) => boolean,
) {
  const { build, built, result } = await openBuiltSite(site, pages, parsed, theme, turn);
  const findings: Finding[] = [];
  for (const page of parsed.filter(isWanted)) {
    findings.push(...pageFindings(result(page)));
    await turn();
  }
  const unplaced = build.messages.filter(({ severity, url }) =>
    severity !== "info" && !built.some(({ route }) => route.url === url)
  ).map(({ message }) => message.split("\n")[0]!);
  return { findings, unplaced: new Set(unplaced.slice(0, MOST_UNPLACED)) };
}

/** The findings of a page. Messages of the build about a partial are left to its pages. */
export function pageFindings(
  { page: { file: { kind, displayPath } }, diagnostics }: PageResult,
): Finding[] {
  return diagnostics.flatMap((each) => {
    const isOfPages = each.code === "build-message" || each.code === "render-failed";
    return kind === "partial" && isOfPages ? [] : { path: displayPath, ...each };
  });
}

const MOST_UNPLACED = 10;

export function chosenFiles(
  site: SiteContext,
  { content }: SitePages,
  path: string | undefined,
): readonly ContentFile[] {
  if (path === undefined) return content.files;
  const folder = chosenFolder(site, content.dir, path);
  if (folder === undefined) return [findFile(site, content, path)];
  const inside = content.files.filter((file) => isInside(folder, file.path));
  if (inside.length > 0) return inside;
  throw new RefraktError("NOT_FOUND", `No pages below ${quotedName(path)}`, {
    hint: "Omit path to check every page of the site.",
  });
}

function chosenFolder(site: SiteContext, dir: string, path: string): string | undefined {
  for (const folder of pathsFor(site.project.cwd, dir, path, "The folder")) {
    if (statIfExists(folder)?.isDirectory && isInside(dir, folder)) return folder;
    if (statIfExists(folder)?.isDirectory && isInside(folder, dir)) return dir;
  }
  return undefined;
}
