import { createHash } from "node:crypto";
import { join } from "node:path";
import { messageOf, RefraktError } from "../../../../errors.ts";
import { statIfExists } from "../../../../io/files.ts";
import { isInside, resolveInside, shownPath } from "../../../../io/paths.ts";
import { readInside } from "../../../../io/read.ts";
import { type Channels, turnTaker } from "../../channels.ts";
import { type BuildMessage, openBuild, type SiteBuild } from "../build/build.ts";
import { type ContentFile, findFile, PARTIALS } from "../read/content_files.ts";
import { byPlace, type Diagnostic, diagnostic, type Place } from "../read/diagnostics.ts";
import { addressesOf, addressOf, checkLinks, partialCycles, type Targets } from "./links.ts";
import type { ParsedPage } from "../read/read_page.ts";
import { openPages, type SitePages } from "../build/site_pages.ts";
import { type SiteContext, warningsOf } from "../../site.ts";
import { buildIcons } from "../../theme/theme.ts";

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
  channels: Channels,
) {
  const pages = await openPages(site);
  let chosen = chosenFiles(site, pages, path);
  const turn = turnTaker(channels.signal, "Check one folder at a time: pass path.");
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
    // The build never ends on a partial that includes itself.
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

/** The build's messages about a page or a layout. Partials are built within pages. */
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
    skipped.push("pages created by entityRoutes: they have no file");
  }
  return skipped;
}

/** Every finding about a page except the build's messages. */
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
    hint: "Omit path to check every page of the site.",
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

/** The files of HEAD below the project: git object ids by path. */
export type Head = Readonly<Record<string, string>>;

/** Finds the files to check (absolute) and the changed ones (relative to the project). */
export async function changedPages(
  site: SiteContext,
  pages: SitePages,
  parsed: readonly ParsedPage[],
  build: SiteBuild,
  head: Head,
): Promise<{ readonly files: ReadonlySet<string>; readonly changed: string[] }> {
  const { cwd, config } = site.project;
  const isChanged = memo((path: string) => differs(cwd, shownPath(cwd, path), head));
  const content = shownPath(cwd, pages.content.dir);
  const present = new Set(pages.content.files.map(({ shown }) => shown));
  const removed = Object.keys(head).filter((path) =>
    path.startsWith(`${content}/`) && path.endsWith(".md") && !present.has(path)
  );
  const own = parsed.filter(({ file }) => isChanged(file.path));
  const changed = [...own.map(({ file }) => file.shown), ...removed];
  const files = new Set(own.map(({ file }) => file.path));
  const settings = [...site.files.keys(), ...config === null ? [] : [config.path]];
  const everywhere = settings.filter(isChanged);
  if (everywhere.length > 0) {
    return {
      files: new Set(parsed.map(({ file }) => file.path)),
      changed: [...everywhere.map((path) => shownPath(cwd, path)), ...changed],
    };
  }
  const router = new pages.module.Router("/");
  const addresses = new Set([
    ...own.map(({ route }) => addressOf(route.url)),
    ...removed.map((path) => addressOf(router.resolve(path.slice(content.length + 1), {}).url)),
  ]);
  const partials = new Set(
    [
      ...own.map(({ file }) => file.relative),
      ...removed.map((path) => path.slice(content.length + 1)),
    ]
      .filter((path) => path.startsWith(`${PARTIALS}/`)).map((path) =>
        path.slice(PARTIALS.length + 1)
      ),
  );
  for (const page of parsed) {
    const { file, route, facts } = page;
    const leads = facts.references.some(({ kind, target }) =>
      kind === "partial"
        ? partials.has(target)
        : kind === "link" && addressesOf({ url: route.url, relative: file.relative }, target)
          .some((address) => addresses.has(address))
    );
    if (leads || [...await readsOf(page, build)].some(isChanged)) files.add(file.path);
  }
  return { files, changed };
}

async function readsOf(page: ParsedPage, build: SiteBuild): Promise<string[]> {
  if (page.file.kind === "partial") return [];
  try {
    const { reads } = await build.finish(page);
    return [...reads.keys()].filter((path) => !path.endsWith("/"));
  } catch {
    // Checking the page reports the error.
    return [];
  }
}

function differs(cwd: string, path: string, head: Head): boolean {
  const id = Object.hasOwn(head, path) ? head[path]! : undefined;
  let text: string | undefined;
  try {
    text = readInside(cwd, join(cwd, path), "text");
  } catch {
    // The file is missing or may not be read.
  }
  if (id === undefined || text === undefined) return (id === undefined) !== (text === undefined);
  // Git may check files out with other line ends than it stores.
  return idOf(text, id.length) !== id && idOf(text.replaceAll("\r\n", "\n"), id.length) !== id;
}

/**
 * Computes the git object id of a text. The length of an id tells the repository's hash algorithm.
 */
function idOf(text: string, length: number): string {
  const bytes = new TextEncoder().encode(text);
  return createHash(length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

function memo(work: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    let value = known.get(path);
    if (value === undefined) known.set(path, value = work(path));
    return value;
  };
}

/**
 * Converts the build's messages about a page. A message that quotes nothing of the page has no
 * place and is listed once.
 */
export function buildFindings(page: ParsedPage, messages: readonly BuildMessage[]): Diagnostic[] {
  const { file: { kind }, route } = page;
  const own = messages.filter(({ severity, url, message }) =>
    severity !== "info" && url === route.url &&
    // A layout has no address of its own, so messages about its address are meaningless.
    !(kind === "layout" && message.includes(route.url))
  );
  const seen = new Map<string, number>();
  const findings: Diagnostic[] = [];
  for (const { severity, message } of own) {
    const text = message.split("\n")[0]!;
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    const place = quotedPlace(page, text, count);
    if (place === undefined && count > 0) continue;
    findings.push({
      ...diagnostic("build-message", text, place),
      severity: severity === "error" ? "error" : "warning",
    });
  }
  return findings;
}

/** Code blocks and code in a line. */
const CODE = /^ *(```+|~~~+)[^]*?^ *\1|`[^`\n]*`/gm;

/** Finds the `count`th place of the text that a message quotes. */
function quotedPlace(
  { content, offset }: ParsedPage,
  message: string,
  count: number,
): Place | undefined {
  const [, quoted] = /["'`]([^"'`]+)["'`]/.exec(message) ?? [];
  if (quoted === undefined) return undefined;
  const name = RegExp.escape(quoted);
  const prose = content.replace(CODE, (code) => code.replace(/[^\n]/g, " "));
  // Text and code may contain the same words as the tag.
  const places = [`(?<=["'])${name}(?=["'])`, `(?<![\\w/-])${name}(?![\\w/-])`, name]
    .map((pattern) => {
      const [first, all] = [prose, content].map((text) =>
        [...text.matchAll(new RegExp(pattern, "g"))].map(({ index }) => index)
      );
      return [...new Set([...first!, ...all!])];
    }).find(({ length }) => length > 0);
  const at = places?.[count];
  if (at === undefined) return undefined;
  const before = content.slice(0, at).split("\n");
  return { line: before.length + offset, column: before.at(-1)!.length + 1 };
}
