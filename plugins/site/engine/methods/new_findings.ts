/** What is new since a commit. */

import type { ParsedPage } from "../pages/check/parse_page.ts";
import type { Finding } from "../pages/read/diagnostics.ts";

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
      return { name: file.shown, lines: new Set(source.split(/\r?\n/).filter(Boolean)) };
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
