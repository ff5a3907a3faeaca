/**
 * Builds pages with the packages' own functions: preprocess, transform, and the passes over all pages.
 *
 * Each step is cached: a page until its file or a file that it reads changes; the passes until a page
 * changes what other pages can see of it.
 */

import { messageOf } from "../../../../errors.ts";
import { fieldOf, isObject } from "../../../../io/json.ts";
import type { BuiltPage, ContributedPage } from "../../upstream/shapes.ts";
import { copyTree } from "../../upstream/elements.ts";
import { createMemo } from "../../upstream/memo.ts";
import type { SiteContext } from "../../upstream/site.ts";
import { areEqual, type Fingerprint, fingerprintOf, hasForeignPlugins } from "./fingerprint.ts";
import {
  configurePlugins,
  type HookSet,
  hookSets,
  type Registered,
  registering,
  type Registrations,
} from "./hook_sets.ts";
import { withoutOrderings } from "./orderings.ts";
import { type PassResults, passResults, type ValuesRead } from "./pass_results.ts";
import type { SourceText } from "./lost_text.ts";
import { areCurrent, noteReads, type Reads, recordReads } from "../../../../io/reads.ts";
import { addressOf } from "../check/links.ts";
import type { ParsedPage } from "../check/parse_page.ts";
import type { SitePages } from "./site_pages.ts";
import { hookContext, type Setup, transformContributed, transformPage } from "./transform_page.ts";

/** A message of the build, with the page's address if it is about a page. */
export interface BuildMessage {
  readonly severity: string;
  readonly message: string;
  readonly url?: string | undefined;
}

export interface SiteBuild {
  readonly messages: readonly BuildMessage[];
  /** All pages of the site, those that hooks contributed included. */
  readonly routes: readonly SiteRoute[];
  /** Runs all passes on one page. */
  finish(page: ParsedPage): Promise<FinishedPage>;
  /** The page that a hook made at an address without a trailing slash. */
  contributed(address: string): FinishedPage | undefined;
  /** Resolves what a layout's region refers to, as seen from a page. */
  resolve(content: unknown, page: BuiltPage, searched: readonly unknown[]): unknown;
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
  readonly reads: Reads;
  /** The text of its source. */
  readonly texts: readonly SourceText[];
}

interface Transformed extends FinishedPage {
  readonly fingerprint: Fingerprint;
  finished?: FinishedPage & { passes: Passes; readonly valuesRead: ValuesRead };
}

interface Passes {
  readonly inputs: readonly Fingerprint[];
  readonly reads: Reads;
  readonly results: PassResults;
  readonly routes: readonly SiteRoute[];
  /** By address. */
  readonly contributed: ReadonlyMap<string, ContributedPage>;
  readonly registrations: Registrations;
  readonly messages: readonly BuildMessage[];
}

/** The cached build of a site for one set of icons. */
interface CachedBuild {
  readonly pages: WeakMap<ParsedPage, Transformed>;
  passes?: Passes;
}

const cachedBuilds = createMemo<CachedBuild>();

/** Passes run one at a time: plugins keep data of the pages in module variables. */
let running: Promise<unknown> = Promise.resolve();
/** The passes whose pages the plugins' variables hold. */
let latest: Passes | undefined;

/** Builds the pages of a site as far as a single page depends on them. */
export async function openBuild(
  site: SiteContext,
  pages: SitePages,
  parsed: readonly ParsedPage[],
  icons: Readonly<Record<string, unknown>>,
  turn: () => Promise<void>,
): Promise<SiteBuild> {
  // The icons of a theme belong to one site.
  const partialNames = Object.keys(pages.partials).join();
  // Third-party code may show dates.
  const today = new Date().toDateString();
  const own = cachedBuilds(icons, () => ({ pages: new WeakMap() }), "", partialNames, today);
  const hooks = hookSets(site, pages);
  const setup = { site, pages, hooks, icons };
  const transform = async (page: ParsedPage): Promise<Transformed> => {
    const cached = own.pages.get(page);
    if (cached !== undefined && areCurrent(cached.reads)) {
      noteReads(cached.reads);
      return cached;
    }
    const messages: BuildMessage[] = [];
    const { value: { built, texts }, reads } = await recordReads(() =>
      transformPage(setup, page, (severity, message, url = page.route.url) => {
        messages.push({ severity, message, url });
      })
    );
    const fingerprint = fingerprintOf(site, built);
    const transformed = { page: built, messages, reads, texts, fingerprint };
    own.pages.set(page, transformed);
    return transformed;
  };
  const all: Transformed[] = [];
  for (const page of parsed) {
    await turn();
    try {
      all.push(await transform(page));
    } catch {
      // Finishing this page reports the error.
    }
  }
  const inputs = all.map(({ fingerprint }) => fingerprint);
  const before = own.passes && areCurrent(own.passes.reads) ? own.passes : undefined;
  if (before === undefined || !areEqual(before.inputs, inputs)) {
    const run = running.then(() => runPasses(setup, all, before));
    running = run.catch(() => {});
    own.passes = await run;
  }
  const passes = own.passes!;
  noteReads(passes.reads);
  return {
    messages: passes.messages,
    routes: passes.routes,
    resolve: (content, page, searched) =>
      passes.results.during((results) =>
        site.upstream.runes.resolveCoreSentinels?.(
          content,
          page.route.url,
          fieldOf(results, "__core__"),
          hookContext(() => {}),
          searched,
        ) ?? content
      ).value,
    contributed(address) {
      const page = passes.contributed.get(address);
      if (page === undefined) return undefined;
      const messages: BuildMessage[] = [];
      const { value } = passes.results.during((results) =>
        afterPasses(transformContributed(setup, page), hooks, results, messages)
      );
      return { page: value, messages, reads: new Map(), texts: [] };
    },
    async finish(page) {
      const transformed = await transform(page);
      const { finished } = transformed;
      if (finished !== undefined && areCurrent(finished.reads)) {
        const isUnaffected = finished.passes !== passes && !hasForeignPlugins(site) &&
          passes.results.contain(finished.valuesRead);
        if (isUnaffected) finished.passes = passes;
        if (finished.passes === passes) {
          noteReads(finished.reads);
          return finished;
        }
      }
      const messages = [...transformed.messages];
      const { value: { value, valuesRead }, reads } = await recordReads(() =>
        passes.results.during((results) => afterPasses(transformed.page, hooks, results, messages))
      );
      return transformed.finished = {
        passes,
        valuesRead,
        page: value,
        messages,
        texts: transformed.texts,
        reads: new Map([...transformed.reads, ...reads]),
      };
    },
  };
}

async function runPasses(
  setup: Setup,
  all: readonly Transformed[],
  before: Passes | undefined,
): Promise<Passes> {
  const { site, pages, hooks } = setup;
  const inputs = all.map(({ fingerprint }) => fingerprint);
  const registrations: Registrations = new Map();
  const contributed = new Map<string, ContributedPage>();
  const repeated = before === latest ? before : undefined;
  /** As of 0.29, the core registers each page alone, and plugins read the runes of all pages. */
  const parts = (name: string) => (given: readonly unknown[]): Registered[] => {
    if (name === "__core__") {
      return given.map((page, index) => ({ key: inputs[index]!.whole, pages: [page] }));
    }
    const part = name.startsWith("__") ? "whole" : "runes";
    return [{ key: [name, ...inputs.map((input) => input[part])].join("\n"), pages: given }];
  };
  const { value, reads } = await recordReads(async () => {
    // Another site may have configured the same plugins.
    await configurePlugins(site, pages.projectFiles);
    const early = hooks.map((set) => {
      // `finish` runs the last pass for each page.
      const { postProcess: _, ...hooks } = set.hooks;
      const { pluginName } = set;
      return registering(
        { pluginName, hooks },
        site,
        pages.projectFiles,
        parts(pluginName),
        repeated?.registrations,
        registrations,
      );
    });
    return await pages.module.runPipeline(
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
  });
  return latest = {
    inputs,
    reads: new Map([...repeated?.reads ?? [], ...reads]),
    results: passResults(value.aggregated),
    routes: value.pages.map(routeOf),
    contributed,
    // With contributed pages, the plugins' variables no longer hold these pages.
    registrations: value.pages.length === all.length ? registrations : new Map(),
    messages: value.warnings,
  };
}

function routeOf({ route: { url, draft }, frontmatter }: BuiltPage): SiteRoute {
  return { url, draft, title: frontmatter["title"] ?? "", frontmatter };
}

function afterPasses(
  page: BuiltPage,
  hooks: readonly HookSet[],
  results: Readonly<Record<string, unknown>>,
  messages: BuildMessage[],
): BuiltPage {
  const { url } = page.route;
  type Seen = Readonly<Record<string, unknown>> & { readonly url: string };
  let now: Seen = {
    url,
    title: page.frontmatter["title"] ?? "",
    headings: page.headings,
    frontmatter: page.frontmatter,
    renderable: page.renderable,
  };
  for (const { pluginName, hooks: { postProcess } } of hooks) {
    if (postProcess === undefined) continue;
    const before = messages.length;
    const run = (results: unknown): Seen => {
      messages.length = before;
      const context = hookContext((severity, message, about) =>
        messages.push({ severity, message, url: about ?? url })
      );
      // Hooks change trees in place, but the page's own is reused.
      const given = pluginName === "__core__"
        ? { ...now, renderable: copyTree(now["renderable"]) }
        : now;
      try {
        const next = postProcess(given, results, context);
        return isObject(next) ? { ...next, url } : given;
      } catch (error) {
        context.error(messageOf(error));
        return given;
      }
    };
    now = pluginName === "__core__"
      ? withoutOrderings(results, now["renderable"], run, () => run(results))
      : run(results);
  }
  const { renderable, headings = page.headings } = now;
  return { ...page, renderable, headings: Array.isArray(headings) ? headings : page.headings };
}
