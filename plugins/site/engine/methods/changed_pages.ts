/** Finds the pages that differ from a commit, and the pages that depend on them. */

import { join } from "node:path";
import { orElse } from "../../../../src/errors.ts";
import { blobHash } from "../../../../src/io/blob_hash.ts";
import { shownPath } from "../../../../src/io/paths.ts";
import { readInside } from "../../../../src/io/read.ts";
import { allReads, newReads, record } from "../../../../src/io/reads.ts";
import type { SiteBuild } from "../pages/transform/build.ts";
import type { SitePages } from "../pages/transform/site_pages.ts";
import { addressesOf, addressOf } from "../pages/check/links.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import { PARTIALS } from "../pages/read/content_files.ts";
import type { SiteContext } from "../upstream/site.ts";

/** The files of a commit below the project. */
export interface CommitFiles {
  /** Git's object ids by path. */
  readonly ids: Readonly<Record<string, string>>;
  /** The texts of those of the files that the commit has. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Finds the files to check (absolute) and the changed ones (relative to the project). */
export function changedPages(
  site: SiteContext,
  pages: SitePages,
  parsed: readonly ParsedPage[],
  build: SiteBuild,
  { ids: head }: CommitFiles,
): { readonly files: ReadonlySet<string>; readonly changed: string[] } {
  const { cwd, config } = site.project;
  const known = new Map<string, boolean>();
  const isChanged = (path: string): boolean => {
    return known.getOrInsertComputed(path, () => differs(cwd, shownPath(cwd, path), head));
  };
  const content = shownPath(cwd, pages.content.dir);
  const present = new Set(pages.content.files.map(({ shown }) => shown));
  const removed = Object.keys(head).filter((path) =>
    path.startsWith(`${content}/`) && path.endsWith(".md") && !present.has(path)
  );
  const own = parsed.filter(({ file }) => isChanged(file.path));
  const changed = [...own.map(({ file }) => file.shown), ...removed];
  const files = new Set(own.map(({ file }) => file.path));
  const settings = [...site.localFiles, ...config === null ? [] : [config.path]];
  const everywhere = settings.filter(isChanged);
  if (everywhere.length > 0) {
    return {
      files: new Set(parsed.map(({ file }) => file.path)),
      changed: [...everywhere.map((path) => shownPath(cwd, path)), ...changed],
    };
  }
  const router = new pages.module.Router("/");
  const addresses = new Set([
    ...own.map(({ route }) => addressOf(route.url)),
    ...removed.map((path) => addressOf(router.resolve(path.slice(content.length + 1), {}).url)),
  ]);
  const partials = new Set(
    [
      ...own.map(({ file }) => file.relative),
      ...removed.map((path) => path.slice(content.length + 1)),
    ]
      .filter((path) => path.startsWith(`${PARTIALS}/`)).map((path) =>
        path.slice(PARTIALS.length + 1)
      ),
  );
  for (const page of parsed) {
    const { file, facts } = page;
    const leads = facts.references.some(({ kind, target }) =>
      kind === "partial" ? partials.has(target) : kind === "link" && addressesOf(page, target)
        .some((address) => addresses.has(address))
    );
    if (leads || readsOf(page, build).some(isChanged)) files.add(file.path);
  }
  return { files, changed };
}

function readsOf(page: ParsedPage, build: SiteBuild): string[] {
  if (page.file.kind === "partial") return [];
  const reads = newReads();
  // Checking the page reports an error.
  record(reads, () => orElse(() => build.finish(page), undefined));
  return [...allReads(reads).files.keys()].filter((path) => !path.endsWith("/"));
}

function differs(cwd: string, path: string, head: CommitFiles["ids"]): boolean {
  const id = Object.hasOwn(head, path) ? head[path]! : undefined;
  // The file may be missing, or not be read.
  const text = orElse(() => readInside(cwd, join(cwd, path), "text"), undefined);
  if (id === undefined || text === undefined) return (id === undefined) !== (text === undefined);
  // Git may check files out with other line ends than it stores.
  return [text, text.replaceAll("\r\n", "\n")].every((one) => blobHash(one, id.length) !== id);
}
