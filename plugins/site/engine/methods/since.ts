/** What differs from a commit: files of a site, and their findings. */

import { join } from "node:path";
import { orElse } from "../../../../src/errors.ts";
import { blobHash } from "../../../../src/io/git_objects.ts";
import { shownPath } from "../../../../src/io/paths.ts";
import { readInside } from "../../../../src/io/read.ts";
import type { Content } from "../pages/read/content_files.ts";
import type { SiteContext } from "../upstream/site.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import type { Finding } from "../pages/read/diagnostics.ts";

/** The files of a commit below the project. */
export interface CommitFiles {
  /** Git's object ids by path. */
  readonly ids: Readonly<Record<string, string>>;
  /** The texts of those of the files that the commit has. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Finds the config, local runes and pages that differ, relative to the project. */
export function changedFiles(
  site: SiteContext,
  { dir, files }: Content,
  { ids }: CommitFiles,
): string[] {
  const { cwd, config } = site.project;
  const settings = [...site.localFiles, ...config === null ? [] : [config.path]];
  const present = new Set(files.map(({ displayPath }) => displayPath));
  const content = shownPath(cwd, dir);
  const removed = Object.keys(ids).filter((path) =>
    path.startsWith(`${content}/`) && path.endsWith(".md") && !present.has(path)
  );
  const all = [...settings.map((path) => shownPath(cwd, path)), ...present];
  return [...all.filter((path) => differs(cwd, path, ids)), ...removed];
}

function differs(cwd: string, path: string, ids: CommitFiles["ids"]): boolean {
  const id = Object.hasOwn(ids, path) ? ids[path]! : undefined;
  // The file may be missing, or not be read.
  const text = orElse(() => readInside(cwd, join(cwd, path), "text"), undefined);
  if (id === undefined || text === undefined) return (id === undefined) !== (text === undefined);
  // Git may check files out with other line ends than it stores.
  return [text, text.replaceAll("\r\n", "\n")].every((variant) =>
    blobHash(variant, id.length) !== id
  );
}

interface Checked {
  readonly findings: readonly Finding[];
  readonly parsed: readonly ParsedPage[];
}

/** Returns the findings that are new, and the codes of those that are gone; lines move. */
export function newFindings(
  now: Checked,
  before: Checked,
): { readonly added: Finding[]; readonly gone: string[] | undefined } {
  const keyOf = ({ path, code, message }: Finding) => `${path}\0${code}\0${message}`;
  const names = newNames(before.parsed, now.parsed);
  const renamed = before.findings.map((each) => ({
    ...each,
    path: names.get(each.path) ?? each.path,
  }));
  const left = Map.groupBy(renamed, keyOf);
  const added = now.findings.filter((each) => left.get(keyOf(each))?.pop() === undefined);
  return { added, gone: [...left.values()].flat().map(({ code }) => code) };
}

/** From this share of its lines on, a page is the same under another name. */
const SAME = 0.75;

/** The new names of pages that have others now. */
function newNames(before: readonly ParsedPage[], now: readonly ParsedPage[]) {
  const without = (pages: readonly ParsedPage[], others: readonly ParsedPage[]) => {
    const paths = new Set(others.map(({ file }) => file.path));
    return pages.filter(({ file }) => !paths.has(file.path)).map(({ file, source }) => {
      return { name: file.displayPath, lines: new Set(source.split(/\r?\n/).filter(Boolean)) };
    });
  };
  const removed = without(before, now);
  const names = new Map<string, string>();
  for (const { name, lines } of without(now, before)) {
    const same = removed.find((each) => {
      const most = Math.max(lines.size, each.lines.size, 1);
      return !names.has(each.name) && lines.intersection(each.lines).size >= SAME * most;
    });
    if (same !== undefined) names.set(same.name, name);
  }
  return names;
}
