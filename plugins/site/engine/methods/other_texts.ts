/** A site whose files have other texts than on the disk: those of a commit, or corrected ones. */

import { resolve } from "node:path";
import { shownPath } from "../../../../src/io/paths.ts";
import { parseContent } from "../runes/example_page.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import { fileAt, partialName } from "../pages/read/content_files.ts";
import type { SitePages } from "../pages/transform/site_pages.ts";
import type { SiteContext } from "../upstream/site.ts";
import { inBuildOrder } from "./render_page.ts";
import { editsOf, type Finding, folded } from "../pages/read/diagnostics.ts";
import { mayWriteTo } from "../../../../src/io/permissions.ts";
import { applyEdits } from "../../../../src/markdoc/edits.ts";

export interface OpenedSite {
  readonly site: SiteContext;
  readonly pages: SitePages;
  readonly parsed: readonly ParsedPage[];
}

/**
 * Replaces the texts of files of the content folder.
 *
 * @param texts By path, relative to the project; `undefined` for a file that is not there.
 */
export function withTexts(
  { site, pages, parsed }: OpenedSite,
  texts: ReadonlyMap<string, string | undefined>,
): OpenedSite {
  const { dir } = pages.content;
  const { cwd } = site.project;
  const partials = { ...pages.partials };
  const changed = new Set<string>();
  const drafts: ParsedPage[] = [];
  for (const [path, text] of texts) {
    const file = fileAt(cwd, dir, shownPath(dir, resolve(cwd, path)));
    if (text !== undefined) drafts.push(pages.draft(file, text));
    if (file.kind !== "partial") continue;
    const name = partialName(file);
    changed.add(name);
    if (text === undefined) delete partials[name];
    else partials[name] = parseContent(site, text);
  }
  const others = parsed.filter(({ file }) => !texts.has(file.displayPath)).map((page) => {
    const isChanged = page.facts.references.some(({ kind, target }) =>
      kind === "partial" && changed.has(target)
    );
    // The page is parsed anew, because its partials may have other texts.
    return isChanged ? pages.draft(page.file, page.source) : page;
  });
  return { site, pages: { ...pages, partials }, parsed: [...others, ...drafts].sort(inBuildOrder) };
}

export interface CorrectedPage {
  /** Relative to the project. */
  readonly path: string;
  /** The text before the corrections. */
  readonly source: string;
  readonly text: string;
  readonly count: number;
}

/**
 * Applies the corrections of findings to the pages that they are about.
 *
 * @param corrected By path; gets the pages.
 * @param folder The project, if only pages are corrected that may be written.
 * @returns Whether there were any.
 */
export function correct(
  findings: readonly Finding[],
  sourceOf: (path: string) => string | undefined,
  corrected: Map<string, CorrectedPage>,
  folder: string | undefined,
): boolean {
  const certain = folded(findings).filter((each) => editsOf(each).length > 0);
  const edited = [...Map.groupBy(certain, ({ path }) => path)].filter(([path, onPage]) => {
    const source = sourceOf(path);
    if (source === undefined || folder !== undefined && !mayWriteTo(resolve(folder, path))) {
      return false;
    }
    const { text, count } = corrected.get(path) ?? { text: source, count: 0 };
    const next = applyEdits(text, onPage.map(editsOf));
    if (next === undefined) return false;
    corrected.set(path, { path, source, text: next.text, count: count + next.count });
    return true;
  });
  return edited.length > 0;
}
