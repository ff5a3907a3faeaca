/**
 * Which pages differ from the last commit, and which depend on those. Git only says what the
 * commit has: it does not look at the files, for which it might run filters.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { readInside } from "../../../io/read.ts";
import { shownPath } from "../../../io/paths.ts";
import type { SiteContext } from "../site.ts";
import type { SiteBuild } from "./build.ts";
import { PARTIALS } from "./content_files.ts";
import { addressesOf, addressOf } from "./links.ts";
import type { ParsedPage } from "./read_page.ts";
import type { SitePages } from "./site_pages.ts";

/** The files of the last commit below the project: ids of their content, by path. */
export type Head = Readonly<Record<string, string>>;

/** Finds the files to check, by absolute path, and those that have changed, for people. */
export async function changedPages(
  site: SiteContext,
  pages: SitePages,
  parsed: readonly ParsedPage[],
  build: SiteBuild,
  head: Head,
): Promise<{ readonly files: ReadonlySet<string>; readonly changed: string[] }> {
  const { cwd, config } = site.project;
  const isChanged = memo((path: string) => differs(cwd, shownPath(cwd, path), head));
  const content = shownPath(cwd, pages.content.dir);
  const present = new Set(pages.content.files.map(({ shown }) => shown));
  const removed = Object.keys(head).filter((path) =>
    path.startsWith(`${content}/`) && path.endsWith(".md") && !present.has(path)
  );
  const own = parsed.filter(({ file }) => isChanged(file.path));
  const changed = [...own.map(({ file }) => file.shown), ...removed];
  const files = new Set(own.map(({ file }) => file.path));
  const settings = [...site.files.keys(), ...config === null ? [] : [config.path]];
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
    const { file, route, facts } = page;
    const leads = facts.references.some(({ kind, target }) =>
      kind === "partial"
        ? partials.has(target)
        : kind === "link" && addressesOf({ url: route.url, relative: file.relative }, target)
          .some((address) => addresses.has(address))
    );
    if (leads || [...await readsOf(page, build)].some(isChanged)) files.add(file.path);
  }
  return { files, changed };
}

async function readsOf(page: ParsedPage, build: SiteBuild): Promise<string[]> {
  if (page.file.kind === "partial") return [];
  try {
    const { reads } = await build.finish(page);
    return [...reads.keys()].filter((path) => !path.endsWith("/"));
  } catch {
    // A page that cannot be built says why when it is checked.
    return [];
  }
}

function differs(cwd: string, path: string, head: Head): boolean {
  const id = Object.hasOwn(head, path) ? head[path]! : undefined;
  let text: string | undefined;
  try {
    text = readInside(cwd, join(cwd, path), "text");
  } catch {
    // Not there, or not to be read.
  }
  if (id === undefined || text === undefined) return (id === undefined) !== (text === undefined);
  // Git may have written other line ends than it keeps.
  return idOf(text, id.length) !== id && idOf(text.replaceAll("\r\n", "\n"), id.length) !== id;
}

/** The id that git gives a content; its length tells the algorithm of the repository. */
function idOf(text: string, length: number): string {
  const bytes = new TextEncoder().encode(text);
  return createHash(length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

function memo(work: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    let value = known.get(path);
    if (value === undefined) known.set(path, value = work(path));
    return value;
  };
}
