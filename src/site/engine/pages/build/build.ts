/**
 * Builds pages with the packages' own functions: preprocess, transform, and the passes over all pages.
 *
 * Each step is cached: a page until its file or a file that it reads changes; the passes until a page
 * changes what other pages can see of it.
 */

import { messageOf } from "../../../../errors.ts";
import { fieldOf, isObject } from "../../../../io/json.ts";
import { FIRST_PARTY_SCOPE } from "../../../../npm/names.ts";
import type { BuiltPage, ContributedPage } from "../../upstream/shapes.ts";
import { createMemo, type SiteContext } from "../../site.ts";
import {
  configurePlugins,
  type HookSet,
  hookSets,
  type Registered,
  registering,
  type Registrations,
} from "./hook_sets.ts";
import { type Answers, type Questions, questionsOf } from "./questions.ts";
import { areCurrent, type Reads } from "../read/read_log.ts";
import type { ParsedPage } from "../read/read_page.ts";
import type { SitePages } from "./site_pages.ts";
import { hookContext, transformContributed, transformPage } from "./transform_page.ts";

/** A message of the build, with the page's address if it is about a page. */
export interface BuildMessage {
  readonly severity: string;
  readonly message: string;
  readonly url?: string | undefined;
}

export interface SiteBuild {
  readonly messages: readonly BuildMessage[];
  /** Runs all passes on one page. */
  finish(page: ParsedPage): Promise<{
    readonly page: BuiltPage;
    readonly messages: readonly BuildMessage[];
    readonly reads: Reads;
  }>;
}

interface Transformed {
  readonly page: BuiltPage;
  readonly messages: readonly BuildMessage[];
  readonly reads: Reads;
  readonly told: {
    readonly all: string;
    readonly runes: string;
    readonly nodes: readonly unknown[];
  };
  finished?: {
    passes: Passes;
    readonly answers: Answers;
    readonly page: BuiltPage;
    readonly messages: readonly BuildMessage[];
    readonly reads: Reads;
  };
}

interface Passes {
  readonly inputs: readonly Transformed["told"][];
  readonly reads: Reads;
  readonly questions: Questions;
  readonly registrations: Registrations;
  readonly messages: readonly BuildMessage[];
}

/** The cached build of a site for one set of icons. */
interface Kept {
  readonly pages: WeakMap<ParsedPage, Transformed>;
  passes?: Passes;
}

/** Cached builds of a site: one per theme. */
const MOST_BUILDS = 3;

const kept = createMemo<SiteContext, Map<string, Kept>>();
const asText = createMemo<object, string>();

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
  const key = `${asText(icons, () => JSON.stringify(icons))} ${Object.keys(pages.partials)}`;
  const builds = kept(site, () => new Map());
  let own = builds.get(key);
  // Added and removed partials create new keys.
  if (own === undefined && builds.size >= MOST_BUILDS) builds.clear();
  if (own === undefined) builds.set(key, own = { pages: new WeakMap() });
  const hooks = hookSets(site, pages);
  const transform = async (page: ParsedPage, again = false): Promise<Transformed> => {
    const known = own.pages.get(page);
    if (known !== undefined && !again && areCurrent(known.reads)) return known;
    const messages: BuildMessage[] = [];
    const { value, reads } = await pages.log.during(() =>
      transformPage(
        site,
        pages,
        page,
        hooks,
        icons,
        (severity, message, url) =>
          messages.push({ severity, message, url: url ?? page.route.url }),
      )
    );
    const made = { page: value, messages, reads, told: toldBy(site, value) };
    own.pages.set(page, made);
    return made;
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
  const inputs = all.map(({ told }) => told);
  // Older versions read files themselves, so changes cannot be detected.
  const isTold = pages.readsByProjectFiles;
  const before = isTold && own.passes && areCurrent(own.passes.reads) ? own.passes : undefined;
  if (before === undefined || !areSame(before.inputs, inputs)) {
    const run = running.then(() => runPasses(site, pages, hooks, all, icons, before));
    running = run.catch(() => {});
    own.passes = await run;
  }
  const passes = own.passes!;
  return {
    messages: passes.messages,
    async finish(page) {
      const before = await transform(page, !isTold);
      const known = before.finished;
      if (known !== undefined && areCurrent(known.reads)) {
        if (
          known.passes !== passes && !isForeign(site) && passes.questions.haveSame(known.answers)
        ) {
          known.passes = passes;
        }
        if (known.passes === passes) return known;
      }
      const messages = [...before.messages];
      const { value: { value, answers }, reads } = await pages.log.during(() =>
        passes.questions.during((gathered) => afterPasses(before.page, hooks, gathered, messages))
      );
      return before.finished = {
        passes,
        answers,
        page: value,
        messages,
        reads: new Map([...before.reads, ...reads]),
      };
    },
  };
}

function areSame(before: Passes["inputs"], now: Passes["inputs"]): boolean {
  return before.length === now.length &&
    before.every(({ all }, index) => all === now[index]!.all);
}

async function runPasses(
  site: SiteContext,
  pages: SitePages,
  hooks: readonly HookSet[],
  all: readonly Transformed[],
  icons: unknown,
  before: Passes | undefined,
): Promise<Passes> {
  const { runPipeline } = pages.module;
  const inputs = all.map(({ told }) => told);
  const registrations: Registrations = new Map();
  let aggregated: Readonly<Record<string, unknown>> = {};
  if (runPipeline === undefined) {
    const questions = questionsOf(aggregated);
    return { inputs, reads: new Map(), questions, registrations, messages: [] };
  }
  const repeated = before === latest ? before : undefined;
  /** As of 0.29, the core registers each page alone, and plugins read the runes of all pages. */
  const parts = (name: string) => (given: readonly unknown[]): Registered[] => {
    if (name === "__core__") {
      return given.map((page, index) => ({ key: inputs[index]!.all, pages: [page] }));
    }
    const of = name.startsWith("__") ? "all" : "runes";
    return [{ key: [name, ...inputs.map((told) => told[of])].join("\n"), pages: given }];
  };
  // `finish` runs the last pass for each page; this hook captures its input.
  const last = {
    postProcess: (page: { readonly url: string }, gathered: typeof aggregated) => {
      aggregated = gathered;
      return page;
    },
  };
  const { value, reads } = await pages.log.during(async () => {
    // Another site may have configured the same plugins.
    await configurePlugins(site, pages.log.files);
    const early = hooks.map((set) => {
      const { postProcess: _, ...hooks } = set.hooks;
      const { pluginName } = set;
      return registering(
        { pluginName, hooks },
        site,
        pages.log,
        parts(pluginName),
        repeated?.registrations,
        registrations,
      );
    });
    return await runPipeline(
      isForeign(site)
        ? all.map(({ page }) => page)
        : all.map(({ page, told }) => ({ ...page, renderable: told.nodes })),
      [...early, { pluginName: "__last__", hooks: last }],
      {
        projectRoot: site.project.cwd,
        siteConfig: site.site.raw,
        renderContributed: (page: ContributedPage) =>
          transformContributed(site, pages, page, icons),
      },
    );
  });
  return latest = {
    inputs,
    reads: new Map([...repeated?.reads ?? [], ...reads]),
    questions: questionsOf(aggregated),
    // With contributed pages, the plugins' variables no longer hold these pages.
    registrations: value.pages.length === all.length ? registrations : new Map(),
    messages: value.warnings,
  };
}

function afterPasses(
  page: BuiltPage,
  hooks: readonly HookSet[],
  gathered: unknown,
  messages: BuildMessage[],
): BuiltPage {
  const { url } = page.route;
  const context = hookContext((severity, message, about) =>
    messages.push({ severity, message, url: about ?? url })
  );
  let now: Readonly<Record<string, unknown>> & { readonly url: string } = {
    url,
    title: page.frontmatter["title"] ?? "",
    headings: page.headings,
    frontmatter: page.frontmatter,
    // Hooks change trees in place, but this tree is reused.
    renderable: copyOf(page.renderable),
  };
  for (const { hooks: set } of hooks) {
    try {
      const next = set.postProcess?.(now, gathered, context);
      if (isObject(next)) now = { ...next, url };
    } catch (error) {
      context.error(messageOf(error));
    }
  }
  return { ...page, renderable: now["renderable"] };
}

/** Copies the tags of a tree; attribute values are shared. */
function copyOf(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(copyOf);
  if (!isTag(node)) return node;
  return Object.assign(Object.create(Object.getPrototypeOf(node)), node, {
    attributes: { ...node.attributes },
    children: copyOf(node.children),
  });
}

interface TagNode {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly children?: unknown;
}

function isTag(node: unknown): node is TagNode {
  return isObject(node) && isObject(fieldOf(node, "attributes"));
}

/** Whether the site has third-party plugins, whose hooks may read everything. */
function isForeign({ site }: SiteContext): boolean {
  return site.plugins.some((name) => !name.startsWith(FIRST_PARTY_SCOPE));
}

/**
 * What the hooks over all pages can see of a page. As of 0.29, the core reads front matter, headings
 * and drawers, and refrakt's plugins read their own runes.
 */
function toldBy(site: SiteContext, page: BuiltPage): Transformed["told"] {
  const nodes: unknown[] = [];
  const collect = (node: unknown) => {
    if (Array.isArray(node)) return node.forEach(collect);
    if (!isTag(node)) return;
    const rune = node.attributes["data-rune"];
    const isWanted = rune === "drawer" ||
      typeof rune === "string" && !Object.hasOwn(site.upstream.runes.runes, rune);
    if (isWanted) nodes.push(node);
    else collect(node.children);
  };
  if (isForeign(site)) nodes.push(page.renderable, page.frontmatter, page.headings);
  else collect(page.renderable);
  const runes = JSON.stringify([page.route, nodes]);
  return { nodes, runes, all: JSON.stringify([runes, page.frontmatter, page.headings]) };
}
