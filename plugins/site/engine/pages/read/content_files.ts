/** Lists, finds and reads the files of a content folder, and project files for the packages. */

import { countAndLimit, quotedName } from "../../../../../src/plain_text.ts";
import { basename, isAbsolute, join, resolve } from "node:path";
import { counted } from "../../../../../src/plugin/counted.ts";
import { orElse, RefraktError } from "../../../../../src/errors.ts";
import { statIfExists } from "../../../../../src/io/files.ts";
import { isInside, resolveInside, shownPath } from "../../../../../src/io/paths.ts";
import { readInside, withoutMark } from "../../../../../src/io/read.ts";
import { noteRead } from "../../../../../src/io/reads.ts";
import type { SiteContext } from "../../upstream/site.ts";

export interface ContentFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the project. */
  readonly displayPath: string;
  /** Relative to the content folder, with `/`. */
  readonly relative: string;
  readonly kind: "page" | "layout" | "partial";
}

export interface Content {
  /** Absolute. */
  readonly dir: string;
  /** In build order. */
  readonly files: readonly ContentFile[];
  /** Files that other generators read as pages, relative to the content folder, with `/`. */
  readonly others: readonly string[];
}

export const PARTIALS = "_partials";
export const LAYOUT = "_layout.md";

const MOST_FILES = 20_000;

type ConfiguredSite = Pick<SiteContext, "site" | "project">;

export function contentDir({ site, project }: ConfiguredSite): string {
  const configured = site.raw["contentDir"];
  if (typeof configured !== "string" || configured === "") {
    throw new RefraktError("CONFIG_INVALID", `Site ${quotedName(site.name)} has no contentDir`, {
      hint: 'Set "contentDir" of the site in refrakt.config.json, such as "./content".',
    });
  }
  const dir = resolveInside(project.cwd, configured, "The content folder");
  if (statIfExists(dir)?.isDirectory) return dir;
  const path = quotedName(shownPath(project.cwd, dir));
  throw new RefraktError("NOT_FOUND", `No such content folder: ${path}`, {
    hint: 'Create the folder, or change "contentDir" of the site in refrakt.config.json.',
  });
}

/**
 * Lists the content folder; `_partials` below others are left out, as by the build.
 *
 * @param problems Receives a sentence if there are too many files.
 */
export function listContent(context: ConfiguredSite, problems: string[] = []): Content {
  const dir = contentDir(context);
  const { pages, others } = filesIn(dir, problems);
  const files = pages.filter((way) =>
    way.startsWith(`${PARTIALS}/`) || !way.includes(`/${PARTIALS}/`)
  )
    .map((way) => fileAt(context.project.cwd, dir, way));
  return { dir, files, others };
}

/** A file of the content folder, by its path there, whether it exists or not. */
export function fileAt(cwd: string, dir: string, relative: string): ContentFile {
  const path = join(dir, relative);
  const isPartial = relative.startsWith(`${PARTIALS}/`);
  const kind = isPartial ? "partial" : basename(relative) === LAYOUT ? "layout" : "page";
  return { path, displayPath: shownPath(cwd, path), relative, kind };
}

/** The name by which pages use a partial. */
export function partialName({ relative }: Pick<ContentFile, "relative">): string {
  return relative.slice(PARTIALS.length + 1);
}

/** Names of pages of other generators, and of editors that write capital letters. */
const OTHER = /\.(?:mdx|mdoc|markdown|mkd|md)$/i;

/** Lists Markdown files in build order: those of a folder, then its folders. Links are not followed. */
export function filesIn(folder: string, problems: string[]) {
  const pages: string[] = [];
  const others: string[] = [];
  const walk = (way: string) => {
    noteRead(join(folder, way, "/"));
    const entries = [...Deno.readDirSync(join(folder, way))]
      .sort((a, b) => a.name.localeCompare(b.name));
    for (const { name, isFile } of entries) {
      if (isFile && name.endsWith(".md")) pages.push(way + name);
      else if (isFile && OTHER.test(name)) others.push(way + name);
    }
    for (const { name, isDirectory } of entries) {
      if (isDirectory && !name.startsWith(".")) walk(`${way}${name}/`);
    }
  };
  walk("");
  if (pages.length > MOST_FILES) {
    const files = countAndLimit(pages.length, "Markdown files", MOST_FILES);
    problems.push(`${quotedName(basename(folder))} has ${files}: the last are left out`);
  }
  return { pages: pages.slice(0, MOST_FILES), others };
}

/**
 * The paths that a client's path may stand for: relative to the project or to the content folder,
 * or absolute in the project. Other paths with a leading slash start at the site's root.
 */
export function pathsFor(cwd: string, contentDir: string, path: string, subject: string): string[] {
  if (isAbsolute(path)) {
    try {
      return [resolveInside(cwd, path, subject, path)];
    } catch (error) {
      if (!path.startsWith("/")) throw error;
    }
  }
  return [cwd, contentDir].map((root) => resolveInside(cwd, join(root, path), subject, path));
}

/** Finds a content file by a path as in {@linkcode pathsFor}. */
export function findFile(context: SiteContext, content: Content, path: string): ContentFile {
  const { cwd } = context.project;
  const folder = `${shownPath(cwd, content.dir)}/`;
  for (const absolute of pathsFor(cwd, content.dir, path, "The page")) {
    const names = [absolute, `${absolute}.md`, join(absolute, "index.md")];
    const name = names.find((each) => content.files.some((file) => file.path === each));
    if (name !== undefined) return content.files.find((file) => file.path === name)!;
    if (statIfExists(absolute)?.isFile && !isInside(content.dir, absolute)) {
      const siteName = quotedName(context.site.name);
      const message = `${quotedName(path)} is not in the content folder of site ${siteName}`;
      throw new RefraktError("NOT_FOUND", message, { hint: `Its pages are below ${folder}.` });
    }
  }
  throw new RefraktError("NOT_FOUND", `No such page: ${quotedName(path)}`, {
    hint: `Pass the path of a Markdown file below ${folder}; refrakt_query lists them: ` +
      "select path from pages.",
  });
}

/** How many files that are no pages are named. */
const MOST_NAMED = 3;

/** A note on files of the content folder that are no pages; empty without such files. */
export function notPages({ others }: Pick<Content, "others">): string[] {
  if (others.length === 0) return [];
  const names = others.slice(0, MOST_NAMED).map(quotedName).join(", ");
  const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : "";
  const are = others.length === 1 ? "is no page" : "are no pages";
  const reason = `because the names of pages end with .md: ${names}${more}`;
  return [`${counted(others.length, "file")} of the content folder ${are}, ${reason}`];
}

export function readPage({ project }: SiteContext, { path }: Pick<ContentFile, "path">): string {
  return withoutMark(readInside(project.cwd, path, "page"));
}

export type ProjectFiles = ReturnType<typeof projectFiles>;

/** How many texts are kept: a build with a plan reads all its files up to three times. */
const MOST_TEXTS = 2000;

/**
 * How the packages read files: `ProjectFiles` of `@refrakt-md/types`. Paths are relative to the project.
 * Files outside of it, unreadable ones, and Markdown that is too hard to parse count as missing.
 */
export function projectFiles({ project: { cwd }, upstream, memo }: SiteContext) {
  const textOf = (path: string): string => {
    const text = withoutMark(readInside(cwd, path, "text"));
    if (path.endsWith(".md")) upstream.requireParsable(text);
    return text;
  };
  return {
    /** Returns `null` if the file does not exist. */
    read: (path: string): string | null => {
      const read = () => orElse(() => textOf(path), null);
      return memo([upstream, "text", path], read, { most: MOST_TEXTS });
    },
    list(path: string): string[] {
      noteRead(`${resolve(cwd, path)}/`);
      const names = () => [...Deno.readDirSync(resolveInside(cwd, path, "The folder"))];
      // Node sorts the names, which sets the order of entities.
      return orElse(() => names().map(({ name }) => name).sort(), []);
    },
    exists(path: string): boolean {
      noteRead(resolve(cwd, path));
      return orElse(() => Deno.statSync(resolveInside(cwd, path, "The file")) !== null, false);
    },
  };
}
