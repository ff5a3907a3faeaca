/**
 * Builds pages with the packages' own functions: preprocess, transform, and the passes over all pages.
 *
 * A transformed page is kept until its file or a file that it reads changes. The passes and their
 * results are kept until a page changes in what other pages see of it.
 */

import { messageOf, orElse, settled } from "../../../../../src/errors.ts";
import { fieldOf, isObject } from "../../../../../src/io/json.ts";
import { noteUntil } from "../../../../../src/io/reads.ts";
import { FIRST_PARTY_SCOPE } from "../../../../../src/packages/names.ts";
import type { Turn } from "../../../../../src/io/turns.ts";
import type { BuiltPage, ContributedPage } from "../../upstream/shapes.ts";
import { copyTree, visitElements } from "../../upstream/elements.ts";
import type { SiteContext } from "../../upstream/site.ts";
import { configurePlugins, type HookSet, hookSets } from "./hook_sets.ts";
import { countedResults, withoutOrderings } from "./pass_results.ts";
import type { SourceText } from "./lost_text.ts";
import { addressOf } from "../check/addresses.ts";
import type { ParsedPage } from "../check/parse_page.ts";
import type { SitePages } from "./site_pages.ts";
import {
  hookContext,
  type Say,
  type Setup,
  transformContributed,
  transformPage,
} from "./transform_page.ts";

/** A message of the build, with the page's address if it is about a page. */
export interface BuildMessage {
  readonly severity: string;
  readonly message: string;
  readonly url?: string | undefined;
}

/** A page as layouts list it. */
export interface SiteRoute {
  readonly url: string;
  readonly title: unknown;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly draft: boolean;
}

/** A page after all passes. */
export interface FinishedPage {
  readonly page: BuiltPage;
  readonly messages: readonly BuildMessage[];
  /** The text of its source. */
  readonly texts: readonly SourceText[];
}

type Transformed = Awaited<ReturnType<typeof transformedPage>>;

/** Passes run one at a time: plugins keep data of the pages in module variables. */
const passQueue = { last: Promise.resolve<unknown>(undefined) };

/**
 * Builds the pages of a site as far as a single page depends on them.
 *
 * @param parsed Pages, layouts and partials; other pages see pages only.
 */
export async function openBuild(
  site: SiteContext,
  pages: SitePages,
  parsed: readonly ParsedPage[],
  icons: Readonly<Record<string, unknown>>,
  turn: Turn,
) {
  const { memo } = site;
  const { partials, projectFiles, entityHooks } = pages;
  const hooks = memo(
    [site, partials, projectFiles, entityHooks, "hooks"],
    () => hookSets(site, pages),
  );
  const setup = { site, pages, hooks, icons };
  const transform = (page: ParsedPage) =>
    memo([page, icons, "transformed"], () => transformedPage(setup, page));
  const outcomes = new Map<ParsedPage, () => Transformed>();
  for (const page of parsed) {
    outcomes.set(page, await settled(() => transform(page)));
    await turn();
  }
  const all = parsed.filter(({ file }) => file.kind === "page")
    .flatMap((page) => orElse<Transformed | never[]>(outcomes.get(page)!, []));
  const fingerprints = memo.same(
    [site, icons, "fingerprints"],
    all.map(({ fingerprint }) => fingerprint.whole),
  );
  const passes = await memo([fingerprints, "passes"], () => {
    const run = passQueue.last.then(() => runPasses(setup, all));
    passQueue.last = run.catch(() => {});
    return run;
  });
  return {
    messages: passes.messages,
    /** All pages of the site, with those that hooks contributed. */
    routes: passes.routes,
    /** Resolves what a layout's region refers to, as seen from a page. */
    resolve: (content: unknown, page: BuiltPage, searched: readonly unknown[]) =>
      passes.results.during(content, (results) =>
        site.upstream.runes.resolveCoreSentinels?.(
          content,
          page.route.url,
          fieldOf(results, "__core__"),
          hookContext(() => {}),
          searched,
        ) ?? content),
    /** The page that a hook made at an address without a trailing slash. */
    contributed(address: string): FinishedPage | undefined {
      const page = passes.contributed.get(address);
      if (page === undefined) return undefined;
      const built = transformContributed(setup, page);
      return finished({ page: built, messages: [], texts: [] });
    },
    /** Runs all passes on one of the pages. */
    finish(page: ParsedPage): FinishedPage {
      const transformed = outcomes.get(page)!();
      return memo([transformed, passes, "finished"], () => finished(transformed));
    },
  };

  function finished({ page, texts, messages: before }: FinishedPage): FinishedPage {
    const messages = [...before];
    const work = (results: Readonly<Record<string, unknown>>) =>
      afterPasses(page, hooks, results, messages);
    return { page: passes.results.during(page.renderable, work), messages, texts };
  }
}

async function transformedPage(setup: Setup, page: ParsedPage) {
  const messages: BuildMessage[] = [];
  // Third-party code may show dates.
  noteUntil(new Date().setHours(24, 0, 0, 0));
  const say: Say = (severity, message, url = page.route.url) => {
    messages.push({ severity, message, url });
  };
  const { built, texts } = await transformPage(setup, page, say);
  return { page: built, messages, texts, fingerprint: fingerprintOf(setup.site, built) };
}

async function runPasses(setup: Setup, all: readonly Transformed[]) {
  const { site, pages, hooks } = setup;
  /** By address. */
  const contributed = new Map<string, ContributedPage>();
  // Another site may have configured the same plugins.
  await configurePlugins(site, pages.projectFiles);
  const early = hooks.map(({ pluginName, hooks: { postProcess: _, ...hooks } }) => {
    // `finish` runs the last pass for each page.
    return { pluginName, hooks };
  });
  const { aggregated, pages: after, warnings } = await pages.module.runPipeline(
    hasForeignPlugins(site)
      ? all.map(({ page }) => page)
      : all.map(({ page, fingerprint }) => ({ ...page, renderable: fingerprint.nodes })),
    early,
    {
      projectRoot: site.project.cwd,
      siteConfig: site.site.raw,
      renderContributed: (page: ContributedPage) => {
        contributed.set(addressOf(page.url), page);
        return transformContributed(setup, page);
      },
    },
  );
  const routes = after.map(({ route: { url, draft }, frontmatter }): SiteRoute => {
    return { url, draft, title: frontmatter["title"] ?? "", frontmatter };
  });
  return { results: countedResults(aggregated), routes, contributed, messages: warnings };
}

function afterPasses(
  page: BuiltPage,
  hooks: readonly HookSet[],
  results: Readonly<Record<string, unknown>>,
  messages: BuildMessage[],
): BuiltPage {
  const { route: { url }, frontmatter, headings, renderable } = page;
  const title = frontmatter["title"] ?? "";
  let now: Readonly<Record<string, unknown>> = { url, title, headings, frontmatter, renderable };
  for (const { pluginName, hooks: { postProcess } } of hooks) {
    if (postProcess === undefined) continue;
    const before = messages.length;
    const isCore = pluginName === "__core__";
    const run = (results: unknown) => {
      messages.length = before;
      const context = hookContext((severity, message, about) =>
        messages.push({ severity, message, url: about ?? url })
      );
      // Hooks change trees in place, but the page's own is reused.
      const tree = isCore ? copyTree(now["renderable"]) : now["renderable"];
      const input = { ...now, url, renderable: tree };
      try {
        const next = postProcess(input, results, context);
        return isObject(next) ? next : input;
      } catch (error) {
        context.error(messageOf(error));
        return input;
      }
    };
    now = isCore ? withoutOrderings(results, now["renderable"], run) : run(results);
  }
  const after = now["headings"];
  return {
    ...page,
    renderable: now["renderable"],
    headings: Array.isArray(after) ? after : headings,
  };
}

/**
 * The part of a page that other pages see; while it is the same, they are not processed again. As
 * of 0.29, the core reads front matter, headings and drawers, and refrakt's plugins their own
 * runes.
 */
function fingerprintOf(site: SiteContext, page: BuiltPage) {
  /** The nodes that hooks read. */
  const nodes: unknown[] = [];
  if (hasForeignPlugins(site)) nodes.push(page.renderable, page.frontmatter, page.headings);
  else {
    visitElements(page.renderable, (element) => {
      const rune = element.attributes["data-rune"];
      const isRead = rune === "drawer" ||
        typeof rune === "string" && !Object.hasOwn(site.upstream.runes.runes, rune);
      if (isRead) nodes.push(element);
      return !isRead;
    });
  }
  const { route, frontmatter, headings } = page;
  // Everything that the hooks over all pages see.
  return { nodes, whole: JSON.stringify([route, nodes, frontmatter, headings]) };
}

/** Whether the site has third-party plugins, whose hooks may read everything. */
function hasForeignPlugins({ site }: SiteContext): boolean {
  return site.plugins.some((name) => !name.startsWith(FIRST_PARTY_SCOPE));
}
