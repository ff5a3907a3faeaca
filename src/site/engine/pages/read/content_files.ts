/** Lists and finds the files of a content folder. */

import { isAbsolute, join } from "node:path";
import { RefraktError } from "../../../../errors.ts";
import { statIfExists } from "../../../../io/files.ts";
import { isInside, resolveInside, shownPath } from "../../../../io/paths.ts";
import { withoutMark } from "../../../../io/decode.ts";
import { readInside } from "../../../../io/read.ts";
import type { SiteContext } from "../../upstream/site.ts";

export interface ContentFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the project. */
  readonly shown: string;
  /** Relative to the content folder, with `/`. */
  readonly relative: string;
  readonly kind: "page" | "layout" | "partial";
}

export interface Content {
  /** Absolute. */
  readonly dir: string;
  /** In build order. */
  readonly files: readonly ContentFile[];
}

export const PARTIALS = "_partials";
const LAYOUT = "_layout.md";

const MOST_FILES = 20_000;

export function contentDir({ site, project }: SiteContext): string {
  const named = site.raw["contentDir"];
  if (typeof named !== "string" || named === "") {
    throw new RefraktError("CONFIG_INVALID", `Site "${site.name}" has no contentDir`, {
      hint: 'Set "contentDir" of the site in refrakt.config.json, such as "./content".',
    });
  }
  const dir = resolveInside(project.cwd, named, "The content folder");
  if (statIfExists(dir)?.isDirectory) return dir;
  throw new RefraktError("NOT_FOUND", `No such content folder: "${shownPath(project.cwd, dir)}"`, {
    hint: 'Create the folder, or change "contentDir" of the site in refrakt.config.json.',
  });
}

/** Lists the content folder. Like the build, it does not follow links. */
export function listContent(context: SiteContext): Content {
  const dir = contentDir(context);
  const files: ContentFile[] = [];
  const walk = (folder: string, way: string, partials: boolean) => {
    const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name.localeCompare(b.name));
    for (const { name, isFile } of entries) {
      if (!isFile || !name.endsWith(".md")) continue;
      if (files.length >= MOST_FILES) return;
      const path = join(folder, name);
      files.push({
        path,
        shown: shownPath(context.project.cwd, path),
        relative: way + name,
        kind: partials ? "partial" : name === LAYOUT ? "layout" : "page",
      });
    }
    for (const { name, isDirectory } of entries) {
      if (
        !isDirectory || name.startsWith(".") ||
        partials === false && way !== "" && name === PARTIALS
      ) {
        continue;
      }
      walk(join(folder, name), `${way}${name}/`, partials || name === PARTIALS);
    }
  };
  walk(dir, "", false);
  return { dir, files };
}

export function markdownIn(folder: string): string[] {
  const found: string[] = [];
  const walk = (way: string) => {
    for (const { name, isFile, isDirectory } of Deno.readDirSync(join(folder, way))) {
      if (isDirectory && !name.startsWith(".")) walk(`${way}${name}/`);
      else if (isFile && name.endsWith(".md") && found.length < MOST_FILES) found.push(way + name);
    }
  };
  walk("");
  return found;
}

/**
 * The places that a path of a client may mean: relative to the project or to the content folder, or
 * absolute in the project. Other paths with a leading slash begin at the site's root.
 */
export function placesOf(cwd: string, contentDir: string, path: string, what: string): string[] {
  if (isAbsolute(path)) {
    try {
      return [resolveInside(cwd, path, what, path)];
    } catch (error) {
      if (!path.startsWith("/")) throw error;
    }
  }
  return [cwd, contentDir].map((root) => resolveInside(cwd, join(root, path), what, path));
}

/** Finds a content file by a path as in {@linkcode placesOf}. */
export function findFile(context: SiteContext, content: Content, path: string): ContentFile {
  const { cwd } = context.project;
  for (const absolute of placesOf(cwd, content.dir, path, "The page")) {
    for (const candidate of [absolute, `${absolute}.md`, join(absolute, "index.md")]) {
      const found = content.files.find((file) => file.path === candidate);
      if (found !== undefined) return found;
    }
    if (statIfExists(absolute)?.isFile && !isInside(content.dir, absolute)) {
      throw new RefraktError(
        "NOT_FOUND",
        `${JSON.stringify(path)} is not in the content folder of site "${context.site.name}"`,
        { hint: `Its pages are below ${shownPath(cwd, content.dir)}/.` },
      );
    }
  }
  throw new RefraktError("NOT_FOUND", `No such page: ${JSON.stringify(path)}`, {
    hint: `Pass the path of a Markdown file below ${
      shownPath(cwd, content.dir)
    }/; refrakt.query lists them: select path from pages.`,
  });
}

export function readPage(context: SiteContext, file: ContentFile): string {
  return withoutMark(readInside(context.project.cwd, file.path, "page"));
}
