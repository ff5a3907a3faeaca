/**
 * What the build makes of pages: preprocessed, transformed by the runes, and taken through
 * the passes over all pages. It is done as `@refrakt-md/content` does it, with the packages'
 * own functions, and with the site's local runes and aliases.
 *
 * @module
 */

import { posix } from "node:path";
import { createMemo } from "../memo.ts";
import type { BuiltPage } from "../shapes.ts";
import type { SiteContext } from "../site.ts";
import { contributedPage } from "./entity_routes.ts";
import { type HookSet, hookSets } from "./hook_sets.ts";
import type { ParsedPage } from "./read_page.ts";
import { transformPage } from "./transform_page.ts";
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
    if (page === wanted) {
      built.push(await transformPage(site, pages, page, hooks, options.icons, say));
    } else {
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
      return await transformPage(site, pages, page, hooks, options.icons, () => {});
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
