/** What a check would have found at a commit, in the pages that differ from it and their dependents. */

import { join } from "node:path";
import { shownPath } from "../../../../src/io/paths.ts";
import { eachInTurn, type Turn } from "../../../../src/io/turns.ts";
import { type ContentFile, PARTIALS } from "../pages/read/content_files.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import { parseContent } from "../runes/example_page.ts";
import type { SitePages } from "../pages/transform/site_pages.ts";
import type { ThemeConfig } from "../upstream/shapes.ts";
import type { SiteContext } from "../upstream/site.ts";
import { openBuiltSite, type PageResult } from "./built_site.ts";
import type { CommitFiles } from "./changed_files.ts";
import { byFile } from "./render_page.ts";

/** A finding, as far as it is compared: lines move. */
interface Compared {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

interface OpenedSite {
  readonly site: SiteContext;
  readonly pages: SitePages;
  readonly parsed: readonly ParsedPage[];
  readonly theme: ThemeConfig;
  readonly turn: Turn;
}

/**
 * Checks the texts of a commit, with its partials.
 *
 * @param changed The files that differ, relative to the project.
 * @param wanted The files to compare, absolute.
 */
export async function findingsBefore(
  { site, pages, parsed, theme, turn }: OpenedSite,
  commit: CommitFiles,
  changed: readonly string[],
  wanted: ReadonlySet<string>,
): Promise<Compared[]> {
  const { cwd } = site.project;
  const content = `${shownPath(cwd, pages.content.dir)}/`;
  const own = changed.filter((path) => path.startsWith(content) && path.endsWith(".md"));
  const texts = new Map(await commit.read(own));
  const partials = { ...pages.partials };
  const changedPartials = own.flatMap((path) => {
    const name = partialName(path.slice(content.length));
    if (name === undefined) return [];
    const text = texts.get(path);
    if (text === undefined) delete partials[name];
    else partials[name] = parseContent(site, text);
    return name;
  });
  const others: ParsedPage[] = [];
  for (const page of parsed) {
    const { file: { shown }, facts } = page;
    const shows = facts.references.some(({ kind, target }) =>
      kind === "partial" && changedPartials.includes(target)
    );
    // What was made of it has today's partial.
    const text = shows && !own.includes(shown) ? pages.projectFiles.read(shown) : null;
    if (text !== null) texts.set(shown, text);
    else if (!own.includes(shown)) others.push(page);
  }
  const drafts = [...texts].map(([path, text]) => {
    const file = parsed.find((page) => page.file.shown === path)?.file ??
      removedFile(cwd, path, path.slice(content.length));
    return pages.draft(file, text);
  });
  const before = [...others, ...drafts].sort(byFile);
  const built = await openBuiltSite(site, { ...pages, partials }, before, theme, turn);
  const compared = before.filter((page) => drafts.includes(page) || wanted.has(page.file.path));
  const names = renamed(
    drafts.filter(({ file: { path } }) => parsed.every((page) => page.file.path !== path)),
    parsed.filter(({ file: { shown } }) => own.includes(shown) && !texts.has(shown)),
  );
  const found: Compared[] = [];
  for (const outcome of await eachInTurn(compared, turn, built.result)) {
    if (!("value" in outcome)) continue;
    const findings = comparedOf(outcome.value);
    found.push(...findings.map((each) => ({ ...each, path: names.get(each.path) ?? each.path })));
  }
  return found;
}

/** From this share of its lines on, a page is the same under another name. */
const SAME = 0.75;

/** Finds the new names of files that have others now. */
function renamed(
  removed: readonly ParsedPage[],
  added: readonly ParsedPage[],
): ReadonlyMap<string, string> {
  const linesOf = ({ source }: ParsedPage) => new Set(source.split(/\r?\n/).filter(Boolean));
  const names = new Map<string, string>();
  for (const page of added) {
    const lines = linesOf(page);
    const shares = removed.filter(({ file }) => !names.has(file.shown)).map((other) => {
      const others = linesOf(other);
      const most = Math.max(lines.size, others.size, 1);
      return { name: other.file.shown, share: lines.intersection(others).size / most };
    });
    const [nearest] = shares.sort((a, b) => b.share - a.share);
    if (nearest !== undefined && nearest.share >= SAME) names.set(nearest.name, page.file.shown);
  }
  return names;
}

const partialName = (relative: string) =>
  relative.startsWith(`${PARTIALS}/`) ? relative.slice(PARTIALS.length + 1) : undefined;

function comparedOf({ page: { file: { shown } }, diagnostics }: PageResult): Compared[] {
  return diagnostics.map(({ code, message }) => ({ path: shown, code, message }));
}

/** A file that is not there any more. */
function removedFile(cwd: string, shown: string, relative: string): ContentFile {
  const kind = partialName(relative) !== undefined
    ? "partial"
    : /(?:^|\/)_layout\.md$/.test(relative)
    ? "layout"
    : "page";
  return { path: join(cwd, shown), shown, relative, kind };
}

/** What is new, and the codes of the findings before that are gone. */
export function newFindings<Finding extends Compared>(
  now: readonly Finding[],
  before: readonly Compared[],
): { added: Finding[]; gone: string[] } {
  const keyOf = ({ path, code, message }: Compared) => `${path}\0${code}\0${message}`;
  const left = Map.groupBy(before, keyOf);
  const added = now.filter((one) => left.get(keyOf(one))?.pop() === undefined);
  return { added, gone: [...left.values()].flat().map(({ code }) => code) };
}
