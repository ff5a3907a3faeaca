/**
 * One page as the runes transform it, before the passes over all pages.
 *
 * @module
 */

import { basename, posix } from "node:path";
import { resolveInside } from "../../../io/paths.ts";
import { readInside } from "../../../io/read.ts";
import type { BuiltPage, ContentModule } from "../shapes.ts";
import type { SiteContext } from "../site.ts";
import type { HookSet } from "./hook_sets.ts";
import { parseContent, type ParsedPage, siteVariables } from "./read_page.ts";
import type { SitePages } from "./site_pages.ts";

/**
 * Preprocesses and transforms a page.
 *
 * @param icons The icons of theme and site, by group and name.
 * @param say Takes what the hooks say about a page; about this one where they name none.
 */
export async function transformPage(
  site: SiteContext,
  { module, content, partials }: SitePages,
  page: ParsedPage,
  hooks: readonly HookSet[],
  icons: unknown,
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
