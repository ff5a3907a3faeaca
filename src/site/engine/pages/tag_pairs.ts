/**
 * Tags that are not closed, and closings without an opening: each mistake is one finding.
 * Where a tag within others is not closed, Markdoc misses the pairs of the outer ones, too.
 *
 * @module
 */

import { type Diagnostic, diagnostic, type Place } from "./diagnostics.ts";
import { certainName } from "./spelling.ts";

/** A tag without its counterpart. */
export interface LoneTag {
  /** The name. */
  readonly name: string;
  /** Where its name stands. */
  readonly place: Place;
}

/**
 * The findings about lone tags.
 *
 * @param open Opened and not closed, in the order of the page.
 * @param closed Closed and not opened, in the order of the page.
 */
export function pairFindings(open: readonly LoneTag[], closed: readonly LoneTag[]): Diagnostic[] {
  const unclosed = [...open];
  const findings: Diagnostic[] = [];
  for (const closing of closed) {
    const before = unclosed.filter(({ place }) => isBefore(place, closing.place));
    // What stands between a tag and its closing was not closed, and hid the pair.
    const own = before.findLast(({ name }) => name === closing.name);
    if (own !== undefined) {
      unclosed.splice(unclosed.indexOf(own), 1);
      continue;
    }
    const last = before.at(-1);
    if (last !== undefined && certainName(closing.name, [last.name]) !== undefined) {
      unclosed.splice(unclosed.indexOf(last), 1);
      const { line, column } = closing.place;
      findings.push({
        ...diagnostic(
          "rune-unclosed",
          `"${last.name}" is not closed: {% /${closing.name} %} in line ${line} is misspelt`,
          last.place,
        ),
        fix: { line, column, length: closing.name.length, text: last.name },
      });
      continue;
    }
    findings.push(diagnostic(
      "rune-unclosed",
      `"${closing.name}" is closed, but was not opened`,
      closing.place,
    ));
  }
  for (const { name, place } of unclosed) {
    findings.push(
      diagnostic("rune-unclosed", `"${name}" is not closed: {% /${name} %} is missing`, place),
    );
  }
  return findings;
}

function isBefore(a: Place, b: Place): boolean {
  return a.line < b.line || a.line === b.line && a.column < b.column;
}
