/**
 * Reports unclosed and unopened tags, one finding per mistake: after an unclosed inner tag, Markdoc
 * misses the outer pairs too.
 */

import type { Place } from "../../../../../src/markdoc/edits.ts";
import { quotedName } from "../../../../../src/plain_text.ts";
import { textOf } from "../../../../../src/io/json.ts";
import { type Diagnostic, diagnostic, withFix, withName } from "./diagnostics.ts";
import { withLines } from "../../../../../src/markdoc/lines.ts";

export interface LoneTag {
  readonly name: string;
  readonly place: Place;
}

/** `names` are those of all tags. */
export function pairFindings(
  open: readonly LoneTag[],
  closed: readonly LoneTag[],
  names: ReadonlySet<string>,
): Diagnostic[] {
  const unclosed = new Set(open);
  const findings: Diagnostic[] = [];
  for (const closing of closed) {
    const before = [...unclosed].filter(({ place }) => isBefore(place, closing.place));
    // An unclosed tag in between hid this pair.
    const opening = before.findLast(({ name }) => name === closing.name);
    const last = before.at(-1);
    if (opening !== undefined) unclosed.delete(opening);
    else if (last !== undefined && isOneEditAway(closing.name, last.name)) {
      unclosed.delete(last);
      findings.push(misspeltPair(last, closing, names));
    } else {
      const message = `${quotedName(closing.name)} is closed but not opened`;
      findings.push(diagnostic("rune-unclosed", message, closing.place));
    }
  }
  for (const { name, place } of unclosed) {
    const message = `${quotedName(name)} is not closed: {% /${name} %} is missing`;
    findings.push(diagnostic("rune-unclosed", message, place));
  }
  return findings;
}

/** An opening and a closing tag with nearly the same name. */
function misspeltPair(opening: LoneTag, closing: LoneTag, names: ReadonlySet<string>): Diagnostic {
  const validName = [opening, closing].find(({ name }) => names.has(name))?.name;
  const name = validName ?? certainName(opening.name, names) ?? opening.name;
  const wrong = opening.name === name ? closing : opening;
  const written = wrong === closing ? `/${closing.name}` : opening.name;
  const problem = `{% ${written} %} on line ${wrong.place.line} is misspelt`;
  const message = `${quotedName(opening.name)} is not closed: ${problem}`;
  const finding = diagnostic("rune-unclosed", message, opening.place);
  // Certain: the other tag of the pair has a name that exists.
  return withName(finding, [opening, closing].filter((tag) => tag.name !== name), name);
}

function isBefore(a: Place, b: Place): boolean {
  return a.line < b.line || a.line === b.line && a.column < b.column;
}

/** Shorter names, in letters, become other words by one letter: `case` is not `cast`. */
const LONG = 5;

/**
 * The only name that is one edit away (one letter added, removed, changed or swapped) or differs
 * only in case; `undefined` if there are several. In short names, only letters that are swapped or
 * doubled count, and other digits make another name: `step-1` is not `step-2`.
 */
export function certainName(wanted: string, names: Iterable<string>): string | undefined {
  const close = [...new Set(names)].filter((name) =>
    isOneEditAway(wanted, name) && digitsOf(wanted) === digitsOf(name) &&
    (Math.min(wanted.length, name.length) >= LONG || lettersOf(wanted) === lettersOf(name))
  );
  const same = close.filter((name) => name.toLowerCase() === wanted.toLowerCase());
  const candidates = same.length > 0 ? same : close;
  return candidates.length === 1 ? candidates[0] : undefined;
}

const digitsOf = (name: string) => name.replace(/\D+/g, " ").trim();

/** The distinct letters of a name, sorted and in lower case. */
const lettersOf = (name: string) => [...new Set(name.toLowerCase())].sort().join("");

function isOneEditAway(a: string, b: string): boolean {
  if (a === b || a.length < 3 || b.length < 3) return false;
  if (a.toLowerCase() === b.toLowerCase()) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return restA.slice(1) === restB || restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0];
}

const TAG = /\{%[^%]*(?:%(?!\})[^%]*)*%\}/g;

/** A value that Markdoc rejects: in single or curly quotes, or a bare word. */
const VALUE =
  /(\s[\w-]+)=(?:'([^'"]*)'|[\u201c\u201d]([^\u201c\u201d"]*)[\u201c\u201d]|(?!(?:true|false|null|-?\d+(?:\.\d+)?)(?=[\s/%]))([A-Za-z0-9_#./-]+?)(?=\s|\/?%\}))/g;

/** The longest line to correct, in UTF-16 units: TAG takes quadratic time. */
const LONGEST_LINE = 2000;

/** Corrects the quotes in the tag lines that Markdoc could not parse; the content begins after `offset`. */
export function requote(content: string, lines: ReadonlySet<number>, offset: number) {
  const findings: Diagnostic[] = [];
  const corrected = withLines(content, (line, index) => {
    if (!lines.has(index) || line.length > LONGEST_LINE) return line;
    return line.replace(
      TAG,
      (tag, start: number) =>
        tag.replace(VALUE, (all: string, before: string, ...parts: unknown[]) => {
          const [single, curly, bare] = parts.map(textOf);
          const value = single ?? curly ?? bare ?? "";
          const text = `"${value}"`;
          const name = before.trim();
          const message = bare === undefined
            ? `The value of ${quotedName(name)} needs straight double quotes: ${quotedName(value)}`
            : `The value of "${name}" needs quotes: ${name}=${text}`;
          const column = start + Number(parts[3]) + before.length + 2;
          const place = { line: index + offset + 1, column };
          const written = { ...place, length: all.length - before.length - 1 };
          // Certain: no other reading of the value is valid.
          findings.push(withFix(diagnostic("syntax", message, place), written, text));
          return `${before}=${text}`;
        }),
    );
  });
  return { content: corrected, findings };
}
