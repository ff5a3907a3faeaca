/** Finds pages by filters, and lists, sorts or groups them. */

import { posix } from "node:path";
import { didYouMean, RefraktError } from "../../../errors.ts";
import { type EngineCall, turnTaker } from "../turns.ts";
import { PARTIALS } from "../pages/read/content_files.ts";
import { addressesOf, addressOf } from "../pages/check/links.ts";
import type { Reference } from "../pages/read/page_facts.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import { openPages } from "../pages/build/site_pages.ts";
import { findRune, type SiteContext, withWarnings } from "../upstream/site.ts";

/** A page must match all filters. */
export interface PageQuery {
  readonly rune?: readonly string[] | undefined;
  readonly layout?: readonly string[] | undefined;
  readonly text?: string | undefined;
  readonly missing?: readonly string[] | undefined;
  readonly linksTo?: string | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly groupBy?: string | undefined;
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
  readonly start: number;
}

const ROWS = 50;

const AROUND = 60;

/** Fields that are not in the front matter. */
const COMPUTED: Readonly<Record<string, (page: ParsedPage, all: AllPages) => unknown>> = {
  path: ({ file }) => file.shown,
  url: ({ route }) => route.url,
  title: titleOf,
  folder: ({ file }) => posix.dirname(file.shown),
  draft: ({ route }) => route.draft,
  layout: (page, all) => all.layoutOf(page),
  words: ({ facts }) => facts.words,
  rune: ({ facts }) => [...facts.runes.keys()],
  runes: ({ facts }) => Object.fromEntries(facts.runes),
  headings: ({ facts }) => facts.headings,
  links: ({ facts }) => targetsOf(facts.references, "link"),
  images: ({ facts }) => targetsOf(facts.references, "image"),
  partials: ({ facts }) => targetsOf(facts.references, "partial"),
  linkedFrom: (page, all) => all.linkedFrom(page),
};

interface AllPages {
  layoutOf(page: ParsedPage): string | undefined;
  linkedFrom(page: ParsedPage): string[];
}

export async function queryPages(
  site: SiteContext,
  query: PageQuery,
  call: EngineCall,
) {
  const pages = await openPages(site);
  const turn = turnTaker(call.signal, "Narrow the query with rune, layout or text.");
  const all: ParsedPage[] = [];
  const problems: string[] = [];
  for (const file of pages.content.files) {
    try {
      all.push(pages.page(file));
    } catch {
      problems.push(`${file.shown} cannot be read`);
    }
    await turn();
  }
  const known = knowledgeOf(site, all);
  const valueOf = (page: ParsedPage, field: string): unknown =>
    Object.hasOwn(COMPUTED, field) ? COMPUTED[field]!(page, known) : page.frontmatter[field];
  const { fields = [], groupBy, sort, limit = ROWS, start } = query;
  const order = sort?.split(",").map((each) => each.trim()) ?? [];
  requireFields(all, [...fields, ...order.map((key) => key.replace(/^-/, ""))]);
  if (groupBy !== undefined) requireFields(all, [groupBy]);
  const { tags } = site.upstream.markdoc;
  const runes = query.rune?.map((name) =>
    // Markdoc's own tags: partial, if, table.
    Object.hasOwn(tags, name) && !site.names.has(name) ? name : findRune(site, name).name
  );
  const { linksTo, text } = query;
  const leads = linksTo === undefined ? undefined : leadsTo(all, linksTo);
  const fits = fitting(query, runes, valueOf, known, all);
  const hits = all.flatMap((page) => {
    const lines = leads?.(page);
    // Layouts and partials only match by what they use or link to.
    const isAsked = page.file.kind === "page" || runes !== undefined || leads !== undefined;
    if (!isAsked || lines?.length === 0 || !fits(page)) return [];
    const uses = runes?.reduce((sum, name) => sum + (page.facts.runes.get(name) ?? 0), 0);
    return [{ page, lines, uses }];
  });
  if (order.length > 0) hits.sort((a, b) => compared(a.page, b.page, order, valueOf));
  else if (runes !== undefined) hits.sort((a, b) => b.uses! - a.uses!);
  const cut = <Row>(rows: readonly Row[]) => ({
    rows: rows.slice(start, start + limit),
    next: start + limit < rows.length ? { nextCursor: String(start + limit) } : {},
  });
  const uses = runes === undefined ? {} : { uses: hits.reduce((sum, hit) => sum + hit.uses!, 0) };
  if (groupBy !== undefined) {
    const { rows, next } = cut(groupsOf(hits.map(({ page }) => page), groupBy, valueOf));
    return withWarnings(site, { total: hits.length, ...uses, groups: rows, ...next }, problems);
  }
  const { rows, next } = cut(hits);
  const items = rows.map(({ page, lines, uses }) => ({
    path: page.file.shown,
    ...(page.file.kind === "page" ? { url: page.route.url } : { kind: page.file.kind }),
    title: titleOf(page),
    ...(uses === undefined ? {} : { uses }),
    ...(lines === undefined ? {} : { lines }),
    ...(text === undefined ? {} : { snippet: snippetOf(page, text) }),
    ...Object.fromEntries(
      fields.map((field) => [field, valueOf(page, field)]).filter(([, value]) =>
        value !== undefined
      ),
    ),
  }));
  return withWarnings(site, { total: hits.length, ...uses, items, ...next }, problems);
}

function fitting(
  { layout, missing, text }: PageQuery,
  runes: readonly string[] | undefined,
  valueOf: (page: ParsedPage, field: string) => unknown,
  known: AllPages,
  all: readonly ParsedPage[],
): (page: ParsedPage) => boolean {
  if (layout !== undefined) {
    const layouts = new Set(all.flatMap((page) => known.layoutOf(page) ?? []));
    const unknown = layout.find((name) => !layouts.has(name));
    if (unknown !== undefined) {
      throw new RefraktError("NOT_FOUND", `No page has the layout "${unknown}"`, {
        hint: `The layouts in use are ${[...layouts].sort().join(", ")}.`,
      });
    }
  }
  const words = text?.toLowerCase().split(/\s+/).filter((word) => word !== "") ?? [];
  return (page) =>
    (runes === undefined || runes.some((name) => page.facts.runes.has(name))) &&
    (layout === undefined || layout.includes(known.layoutOf(page) ?? "")) &&
    (missing === undefined || missing.every((field) => isEmpty(valueOf(page, field)))) &&
    words.every((word) => `${titleOf(page) ?? ""}\n${page.content}`.toLowerCase().includes(word));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || String(value).trim() === "";
}

function knowledgeOf(site: SiteContext, all: readonly ParsedPage[]): AllPages {
  const { routeRules } = site.site.raw;
  let sources: Map<string, Set<string>> | undefined;
  return {
    layoutOf: ({ frontmatter, route, file }) => {
      if (file.kind !== "page") return undefined;
      const { layout } = frontmatter;
      if (typeof layout === "string") return layout;
      return site.upstream.transform.matchRouteRule?.(
        route.url,
        Array.isArray(routeRules) ? routeRules : [],
      );
    },
    linkedFrom: ({ route }) => {
      if (sources === undefined) {
        sources = new Map();
        for (const page of all) {
          for (const address of page.facts.references.flatMap((each) => addressesIn(page, each))) {
            const from = sources.get(address) ?? new Set();
            sources.set(address, from.add(page.file.shown));
          }
        }
      }
      return [...sources.get(addressOf(route.url)) ?? []];
    },
  };
}

/** The addresses that a reference may resolve to. */
function addressesIn(page: ParsedPage, { kind, target }: Reference): string[] {
  const { route: { url }, file: { relative } } = page;
  if (kind === "nav") return [addressOf(posix.join("/", posix.dirname(relative), target))];
  if (kind !== "link" || /^[a-z][a-z\d+.-]*:|^\/\//i.test(target)) return [];
  return addressesOf({ url, relative }, target.replace(/#.*$/s, "") || url);
}

function leadsTo(all: readonly ParsedPage[], wanted: string): (page: ParsedPage) => number[] {
  const path = wanted.replace(/^\.\//, "");
  const meant = all.find(({ file }) => file.shown === path || file.relative === path);
  const address = addressOf(
    meant?.route.url ?? (wanted.startsWith("/") ? wanted : `/${wanted}`),
  );
  const inPartials = path.split(`${PARTIALS}/`).at(-1);
  const isMeant = (page: ParsedPage, reference: Reference) => {
    const { kind, target } = reference;
    if (kind === "link" || kind === "nav") return addressesIn(page, reference).includes(address);
    return kind === "partial" ? target === inPartials : target === wanted;
  };
  return (page) =>
    page.facts.references.filter((reference) => isMeant(page, reference))
      .map(({ place }) => place.line);
}

function requireFields(all: readonly ParsedPage[], fields: readonly string[]): void {
  const known = new Set([
    ...Object.keys(COMPUTED),
    ...all.flatMap(({ frontmatter }) => Object.keys(frontmatter)),
  ]);
  const unknown = fields.find((field) => !known.has(field));
  if (unknown === undefined) return;
  throw new RefraktError("INVALID_ARGS", `No page has the field ${JSON.stringify(unknown)}`, {
    hint: [didYouMean(unknown, known), `There are ${[...known].join(", ")}.`].join(" ").trim(),
  });
}

function compared(
  a: ParsedPage,
  b: ParsedPage,
  order: readonly string[],
  valueOf: (page: ParsedPage, field: string) => unknown,
): number {
  for (const key of order) {
    const [x, y] = [a, b].map((page) => amountOf(valueOf(page, key.replace(/^-/, ""))));
    const result = typeof x === "number" && typeof y === "number"
      ? x - y
      : String(x ?? "").localeCompare(String(y ?? ""));
    if (result !== 0) return key.startsWith("-") ? -result : result;
  }
  return 0;
}

/** The sort key: lists sort by length. */
function amountOf(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  if (Array.isArray(value)) return value.length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : value;
}

function groupsOf(
  pages: readonly ParsedPage[],
  field: string,
  valueOf: (page: ParsedPage, field: string) => unknown,
) {
  const keyed = pages.flatMap((page) =>
    [valueOf(page, field)].flat().map((value) => ({
      page,
      key: isEmpty(value) ? "none" : String(value),
    }))
  );
  return [...Map.groupBy(keyed, ({ key }) => key)].map(([key, group]) => ({
    key,
    count: group.length,
    ...(field === "rune"
      ? { uses: group.reduce((sum, { page }) => sum + (page.facts.runes.get(key) ?? 0), 0) }
      : {}),
  })).sort((a, b) => b.count - a.count || a.key.localeCompare(b.key));
}

function targetsOf(references: readonly Reference[], wanted: Reference["kind"]): string[] {
  return [
    ...new Set(references.filter(({ kind }) => kind === wanted).map(({ target }) => target)),
  ];
}

function titleOf({ frontmatter: { title }, facts }: ParsedPage): string | null {
  if (typeof title === "string" && title.trim() !== "") return title;
  return facts.headings.find(({ level }) => level === 1)?.text ?? null;
}

function snippetOf({ content }: ParsedPage, text: string): string {
  const [first = ""] = text.trim().toLowerCase().split(/\s+/);
  const at = Math.max(content.toLowerCase().indexOf(first), 0);
  return content.slice(Math.max(at - AROUND, 0), at + AROUND).replace(/\s+/g, " ").trim();
}
