/** The pages of a site, cached until their file, the partials or the site changes. */

import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import { quotedName } from "../../../../../src/plain_text.ts";
import { join, posix, resolve } from "node:path";
import { messageOf, orElse } from "../../../../../src/errors.ts";
import { statIfExists } from "../../../../../src/io/files.ts";
import { asObject, textOf } from "../../../../../src/io/json.ts";
import { resolveInside, shownPath } from "../../../../../src/io/paths.ts";
import type { Turn } from "../../../../../src/io/turns.ts";
import { importVersion } from "../../../../../src/packages/load.ts";
import { parseContent } from "../../runes/example_page.ts";
import type { ContentModule, LayoutFolder, LayoutRegion } from "../../upstream/shapes.ts";
import { noteFailure } from "../../upstream/site_cache.ts";
import type { SiteContext } from "../../upstream/site.ts";
import { contentVersion } from "../../upstream/package_versions.ts";
import {
  type Content,
  type ContentFile,
  filesIn,
  listContent,
  partialName,
  readPage,
} from "../read/content_files.ts";
import {
  configurePlugins,
  type EntityHooks,
  loadEntityHooks,
  readXrefPatterns,
} from "./hook_sets.ts";
import { type ProjectFiles, projectFiles } from "../read/content_files.ts";
import { type ParsedPage, parsePage } from "../check/parse_page.ts";
import { type Partials, siteNames } from "../read/scope.ts";

export type SitePages = Awaited<ReturnType<typeof openPages>>;

async function loadOnce(site: SiteContext) {
  const module: ContentModule = await importVersion(contentVersion(site.project));
  const files = projectFiles(site);
  const { roots, problems } = await fileRoots(site, files);
  const entityHooks = await loadEntityHooks(site).catch((error): EntityHooks => {
    problems.push(`Without entityRoutes and types of pages: ${messageOf(error)}`);
    noteFailure(error);
    return {};
  });
  const xrefPatterns = await readXrefPatterns(site, problems);
  return { module, projectFiles: files, roots, problems, entityHooks, xrefPatterns };
}

export async function openPages(site: SiteContext) {
  const { memo } = site;
  const loaded = await memo([site, "packages of pages"], () => loadOnce(site));
  const { module } = loaded;
  const problems = [...loaded.problems];
  const content = listContent(site, problems);
  const files = partialFiles(content, loaded.roots, problems);
  const same = memo.same([site, "partials"], files.flat());
  const partials = memo([same, "partials"], () => partialsOf(site, files));
  const names = await siteNames(site);
  /** Trees of pages that are not transformed yet. */
  const trees = new WeakMap<ParsedPage, MarkdocNode>();
  const parse = (file: ContentFile, source: string) => {
    const { page, tree } = parsePage(site, module, file, source, partials, names);
    if (tree !== undefined) trees.set(page, tree);
    return page;
  };
  const page = (file: ContentFile) => {
    const read = () => parse(file, readPage(site, file));
    return memo([site, partials, names, "page", file.path], read);
  };
  return {
    ...loaded,
    content,
    partials,
    problems,
    readsByProjectFiles: module.ContentTree?.fromContentMap !== undefined,
    page,
    /** Reads all files; `failed` gets those that cannot be parsed. */
    async all(
      turn: Turn,
      failed: (file: ContentFile, error: unknown) => void = () => {},
    ): Promise<ParsedPage[]> {
      const pages: ParsedPage[] = [];
      for (const file of content.files) {
        try {
          pages.push(page(file));
        } catch (error) {
          failed(file, error);
        }
        await turn();
      }
      return pages;
    },
    draft: parse,
    /** Returns the tree of a page's content; its caller may change it. */
    treeOf(page: ParsedPage): MarkdocNode {
      const tree = trees.get(page);
      trees.delete(page);
      return tree ?? parseContent(site, page.content);
    },
  };
}

/** The names and paths of partials: those of the content folder, and `namespace:path` of file roots. */
function partialFiles(
  { files }: Content,
  roots: Readonly<Record<string, string>>,
  problems: string[],
): (readonly [name: string, path: string])[] {
  const others = Object.entries(roots).flatMap(([namespace, folder]) =>
    filesIn(folder, problems).pages.map((way) =>
      [`${namespace}:${way}`, join(folder, way)] as const
    )
  );
  const partials = files.filter(({ kind }) => kind === "partial");
  return [...partials.map((file) => [partialName(file), file.path] as const), ...others];
}

/** Each is parsed on first use. */
function partialsOf(site: SiteContext, files: ReturnType<typeof partialFiles>): Partials {
  const partials: Record<string, MarkdocNode> = {};
  for (const [name, path] of files) {
    const parse = () => parseContent(site, readPage(site, { path }));
    const get = () => site.memo([site, "partial", path], parse);
    Object.defineProperty(partials, name, { enumerable: true, get });
  }
  return partials;
}

/** The file roots of the config and of plugins, by namespace. */
async function fileRoots(
  site: SiteContext,
  files: ProjectFiles,
): Promise<{ roots: Record<string, string>; problems: string[] }> {
  const { cwd, config } = site.project;
  const { roots, problems } = await configurePlugins(site, files);
  for (const [name, path] of Object.entries(asObject(config?.raw["fileRoots"]))) {
    if (typeof path === "string") roots[name] = resolve(cwd, path);
  }
  for (const [name, path] of Object.entries(roots)) {
    try {
      roots[name] = resolveInside(cwd, path, `File root ${quotedName(name)}`);
      if (!statIfExists(path)?.isDirectory) {
        throw new Error(`File root ${quotedName(name)} is not a folder: ${shownPath(cwd, path)}`);
      }
    } catch (error) {
      delete roots[name];
      problems.push(messageOf(error));
    }
  }
  return { roots, problems };
}

/** The regions of a page by name, before references to other pages are resolved. */
export function regionsOf(
  site: SiteContext,
  pages: SitePages,
  { file: { relative } }: ParsedPage,
  icons: unknown,
): ReadonlyMap<string, LayoutRegion> {
  const root = layoutFolders(site, pages, relative);
  return pages.module.resolveLayouts?.({ relativePath: relative }, root, icons).regions ??
    new Map();
}

export type Tint = ReturnType<typeof tintOf>;

/** The attributes of the document's root element. */
export function tintOf(site: SiteContext, pages: SitePages, page: ParsedPage) {
  const { file: { relative }, frontmatter } = page;
  const { colorScheme } = asObject(site.site.raw["theme"]);
  const cascade = pages.module.resolveTintCascade?.(
    // JSON is YAML.
    { relativePath: relative, raw: `---\n${JSON.stringify(frontmatter)}\n---\n` },
    layoutFolders(site, pages, relative),
    { colorScheme },
  );
  const { tint, tintMode = "", locked = false } = cascade ?? {};
  // Without a mode, the reader chooses; one that is locked cannot be changed.
  const mode = ["light", "dark"].includes(tintMode) ? tintMode : null;
  return { tint: textOf(tint) ?? null, mode, locked };
}

/** The folders from the content folder to the page's, as the packages read them. */
function layoutFolders(site: SiteContext, { content }: SitePages, relative: string): LayoutFolder {
  const folderAt = (way: string, [next, ...rest]: readonly string[]): LayoutFolder => {
    const path = posix.join(way, "_layout.md");
    const children = next === undefined ? [] : [folderAt(posix.join(way, next), rest)];
    const folder = { name: posix.basename(way), children };
    const file = content.files.find((each) => each.kind === "layout" && each.relative === path);
    const raw = file && readPage(site, file);
    // The check has a finding about a layout that is too hard to parse.
    return raw !== undefined && orElse(() => (site.upstream.requireParsable(raw), true), false)
      ? { ...folder, layout: { relativePath: path, raw } }
      : folder;
  };
  return folderAt("", relative.split("/").slice(0, -1));
}
