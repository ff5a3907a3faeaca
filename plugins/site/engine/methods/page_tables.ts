/** The rows of the tables about pages and runes; each page is a part of its own. */

import { asObject, textOf } from "../../../../src/io/json.ts";
import { isInside } from "../../../../src/io/paths.ts";
import { quotedName, shortText } from "../../../../src/plain_text.ts";
import { linesIn, linesOf } from "../../../../src/markdoc/lines.ts";
import type { CallContext, Row, TablePart } from "../../../../src/plugin/context.ts";
import { openPages } from "../pages/transform/site_pages.ts";
import { addressesOf, addressOf, isExternal } from "../pages/check/addresses.ts";
import { parentsOf } from "../pages/check/content_model.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import { partialName } from "../pages/read/content_files.ts";
import type { Reference } from "../pages/read/page_facts.ts";
import { turnTaker } from "../../../../src/io/turns.ts";
import { aliasesOf, packageOf, type SiteContext } from "../upstream/site.ts";
import { type Finding, folded } from "../pages/read/diagnostics.ts";
import { fieldPlace } from "../pages/read/front_matter.ts";

/** The state of a site, and its rows. */
export interface SiteRows {
  /** An object that stays the same while nothing has changed. */
  readonly state: unknown;
  readonly notes: readonly string[];
  parts(): TablePart[];
}

/** The tables with one part for each page. */
export type PageTable = keyof typeof ROWS;

const ROWS = {
  pages: pageRows,
  uses: useRows,
  links: linkRows,
  images: imageRows,
  nav: navRows,
  lines: lineRows,
};

/** Tables whose rows depend on the other pages, too. */
const BY_OTHERS: readonly PageTable[] = ["pages", "links", "nav"];

/** Reads the pages of a site; without a change, the list is the same object as before. */
export async function openSite(site: SiteContext, call: CallContext) {
  const pages = await openPages(site);
  const notes: string[] = [];
  const turn = turnTaker(call.signal);
  const now = await pages.all(turn, ({ displayPath }) => {
    notes.push(`${quotedName(displayPath)} cannot be read`);
  });
  return { pages, all: site.memo.same([site, "pages"], now), notes, turn };
}

export async function pageTable(
  site: SiteContext,
  { table }: { readonly table: PageTable },
  call: CallContext,
): Promise<SiteRows> {
  const { all, notes } = await openSite(site, call);
  const { name } = site.site;
  return {
    state: all,
    notes,
    parts: () => {
      const pageIndex = knownPages(all);
      return all.map((page) => ({
        key: BY_OTHERS.includes(table) ? {} : page,
        rows: () => ROWS[table](site, page, pageIndex).map((row) => ({ ...row, site: name })),
      }));
    },
  };
}

/** The files of pages, by address and by title in lower case. */
interface KnownPages {
  readonly byAddress: ReadonlyMap<string, string>;
  readonly byTitle: ReadonlyMap<string, string>;
  readonly partials: ReadonlyMap<string, string>;
  /** How many layouts and partials list a page in a navigation. */
  readonly navigations: ReadonlyMap<string, number>;
}

function knownPages(all: readonly ParsedPage[]): KnownPages {
  const pages = all.filter(({ file }) => file.kind === "page");
  const partials = all.filter(({ file }) => file.kind === "partial");
  const pageIndex = {
    byAddress: new Map(pages.map(({ route, file }) => [addressOf(route.url), file.displayPath])),
    byTitle: new Map(
      pages.map((page) => [String(titleOf(page)).toLowerCase(), page.file.displayPath]),
    ),
    partials: new Map(partials.map(({ file }) => [partialName(file), file.displayPath])),
  };
  const navigations = new Map<string, number>();
  for (const page of all) {
    if (page.file.kind === "page") continue;
    const listed = navReferences(page).map((entry) => pageOf(page, entry, pageIndex));
    for (const path of new Set(listed)) {
      if (path !== undefined) navigations.set(path, (navigations.get(path) ?? 0) + 1);
    }
  }
  return { ...pageIndex, navigations };
}

function pageRows(site: SiteContext, page: ParsedPage, { navigations }: KnownPages): Row[] {
  const { file, route, frontmatter, facts } = page;
  const isPage = file.kind === "page";
  return [{
    path: file.displayPath,
    url: isPage ? route.url : null,
    title: titleOf(page),
    kind: file.kind,
    description: textOf(frontmatter["description"]),
    layout: isPage ? layoutName(site, page) : null,
    draft: Number(route.draft),
    words: facts.words,
    redirect: textOf(frontmatter["redirect"]),
    in_nav: isPage ? navigations.get(file.displayPath) ?? 0 : null,
    front: JSON.stringify(frontmatter),
  }];
}

export function titleOf({ frontmatter: { title }, facts }: ParsedPage): string | null {
  if (typeof title === "string" && title.trim() !== "") return title;
  return facts.headings.find(({ level }) => level === 1)?.text ?? null;
}

/** The layout of the front matter, else of the first route rule that matches. */
export function layoutName({ site, upstream }: SiteContext, page: ParsedPage): string | undefined {
  const { routeRules } = site.raw;
  const rules = Array.isArray(routeRules) ? routeRules : [];
  return textOf(page.frontmatter["layout"]) ??
    upstream.transform.matchRouteRule(page.route.url, rules);
}

function useRows(_site: SiteContext, { file, facts }: ParsedPage): Row[] {
  return facts.uses.map(({ primary: _, ...use }) => ({ path: file.displayPath, ...use }));
}

const IMAGE_PATH = /\.(?:avif|gif|ico|jpe?g|png|svg|webp)(?:[?#].*)?$/i;

function imageRows(_site: SiteContext, { file: { displayPath: path }, facts }: ParsedPage): Row[] {
  const written = facts.references.filter(({ kind }) => kind === "image")
    .map(({ place: { line }, target, alt }) => ({ path, line, target, alt: alt || null }));
  const ofRunes = facts.uses.flatMap(({ line, attributes }) => {
    const { src, alt } = asObject(JSON.parse(attributes));
    const isImage = typeof src === "string" && IMAGE_PATH.test(src);
    return isImage ? { path, line, target: src, alt: textOf(alt) || null } : [];
  });
  return [...written, ...ofRunes].sort((a, b) => a.line - b.line);
}

function navReferences({ facts: { references } }: ParsedPage): Reference[] {
  return references.filter(({ kind, rune }) => kind === "nav" || kind === "link" && rune === "nav");
}

function navRows(_site: SiteContext, page: ParsedPage, pageIndex: KnownPages): Row[] {
  return navReferences(page).map((reference) => ({
    layout: page.file.displayPath,
    line: reference.place.line,
    entry: reference.target,
    path: pageOf(page, reference, pageIndex),
  })).sort((a, b) => a.line - b.line);
}

/** The attributes of runes that name another page or entity, by rune. */
const NAMING_ATTRIBUTES: Readonly<Record<string, string>> = {
  xref: "ref",
  ref: "ref",
  expand: "expand",
};

function linkRows(_site: SiteContext, page: ParsedPage, pageIndex: KnownPages): Row[] {
  const { file: { displayPath: path }, frontmatter, facts } = page;
  const rows: Row[] = facts.references.map((reference) => ({
    path,
    line: reference.place.line,
    kind: reference.kind,
    target: reference.target,
    text: reference.text,
    to_path: pageOf(page, reference, pageIndex),
  }));
  const redirect = textOf(frontmatter["redirect"]);
  if (redirect !== undefined) {
    const { line } = fieldPlace(page, "redirect");
    const to_path = pageIndex.byAddress.get(addressOf(redirect));
    rows.push({ path, line, kind: "redirect", target: redirect, to_path });
  }
  for (const { rune, primary, line } of facts.uses) {
    const kind = Object.hasOwn(NAMING_ATTRIBUTES, rune) ? NAMING_ATTRIBUTES[rune] : undefined;
    if (kind === undefined || primary === undefined) continue;
    const to_path = pageIndex.byAddress.get(addressOf(primary)) ??
      pageIndex.byTitle.get(primary.toLowerCase());
    rows.push({ path, line, kind, target: primary, to_path });
  }
  return rows;
}

/** The page that a reference leads to. */
function pageOf(
  page: ParsedPage,
  { kind, target }: Reference,
  { byAddress, partials }: Pick<KnownPages, "byAddress" | "partials">,
): string | undefined {
  if (kind === "partial") return partials.get(target);
  if (kind !== "link" && kind !== "nav" || isExternal(target)) return undefined;
  const path = target.replace(/[?#].*$/s, "") || page.route.url;
  const address = addressesOf(page, path).find((each) => byAddress.has(each));
  return address === undefined ? undefined : byAddress.get(address);
}

function lineRows(site: SiteContext, page: ParsedPage): Row[] {
  const { file } = page;
  // The plan contributes these lines itself.
  const { plan } = site.project;
  if (plan !== null && isInside(plan.path, file.path)) return [];
  return linesIn(linesOf(page.source).join("\n")).map(({ text, in_code }, at) => ({
    path: file.displayPath,
    n: at + 1,
    text,
    in_code: Number(in_code),
  }));
}

export function runeTable(site: SiteContext): SiteRows {
  const rows = () =>
    Object.values(site.runes).map((rune): Row => ({
      name: rune.name,
      package: packageOf(site, rune),
      aliases: aliasesOf(site, rune).join(", ") || null,
      parent: parentsOf(site, rune.name).join(", ") || null,
      description: rune.description,
      site: site.site.name,
    }));
  return { state: site, notes: [], parts: () => [{ key: site, rows }] };
}

/** How much of the line of a finding is shown, in characters. */
const MOST_LINE = 200;

/** Lists findings with the text of their lines. */
export async function findingTable(
  site: SiteContext,
  { findings, warnings = [] }: {
    readonly findings: readonly Finding[];
    readonly warnings?: readonly string[];
  },
  call: CallContext,
): Promise<SiteRows> {
  const { all } = await openSite(site, call);
  const rows = () => {
    const pages = new Map(all.map((page) => [page.file.displayPath, page]));
    const lines = new Map<ParsedPage, string[]>();
    return folded(findings).map(({ path, line, severity, code, message }): Row => {
      const page = pages.get(path);
      const pageLines = page && lines.getOrInsertComputed(page, ({ source }) => linesOf(source));
      const written = line === undefined ? undefined : pageLines?.[line - 1];
      const text = written && shortText(written, MOST_LINE);
      return { path, line, severity, code, message, text, site: site.site.name };
    });
  };
  return { state: findings, notes: warnings, parts: () => [{ key: findings, rows }] };
}
