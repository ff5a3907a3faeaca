/** The document of a page as its site shows it: layout, highlighting, CSS and behaviours. */

import { messageOf } from "../../../../src/errors.ts";
import { blobHash } from "../../../../src/io/git_objects.ts";
import { asObject, textOf } from "../../../../src/io/json.ts";
import { shortList } from "../../../../src/plugin/counted.ts";
import { themeStyles } from "../theme/theme_styles.ts";
import {
  behaviorsModule,
  type Highlighter,
  highlighterOf,
  layoutOf,
  siteTokens,
} from "../theme/page_parts.ts";
import { copyTree, visitElements } from "../upstream/elements.ts";
import type { SiteContext } from "../upstream/site.ts";
import { regionsOf, type Tint, tintOf } from "../pages/transform/site_pages.ts";
import type { SiteRoute } from "../pages/transform/build.ts";
import { shownTree } from "../runes/example_page.ts";
import { addressMedia, markLines } from "./preview_elements.ts";
import { htmlOf, type RenderedPage } from "./render_page.ts";

/** What a view needs to show a page or a rune; addresses are relative to that of the site. */
export interface PageDocument {
  readonly html: string;
  /** The addresses of the theme's style sheets. */
  readonly styles: readonly string[];
  /** The CSS after the style sheets: tokens and presets of the site, the highlighter's colours. */
  readonly css: string;
  readonly tint: Tint;
  /** The address of the packages' behaviours, if they are trusted. */
  readonly behaviors: string | undefined;
  /** The data about the site that behaviours read. */
  readonly context: { readonly currentUrl: string; readonly pages: readonly object[] };
  /** The files of pages by address; a page without a file has its address. */
  readonly links: Readonly<Record<string, string>>;
}

/** Returns the result of `work`; if it is `undefined` or an error, `list` gets the reason. */
async function attempt<Value>(
  list: string[],
  feature: string,
  work: () => Promise<Value | undefined>,
  without = "",
): Promise<Value | undefined> {
  let reason = without;
  try {
    const value = await work();
    if (value !== undefined) return value;
  } catch (error) {
    reason = messageOf(error);
  }
  list.push(`${feature}: ${reason}`);
  return undefined;
}

/**
 * Builds the document of a page, or of a rune's example without one.
 *
 * @param leftOut Gets what differs from the live site.
 */
export async function pageDocument(
  site: SiteContext,
  tree: unknown,
  page: RenderedPage | undefined,
  leftOut: string[],
  turn: () => Promise<void>,
): Promise<PageDocument> {
  const add = <Value>(feature: string, work: () => Promise<Value | undefined>, without?: string) =>
    attempt(leftOut, feature, work, without);
  const highlight: Highlighter = await add(
    "syntax highlighting",
    () => highlighterOf(site),
    "the project has no @refrakt-md/highlight",
  ) ?? ((tree) => tree);
  const pageTree = page === undefined
    ? copyTree(highlight(tree))
    : await wholePage(site, page, highlight, leftOut);
  const names = new Set<string>();
  visitElements(pageTree, ({ name }) => {
    names.add(name);
  });
  const behaviors = await add(
    "behaviours (tabs, menus)",
    () => behaviorsModule(site),
    "the project has no @refrakt-md/behaviors",
  );
  const styles = await add("CSS of the theme", () => linkedStyles(site, turn));
  const tokens = await add("tokens and presets of the site's config", () => siteTokens(site));
  leftOut.push(...liveOnly(site, names));
  return {
    html: htmlOf(site, pageTree),
    styles: styles ?? [],
    css: [tokens ?? "", highlight.css ?? ""].join("\n").trim(),
    behaviors,
    ...page === undefined ? OF_EXAMPLES : factsOf(site, page),
  };
}

const OF_EXAMPLES = {
  tint: { tint: null, mode: null, locked: false },
  context: { currentUrl: "/", pages: [] },
  links: {},
};

function factsOf(site: SiteContext, { page, pages, built: { build, built } }: RenderedPage) {
  return {
    tint: tintOf(site, pages, page),
    context: { currentUrl: page.route.url, pages: build.routes.map(listedRoute) },
    // A page that a hook made has no file.
    links: Object.fromEntries([
      ...build.routes.map(({ url }) => [url, url]),
      ...built.map(({ route, file }) => [route.url, file.displayPath]),
    ]),
  };
}

/** The tree of a page with its layout. */
async function wholePage(
  site: SiteContext,
  { page, tree, theme, config, pages, built: { build, icons }, finished }: RenderedPage,
  highlight: Highlighter,
  leftOut: string[],
): Promise<unknown> {
  const content = copyTree(tree);
  const { page: finishedPage, texts } = finished!;
  const { frontmatter, route: { url } } = page;
  markLines(content, texts, page);
  const highlighted = highlight(content);
  const layout = page.file.kind !== "page" ? undefined : await attempt(
    leftOut,
    "the layout around the content",
    () => layoutOf(site, theme, url),
    "the theme has none for this page",
  );
  let whole: unknown = highlighted;
  if (layout !== undefined) {
    const regions = regionsOf(site, pages, page, icons);
    const searched = [finishedPage.renderable, ...[...regions.values()].map((r) => r.content)];
    const resolved = [...regions.values()].map(({ name, mode, content }) => {
      const nodes = [build.resolve(content, finishedPage, searched)].flat()
        .map((node) => highlight(shownTree(site, config, node)));
      return [name, { name, mode, content: nodes }];
    });
    whole = site.upstream.transform.layoutTransform?.(layout, {
      renderable: highlighted,
      regions: Object.fromEntries(resolved),
      title: frontmatter["title"] ?? "",
      url,
      pages: build.routes.map(listedRoute),
      frontmatter,
      headings: finishedPage.headings,
    }, config.prefix) ?? highlighted;
  }
  const copy = copyTree(whole);
  const foreign = addressMedia(site, copy, page, pages.content.dir);
  if (foreign.length > 0) {
    const addresses = shortList(foreign.map((address) => address.slice(0, 100)), 3);
    leftOut.push(`images and media of other servers: ${addresses}`);
  }
  return copy;
}

/** The addresses of the theme's style sheets, which change whenever one that they import does. */
async function linkedStyles(site: SiteContext, turn: () => Promise<void>): Promise<string[]> {
  const { entries, sheets } = await themeStyles(site, undefined, turn);
  const version = blobHash(JSON.stringify(sheets.map(({ text }) => text)), 64).slice(0, 22);
  return entries.map((entry) => `${entry}?${version}`);
}

/** Elements that load something when they run. */
const LOADING: readonly (readonly [tag: string, what: string])[] = [
  ["rf-map", "maps: they load a library and tiles"],
  ["rf-diagram", "diagrams: they load a library"],
  ["rf-audio", "waveforms of audio: they load a library"],
  ["rf-sandbox", "scripts in sandboxes, what they load, and the height that they set"],
  ["iframe", "embedded pages"],
];

function liveOnly(site: SiteContext, names: ReadonlySet<string>): string[] {
  const { raw } = site.site;
  const all = LOADING.filter(([tag]) => names.has(tag)).map(([, feature]) => feature);
  all.push(
    "what the site's own app adds: elements, style sheets, web fonts, components, the document's head",
  );
  if (raw["overrides"] !== undefined) all.push("components that replace runes (overrides)");
  if (raw["search"] !== false) all.push("the search: its index belongs to a build");
  if (raw["locale"] !== undefined) {
    all.push("the locale of the layout's labels and of behaviours");
  }
  return all;
}

/** A page as layouts and behaviours read it. */
function listedRoute({ url, title, draft, frontmatter }: SiteRoute): object {
  const { description, date, author, tags, image, version, versionGroup } = asObject(frontmatter);
  const more = { description, date, author, tags, image, version, versionGroup };
  return { url, title: textOf(title) ?? "", draft, ...more };
}
