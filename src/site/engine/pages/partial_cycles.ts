/**
 * Partials that include themselves, directly or through others: the build has no end then.
 *
 * @module
 */

import { type Diagnostic, diagnostic } from "./diagnostics.ts";
import { PARTIALS } from "./content_files.ts";
import type { ParsedPage } from "./read_page.ts";

/** The findings by the path of the file that leads into a cycle. */
export function partialCycles(all: readonly ParsedPage[]): ReadonlyMap<string, Diagnostic[]> {
  const partials = new Map(
    all.filter(({ file }) => file.kind === "partial").map((page) => [
      page.file.relative.slice(PARTIALS.length + 1),
      page,
    ]),
  );
  const includes = (page: ParsedPage) =>
    page.facts.references.filter(({ kind }) => kind === "partial");
  /** Partials from which no way leads into a cycle. */
  const harmless = new Set<string>();
  /** The way from a partial back to one that it has passed; `undefined` where there is none. */
  const cycleFrom = (name: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    const page = partials.get(name);
    if (page === undefined || harmless.has(name)) return undefined;
    for (const { target } of includes(page)) {
      const found = cycleFrom(target, [...way, name]);
      if (found !== undefined) return found;
    }
    harmless.add(name);
    return undefined;
  };
  const findings = new Map<string, Diagnostic[]>();
  for (const page of all) {
    for (const { target, place } of includes(page)) {
      const cycle = cycleFrom(target, []);
      if (cycle === undefined) continue;
      const message = `The partials include each other without an end: ${cycle.join(" → ")}`;
      findings.set(page.file.path, [
        ...findings.get(page.file.path) ?? [],
        diagnostic("partial-cycle", message, place),
      ]);
    }
  }
  return findings;
}
