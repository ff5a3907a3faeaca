/**
 * The pages of a site: read once, and again when their file, the partials or the site changes.
 *
 * @module
 */

import { isAbsolute, resolve } from "node:path";
import { messageOf, RefraktError } from "../../../errors.ts";
import { asObject } from "../../../io/json.ts";
import { importVersion } from "../../../npm/load.ts";
import { resolveInside } from "../../../io/paths.ts";
import { fileStamp } from "../../../io/stamp.ts";
import { FILE_LIMIT_MS, inTime } from "../../../io/time_limit.ts";
import { createMemo } from "../memo.ts";
import type { ContentModule, MarkdocNode } from "../shapes.ts";
import type { SiteContext } from "../site.ts";
import { upstreamVersions } from "../upstream_versions.ts";
import { type Content, type ContentFile, listContent, readPage } from "./content_files.ts";
import { addressOf, type Targets } from "./links.ts";
import { parseContent, type ParsedPage, parsePage, type Partials } from "./read_page.ts";

/** The pages of a site as they are on disk. */
export interface SitePages {
  /** The package that loads content. */
  readonly module: ContentModule;
  /** The content folder. */
  readonly content: Content;
  /** The partials by name. */
  readonly partials: Partials;
  /** What could not be read of them. */
  readonly problems: readonly string[];
  /** A page of the folder. */
  page(file: ContentFile): ParsedPage;
  /** A page whose text is not, or not yet, on disk. */
  draft(file: ContentFile, source: string): ParsedPage;
  /** What links can lead to. */
  targets(pages: readonly ParsedPage[]): Targets;
}

interface Cached {
  readonly stamp: string;
  /** The page, or the error of one that took too long: it would again. */
  readonly page: ParsedPage | RefraktError;
}

const cached = createMemo<SiteContext, Map<string, Cached>>();
const modules = createMemo<SiteContext, Promise<ContentModule>>();

/** Opens the pages of a site. */
export async function openPages(site: SiteContext): Promise<SitePages> {
  const module = await modules(site, () => importVersion(upstreamVersions(site.project).content));
  const content = listContent(site);
  const { partials, stamp, problems } = await partialsOf(site, module, content);
  const known = cached(site, () => new Map());
  // The call of a Worker has the same time: its page ends before it.
  const limitMs = Math.min(FILE_LIMIT_MS, site.project.code.timeoutMs / 3);
  const parse = (file: ContentFile, source: string) =>
    inTime(limitMs, () => parsePage(site, module, file, source, partials));
  return {
    module,
    content,
    partials,
    problems,
    page(file) {
      const now = `${fileStamp(file.path)} ${stamp}`;
      let entry = known.get(file.path);
      if (entry?.stamp !== now) {
        entry = { stamp: now, page: orTooLong(() => parse(file, readPage(site, file))) };
        known.set(file.path, entry);
      }
      if (entry.page instanceof RefraktError) throw entry.page;
      return entry.page;
    },
    draft: parse,
    targets: (pages) => ({
      dir: content.dir,
      pages: new Map(
        pages.filter(({ file }) => file.kind === "page").map(({ route, ids, file }) => [
          addressOf(route.url),
          { ids, shown: file.shown },
        ]),
      ),
    }),
  };
}

/** What work gives, or the error of its taking too long. */
function orTooLong<Value>(work: () => Value): Value | RefraktError {
  try {
    return work();
  } catch (error) {
    if (error instanceof RefraktError && error.code === "TIMEOUT") return error;
    throw error;
  }
}

/** Partials of the folder, and of the file roots that the config names. */
async function partialsOf(site: SiteContext, module: ContentModule, content: Content) {
  const partials: Record<string, MarkdocNode> = {};
  const stamps: string[] = [];
  const problems: string[] = [];
  const add = (name: string, shown: string, read: () => string) => {
    try {
      partials[name] = parseContent(site, read());
    } catch (error) {
      problems.push(`Partial ${shown} is left out: ${messageOf(error)}`);
    }
  };
  for (const file of content.files.filter(({ kind }) => kind === "partial")) {
    stamps.push(fileStamp(file.path));
    add(file.relative.slice("_partials/".length), file.shown, () => readPage(site, file));
  }
  const roots = fileRoots(site, problems);
  if (Object.keys(roots).length > 0) {
    try {
      for (const [name, { raw }] of await module.readFileRoots?.(roots) ?? []) {
        stamps.push(String(raw.length));
        add(name, name, () => raw);
      }
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  return { partials, stamp: stamps.join(" "), problems };
}

/** The folders that a config opens for partials, inside the project. */
function fileRoots({ project }: SiteContext, problems: string[]): Record<string, string> {
  const roots: Record<string, string> = {};
  for (const [name, path] of Object.entries(asObject(project.config?.raw["fileRoots"]))) {
    if (typeof path !== "string") continue;
    try {
      const folder = isAbsolute(path) ? path : resolve(project.cwd, path);
      roots[name] = resolveInside(project.cwd, folder, `File root "${name}"`);
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  return roots;
}
