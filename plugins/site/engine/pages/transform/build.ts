/**
 * Builds pages with the packages' own functions: preprocess, transform, and the passes over all pages.
 *
 * Each step is kept by the one rule of `site_values.ts`: a page until its file or a file that it reads
 * changes; the passes until a page changes what other pages can see of it.
 */

import { messageOf } from "../../../../../src/errors.ts";
import { fieldOf, isObject } from "../../../../../src/io/json.ts";
import { areCurrent, noteReads, type Reads, recordInto } from "../../../../../src/io/reads.ts";
import { eachInTurn, type Outcome, type Turn } from "../../../../../src/io/turns.ts";
import type { BuiltPage, ContributedPage } from "../../upstream/shapes.ts";
import { copyTree } from "../../upstream/elements.ts";
import { Kept } from "../../upstream/site_values.ts";
import type { SiteContext } from "../../upstream/site.ts";
import { type Fingerprint, fingerprintOf, hasForeignPlugins } from "./fingerprint.ts";
import { configurePlugins, type HookSet, hookSets } from "./hook_sets.ts";
import { withoutOrderings } from "./orderings.ts";
import { type PassResults, passResults, type ValuesRead } from "./pass_results.ts";
import type { SourceText } from "./lost_text.ts";
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
  /** Runs all passes on one of the pages. */
  finish(page: ParsedPage): FinishedPage;
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
  readonly results: PassResults;
  readonly routes: readonly SiteRoute[];
  /** By address. */
  readonly contributed: ReadonlyMap<string, ContributedPage>;
  readonly messages: readonly BuildMessage[];
}

/** Passes run one at a time: plugins keep data of the pages in module variables. */
const queue = { last: Promise.resolve<unknown>(undefined) };

/** Errors of pages that were begun, until a build tells of them. */
const failures = new WeakMap<ParsedPage, { readonly error: unknown }>();

function setUp(site: SiteContext, pages: SitePages, icons: Readonly<Record<string, unknown>>) {
  const partialNames = Object.keys(pages.partials).join();
  // Third-party code may show dates.
  const today = new Date().toDateString();
  // The icons of a theme belong to one site.
  const kept = site.kept.of("build", () => new Kept(), icons, partialNames, today);
  const hooks = hookSets(site, pages);
  const setup = { site, pages, hooks, icons };
  const transform = (page: ParsedPage) =>
    kept.of("transformed", () => transformedPage(setup, page), page);
  return { kept, hooks, setup, transform };
}

/**
 * Returns what begins to build a page right after it was read: what was parsed then need not be kept
 * until all pages are read. Pages with partials wait until these are known to end.
 */
export function pageBeginner(
  site: SiteContext,
  pages: SitePages,
  icons: Readonly<Record<string, unknown>>,
): (page: ParsedPage) => void {
  // The hooks of others may depend on the order.
  if (hasForeignPlugins(site)) return () => {};
  const { transform } = setUp(site, pages, icons);
  return (page) => {
    if (page.facts.references.some(({ kind }) => kind === "partial")) return;
    try {
      transform(page);
    } catch (error) {
      failures.set(page, { error });
    }
  };
}

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
): Promise<SiteBuild> {
  const { kept, hooks, setup, transform } = setUp(site, pages, icons);
  const begun = await eachInTurn(parsed, turn, (page) => {
    const failure = failures.get(page);
    if (failure !== undefined) throw failure.error;
    return transform(page);
  });
  const outcomes = new Map<ParsedPage, Outcome<Transformed>>();
  for (const [index, outcome] of begun.entries()) {
    outcomes.set(parsed[index]!, await settled(outcome));
    failures.delete(parsed[index]!);
  }
  const all = parsed.flatMap((page) => {
    const outcome = outcomes.get(page)!;
    return page.file.kind === "page" && "value" in outcome ? outcome.value : [];
  });
  const inputs = all.map(({ fingerprint }) => fingerprint.whole);
  const passes = await kept.of(
    "passes",
    () => {
      const run = queue.last.then(() => runPasses(setup, all));
      queue.last = run.catch(() => {});
      return run;
    },
    undefined,
    ...inputs,
  );
  return {
    messages: passes.messages,
    routes: passes.routes,
    resolve: (content, page, searched) =>
      passes.results.during(content, (results) =>
        site.upstream.runes.resolveCoreSentinels?.(
          content,
          page.route.url,
          fieldOf(results, "__core__"),
          hookContext(() => {}),
          searched,
        ) ?? content).value,
    contributed(address) {
      const page = passes.contributed.get(address);
      if (page === undefined) return undefined;
      const messages: BuildMessage[] = [];
      const made = transformContributed(setup, page);
      const { value } = passes.results.during(
        made.renderable,
        (results) => afterPasses(made, hooks, results, messages),
      );
      return { page: value, messages, reads: new Map(), texts: [] };
    },
    finish(page) {
      const outcome = outcomes.get(page)!;
      if ("error" in outcome) throw outcome.error;
      const transformed = outcome.value;
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
      const reads = new Map(transformed.reads);
      const { value, valuesRead } = recordInto(
        reads,
        () =>
          passes.results.during(
            transformed.page.renderable,
            (results) => afterPasses(transformed.page, hooks, results, messages),
          ),
      );
      noteReads(reads);
      const { texts } = transformed;
      return transformed.finished = { passes, valuesRead, page: value, messages, texts, reads };
    },
  };
}

async function settled<Value>(outcome: Outcome<Value | Promise<Value>>): Promise<Outcome<Value>> {
  if ("error" in outcome) return outcome;
  try {
    return { value: await outcome.value };
  } catch (error) {
    return { error };
  }
}

function transformedPage(setup: Setup, page: ParsedPage): Transformed | Promise<Transformed> {
  const messages: BuildMessage[] = [];
  const reads = new Map<string, string>();
  const made = recordInto(
    reads,
    () =>
      transformPage(setup, page, (severity, message, url = page.route.url) => {
        messages.push({ severity, message, url });
      }),
  );
  const whole = ({ built, texts }: Awaited<typeof made>): Transformed => {
    noteReads(reads);
    return { page: built, messages, reads, texts, fingerprint: fingerprintOf(setup.site, built) };
  };
  return made instanceof Promise ? made.then(whole) : whole(made);
}

async function runPasses(setup: Setup, all: readonly Transformed[]): Promise<Passes> {
  const { site, pages, hooks } = setup;
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
  return {
    results: passResults(aggregated),
    routes: after.map(routeOf),
    contributed,
    messages: warnings,
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
