/**
 * What the build makes of pages: preprocessed, transformed by the runes, and taken through
 * the passes over all pages. It is done as `@refrakt-md/content` does it, with the packages'
 * own functions, and with the site's local runes and aliases.
 *
 * @module
 */

import { basename, posix } from "node:path";
import { messageOf } from "../../../errors.ts";
import { asObject } from "../../../io/json.ts";
import { resolveInside } from "../../../io/paths.ts";
import { readInside } from "../../../io/read.ts";
import { createMemo } from "../memo.ts";
import type { BuiltPage, ContentModule, PipelineHooks } from "../shapes.ts";
import type { SiteContext } from "../site.ts";
import { contributedPage, entityRouteHooks } from "./entity_routes.ts";
import { parseContent, type ParsedPage, siteVariables } from "./read_page.ts";
import type { SitePages } from "./site_pages.ts";

/** A page as the build has it, and what the build says about it. */
export interface Built {
  /** The page after all passes. */
  readonly page: BuiltPage;
  /** What the passes say about it. */
  readonly messages: readonly { readonly severity: string; readonly message: string }[];
}

/** What a build depends on beside the pages. */
export interface BuildOptions {
  /** The icons of theme and site, by group and name. */
  readonly icons: unknown;
  /** Called between pages: gives way to others, and throws when the call is cancelled. */
  turn(): Promise<void>;
}

/** Builds one page beside others: they take part in the passes over all pages. */
export async function buildPage(
  site: SiteContext,
  pages: SitePages,
  wanted: ParsedPage,
  others: readonly ParsedPage[],
  options: BuildOptions,
): Promise<Built> {
  const messages: { severity: string; message: string }[] = [];
  const hooks = await hookSets(site, pages, messages);
  const url = wanted.route.url;
  const say = (severity: string, message: string, about?: string) => {
    if (about === undefined || about === url) messages.push({ severity, message });
  };
  const built: BuiltPage[] = [];
  // The order of the folder is the order of the build.
  for (const page of [...others, wanted].sort(byFile)) {
    await options.turn();
    if (page === wanted) built.push(await transformPage(site, pages, page, hooks, options, say));
    else {
      const other = await asOther(site, pages, page, hooks, options);
      if (other !== undefined) built.push(other);
    }
  }
  const run = pages.module.runPipeline;
  const index = built.findIndex(({ route }) => route.filePath === wanted.route.filePath);
  if (run === undefined) return { page: built[index]!, messages };
  const { pages: done, warnings } = await run(built, hooks.map((set) => forOnePage(set, url)), {
    projectRoot: site.project.cwd,
    siteConfig: site.site.raw,
    renderContributed: (page: Parameters<typeof contributedPage>[1]) => contributedPage(site, page),
  });
  for (const warning of warnings) {
    if (warning.url === url) say(warning.severity, warning.message);
  }
  return { page: done[index]!, messages };
}

/** The last pass changes each page by itself, so the others can do without it. */
function forOnePage({ pluginName, hooks }: HookSet, url: string): HookSet {
  const { postProcess } = hooks;
  if (postProcess === undefined) return { pluginName, hooks };
  return {
    pluginName,
    hooks: {
      ...hooks,
      postProcess: (page, aggregated, context) =>
        page.url === url ? postProcess.call(hooks, page, aggregated, context) : page,
    },
  };
}

const transformed = createMemo<ParsedPage, Promise<BuiltPage | undefined>>();

/** A page as the passes see it beside the one that is wanted; kept until its file changes. */
function asOther(
  site: SiteContext,
  pages: SitePages,
  page: ParsedPage,
  hooks: readonly HookSet[],
  options: BuildOptions,
): Promise<BuiltPage | undefined> {
  return transformed(page, async () => {
    try {
      return await transformPage(site, pages, page, hooks, options, () => {});
    } catch {
      // A page that breaks the build is reported when it is rendered itself.
      return undefined;
    }
  });
}

function byFile(a: ParsedPage, b: ParsedPage): number {
  const [one, two] = [a.file.relative, b.file.relative];
  const [x, y] = [posix.dirname(one), posix.dirname(two)];
  return x === y
    ? one.localeCompare(two)
    : y.startsWith(`${x}/`) || x === "."
    ? -1
    : x.startsWith(`${y}/`) || y === "."
    ? 1
    : x.localeCompare(y);
}

interface HookSet {
  readonly pluginName: string;
  readonly hooks: PipelineHooks;
}

/** The hooks of the core and of the plugins, in the order of the build. */
async function hookSets(
  site: SiteContext,
  { partials }: SitePages,
  messages: { severity: string; message: string }[],
): Promise<HookSet[]> {
  const { upstream: { runes }, project } = site;
  const raw = site.site.raw;
  const sets: HookSet[] = [];
  if (runes.createCorePipelineHooks !== undefined) {
    sets.push({
      pluginName: "__core__",
      hooks: runes.createCorePipelineHooks({
        xrefPatterns: runes.compileXrefPatterns?.(project.config?.raw["xrefs"]).patterns,
        repoUrl: raw["repoUrl"],
        repoBranch: raw["repoBranch"],
        embedConfig: {
          tags: site.tags,
          nodes: runes.nodes,
          functions: runes.functions,
          orderings: orderings(site),
          sentiments: sentiments(site),
          partials: Object.keys(partials).length === 0 ? undefined : partials,
          projectRoot: project.cwd,
        },
      }),
    });
  }
  for (const plugin of site.merged?.plugins ?? []) {
    const { pipeline } = plugin;
    if (pipeline === undefined) continue;
    try {
      await pipeline.configure?.({
        config: project.config?.raw,
        configDir: project.cwd,
        registerFileRoot: () => {},
      });
    } catch (error) {
      messages.push({ severity: "warning", message: `${plugin.name}: ${messageOf(error)}` });
    }
    sets.push({ pluginName: plugin.name, hooks: pipeline });
  }
  if (raw["entityRoutes"] !== undefined) {
    sets.push({ pluginName: "__entity-routes__", hooks: entityRouteHooks(site) });
  }
  return sets;
}

function orderings(site: SiteContext): Record<string, Record<string, unknown>> {
  const all: Record<string, Record<string, unknown>> = {};
  for (const { theme } of site.merged?.plugins ?? []) {
    for (const [type, fields] of Object.entries(asObject(theme?.["orderings"]))) {
      all[type] = { ...all[type], ...asObject(fields) };
    }
  }
  return all;
}

/** The mood of each value of a field, as the plugins' badges have it. */
function sentiments(site: SiteContext): Record<string, Record<string, Record<string, unknown>>> {
  const all: Record<string, Record<string, Record<string, unknown>>> = {};
  for (const { theme } of site.merged?.plugins ?? []) {
    for (const config of Object.values(asObject(theme?.["runes"]))) {
      const { block, metaFields } = asObject(config);
      if (typeof block !== "string") continue;
      for (const [field, settings] of Object.entries(asObject(metaFields))) {
        const { sentimentMap } = asObject(settings);
        if (sentimentMap === undefined) continue;
        all[block] ??= {};
        all[block]![field] = { ...all[block]![field], ...asObject(sentimentMap) };
      }
    }
  }
  return all;
}

async function transformPage(
  site: SiteContext,
  { module, content, partials }: SitePages,
  page: ParsedPage,
  hooks: readonly HookSet[],
  { icons }: BuildOptions,
  say: (severity: string, message: string, url?: string) => void,
): Promise<BuiltPage> {
  const { runes, markdoc } = site.upstream;
  const { file, route, frontmatter } = page;
  let ast = parseContent(site, page.content);
  const dir = posix.dirname(file.relative);
  const title = typeof frontmatter["title"] === "string" ? frontmatter["title"].trim() : "";
  const reader = readerOf(site);
  const variables = {
    ...siteVariables(site),
    frontmatter,
    page: {
      url: route.url,
      path: file.relative,
      dir: dir === "." ? "" : dir,
      slug: basename(route.url.replace(/\/+$/, "")),
      title: title === "" ? runes.firstH1?.(ast) : title,
      draft: route.draft,
    },
    file: { path: file.shown, ...timestamps(module, page) },
    __sandboxReadFile: reader.read,
    __sandboxListDir: reader.list,
    __sandboxDirExists: reader.exists,
    __sandboxExamplesDir: posix.join(content.dir, "..", "examples"),
    __backgrounds: site.site.raw["backgrounds"],
  };
  for (const { hooks: { preprocess } } of hooks) {
    const next = await preprocess?.(
      ast,
      { url: route.url, relativePath: file.relative, filePath: file.path },
      {
        info: (message: string, url?: string) => say("info", message, url),
        warn: (message: string, url?: string) => say("warning", message, url),
        error: (message: string, url?: string) => say("error", message, url),
        projectRoot: site.project.cwd,
        sandbox: reader,
        variables,
      },
    );
    if (isNode(next)) ast = next;
  }
  const headings = runes.extractHeadings(ast);
  runes.captureDeferredBodies?.(ast, (name) => site.tags[name]?.deferBody === true);
  const renderable = markdoc.transform(ast, {
    tags: site.tags,
    nodes: runes.nodes,
    functions: runes.functions ?? {},
    variables: {
      generatedIds: new Set(),
      path: route.url,
      headings,
      __source: page.content,
      __sourcePath: file.relative,
      ...(icons === undefined ? {} : { __icons: icons }),
      ...variables,
    },
    ...(Object.keys(partials).length === 0 ? {} : { partials }),
  });
  return {
    route,
    frontmatter,
    content: page.content,
    renderable,
    headings: Array.isArray(headings) ? headings : [],
    layout: { chain: [], regions: new Map() },
    seo: {},
  };
}

/** The dates of a file, from its front matter or the disk; the build asks git before the disk. */
function timestamps(
  module: ContentModule,
  { file, frontmatter }: ParsedPage,
): { readonly created?: string | undefined; readonly modified?: string | undefined } {
  const { created, modified } = module.resolveTimestamps?.(
    file.relative,
    file.path,
    new Map(),
    frontmatter,
  ) ?? {};
  return { created, modified };
}

/** What runes that embed files may read: files of the project. */
function readerOf({ project: { cwd } }: SiteContext) {
  return {
    read: (path: string): string | null => {
      try {
        return readInside(cwd, path, "text");
      } catch {
        return null;
      }
    },
    list: (path: string): string[] => {
      try {
        return [...Deno.readDirSync(resolveInside(cwd, path, "The folder"))].map(({ name }) =>
          name
        );
      } catch {
        return [];
      }
    },
    exists: (path: string): boolean => {
      try {
        return Deno.statSync(resolveInside(cwd, path, "The folder")).isDirectory;
      } catch {
        return false;
      }
    },
  };
}

function isNode(value: unknown): value is ReturnType<typeof parseContent> {
  return typeof value === "object" && value !== null && "walk" in value;
}
