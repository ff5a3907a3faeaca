/** The document of a page as its site shows it: layout, highlighting, images, CSS and behaviours. */

import { messageOf } from "../../../errors.ts";
import { asObject, textOf } from "../../../io/json.ts";
import { inlineStyles } from "../theme/inline_styles.ts";
import { layoutOf } from "../theme/layouts.ts";
import { siteTokens } from "../theme/site_tokens.ts";
import { themeStyles } from "../theme/theme_styles.ts";
import { behaviorsOf, type FrameScript } from "../theme/behaviors.ts";
import { type Highlighter, highlighterOf } from "../theme/highlight.ts";
import type { ThemeConfig } from "../upstream/shapes.ts";
import { copyTree, visitElements } from "../upstream/elements.ts";
import type { SiteContext } from "../upstream/site.ts";
import { regionsOf, type Tint, tintOf } from "../pages/build/layout_regions.ts";
import type { SiteRoute } from "../pages/build/build.ts";
import { identityTransform } from "../runes/example_page.ts";
import { IMAGE_LIMIT, inlineImages } from "./inline_images.ts";
import { htmlOf, type RenderedPage } from "./render_page.ts";
import { LINE, markLines } from "./source_lines.ts";

/** What a view needs to show a page or a rune. */
export interface PageDocument {
  readonly html: string;
  readonly css: string;
  readonly cssCut: boolean;
  readonly tint: Tint;
  /** The packages' behaviours, if they are trusted. */
  readonly script: FrameScript | undefined;
  /** What behaviours know of the site. */
  readonly context: { readonly currentUrl: string; readonly pages: readonly object[] };
  /** The files of pages, by address; the address itself without one. */
  readonly links: Readonly<Record<string, string>>;
  /** What differs from the live site. */
  readonly leftOut: readonly string[];
  readonly warnings: readonly string[];
}

const NO_TINT: Tint = { tint: null, mode: null, locked: false };

/** Builds the document of a page. */
export async function pageDocument(
  site: SiteContext,
  { page, tree, theme, config, pages, built, finished }: RenderedPage,
  turn: () => Promise<void>,
): Promise<PageDocument> {
  const leftOut: string[] = [];
  const highlight = await highlighter(site, leftOut);
  const content = copyTree(tree);
  if (finished === undefined) {
    return await documentOf(site, content, config, highlight, turn, {}, leftOut);
  }
  const { build, icons } = built;
  markLines(content, finished.texts, page);
  const shown = highlight?.(content) ?? content;
  const layout = page.file.kind === "page"
    ? await chosenLayout(site, theme, page.route.url, leftOut)
    : undefined;
  const listed = build.routes.map(listedRoute);
  let whole: unknown = shown;
  if (layout !== undefined) {
    const regions = regionsOf(site, pages, page, icons);
    const searched = [finished.page.renderable, ...[...regions.values()].map((r) => r.content)];
    const transform = identityTransform(site, config);
    const serialize = (node: unknown) => site.upstream.runes.serializeTree(node);
    const resolved = [...regions.values()].map(({ name, mode, content }) => {
      const tree = build.resolve(content, finished.page, searched);
      const nodes = (Array.isArray(tree) ? tree : [tree]).map((node) => transform(serialize(node)));
      return [name, { name, mode, content: nodes.map((node) => highlight?.(node) ?? node) }];
    });
    whole = site.upstream.transform.layoutTransform?.(layout, {
      renderable: shown,
      regions: Object.fromEntries(resolved),
      title: page.frontmatter["title"] ?? "",
      url: page.route.url,
      pages: listed,
      frontmatter: page.frontmatter,
      headings: finished.page.headings,
    }, config.prefix) ?? shown;
  }
  const own = {
    page,
    dir: pages.content.dir,
    tint: tintOf(site, pages, page),
    context: { currentUrl: page.route.url, pages: listed },
    // A page that a hook made has no file.
    links: Object.fromEntries([
      ...build.routes.map(({ url }) => [url, url]),
      ...built.built.map(({ route, file }) => [route.url, file.shown]),
    ]),
  };
  return await documentOf(site, copyTree(whole), config, highlight, turn, own, leftOut);
}

/** Builds the document of a rune's example. */
export async function exampleDocument(
  site: SiteContext,
  tree: unknown,
  config: ThemeConfig,
  turn: () => Promise<void>,
): Promise<PageDocument> {
  const leftOut: string[] = [];
  const highlight = await highlighter(site, leftOut);
  const shown = highlight?.(tree) ?? tree;
  return await documentOf(site, copyTree(shown), config, highlight, turn, {}, leftOut);
}

interface OwnFacts {
  readonly page?: RenderedPage["page"];
  /** The content folder. */
  readonly dir?: string;
  readonly tint?: Tint;
  readonly context?: PageDocument["context"];
  readonly links?: PageDocument["links"];
}

async function documentOf(
  site: SiteContext,
  tree: unknown,
  config: ThemeConfig,
  highlight: Highlighter | undefined,
  turn: () => Promise<void>,
  { page, dir, tint = NO_TINT, context = { currentUrl: "/", pages: [] }, links = {} }: OwnFacts,
  leftOut: string[],
): Promise<PageDocument> {
  const names = new Set<string>();
  const selectors = new Set(site.upstream.transform.extractSelectors(tree, config.prefix));
  visitElements(tree, ({ name, attributes }) => {
    names.add(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("data-") && key !== LINE) {
        selectors.add(`[${key}]`).add(`[${key}="${String(value)}"]`);
      }
    }
  });
  if (page !== undefined && dir !== undefined) {
    const { foreign, tooLarge } = inlineImages(site, tree, page, dir);
    if (foreign.length > 0) leftOut.push(`images of other servers: ${shortList(foreign)}`);
    if (tooLarge.length > 0) {
      leftOut.push(`images above ${IMAGE_LIMIT}, or too many: ${shortList(tooLarge)}`);
    }
  }
  const css = { text: "", cut: false };
  const warnings: string[] = [];
  const add = async (what: string, read: () => Promise<string>) => {
    try {
      css.text += `\n${await read()}`;
    } catch (error) {
      warnings.push(`${what}: ${messageOf(error)}`);
    }
  };
  let script: FrameScript | undefined;
  try {
    script = await behaviorsOf(site);
    if (script === undefined) {
      leftOut.push("behaviours (tabs, menus): the project has no @refrakt-md/behaviors");
    }
  } catch (error) {
    leftOut.push(`behaviours (tabs, menus): ${messageOf(error)}`);
  }
  // Behaviours add elements.
  for (const [name] of script?.text.matchAll(/\b[a-z]+-[\w-]+/g) ?? []) selectors.add(`.${name}`);
  await add("CSS of the theme", async () => {
    const { sheets } = await themeStyles(site, undefined, turn);
    const { text, cut } = inlineStyles(sheets, selectors);
    css.cut = cut;
    return text;
  });
  await add("tokens and presets of the site's config", () => siteTokens(site));
  css.text += highlight?.css ?? "";
  leftOut.push(...differences(site, names, css.text));
  return {
    html: htmlOf(site, tree),
    css: css.text.trim(),
    cssCut: css.cut,
    tint,
    script,
    context,
    links,
    leftOut,
    warnings,
  };
}

/** Elements that load something when they run. */
const LOADING: readonly (readonly [tag: string, what: string])[] = [
  ["rf-map", "maps: they load a library and tiles"],
  ["rf-diagram", "diagrams: they load a library"],
  ["rf-audio", "waveforms of audio: they load a library"],
  ["rf-sandbox", "scripts in sandboxes, what they load, and the height that they set"],
  ["iframe", "embedded pages"],
  ["video", "videos"],
  ["audio", "audio files"],
];

function differences(site: SiteContext, names: ReadonlySet<string>, css: string): string[] {
  const { raw } = site.site;
  return [
    ...LOADING.filter(([tag]) => names.has(tag)).map(([, what]) => what),
    ...(/url\(\s*(?!["']?(?:data:|#))/i.test(css)
      ? ["files that style sheets load, such as fonts"]
      : []),
    "what the site's own app adds: elements, style sheets, web fonts, components, the document's head",
    ...(raw["overrides"] === undefined ? [] : ["components that replace runes (overrides)"]),
    ...(raw["search"] === false ? [] : ["the search: its index belongs to a build"]),
    ...(raw["locale"] === undefined ? [] : ["the locale of the layout's labels and of behaviours"]),
  ];
}

async function highlighter(
  site: SiteContext,
  leftOut: string[],
): Promise<Highlighter | undefined> {
  try {
    const found = await highlighterOf(site);
    if (found === undefined) {
      leftOut.push("syntax highlighting: the project has no @refrakt-md/highlight");
    }
    return found;
  } catch (error) {
    leftOut.push(`syntax highlighting: ${messageOf(error)}`);
    return undefined;
  }
}

async function chosenLayout(
  site: SiteContext,
  theme: string,
  url: string,
  leftOut: string[],
): Promise<unknown> {
  let why = "the theme has none for this page";
  try {
    const layout = await layoutOf(site, theme, url);
    if (layout !== undefined) return layout;
  } catch (error) {
    why = messageOf(error);
  }
  leftOut.push(`the layout around the content: ${why}`);
  return undefined;
}

/** A page as layouts and behaviours read it. */
function listedRoute({ url, title, draft, frontmatter }: SiteRoute): object {
  const { description, date, author, tags, image, version, versionGroup } = asObject(frontmatter);
  const more = { description, date, author, tags, image, version, versionGroup };
  return { url, title: textOf(title) ?? "", draft, ...more };
}

/** How many addresses a difference names. */
const NAMED = 3;

function shortList(all: readonly string[]): string {
  const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : "";
  return all.slice(0, NAMED).map((each) => each.slice(0, 100)).join(", ") + more;
}
