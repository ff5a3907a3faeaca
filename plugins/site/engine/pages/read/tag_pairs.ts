/**
 * Reports unclosed and unopened tags, one finding per mistake: after an unclosed inner tag, Markdoc
 * misses the outer pairs too.
 */

import type { Place } from "../../../../../src/markdoc/edits.ts";
import { quotedName } from "../../../../../src/plain_text.ts";
import { textOf } from "../../../../../src/io/json.ts";
import { type Diagnostic, diagnostic, withName } from "./diagnostics.ts";
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
  const unclosed = [...open];
  const findings: Diagnostic[] = [];
  for (const closing of closed) {
    const before = unclosed.filter(({ place }) => isBefore(place, closing.place));
    // An unclosed tag in between hid this pair.
    const opening = before.findLast(({ name }) => name === closing.name);
    if (opening !== undefined) {
      unclosed.splice(unclosed.indexOf(opening), 1);
      continue;
    }
    const last = before.at(-1);
    if (last !== undefined && isOneEditAway(closing.name, last.name)) {
      unclosed.splice(unclosed.indexOf(last), 1);
      findings.push(misspeltPair(last, closing, names));
      continue;
    }
    findings.push(diagnostic(
      "rune-unclosed",
      `${quotedName(closing.name)} is closed but not opened`,
      closing.place,
    ));
  }
  for (const { name, place } of unclosed) {
    findings.push(
      diagnostic(
        "rune-unclosed",
        `${quotedName(name)} is not closed: {% /${name} %} is missing`,
        place,
      ),
    );
  }
  return findings;
}

/** An opening and a closing tag with nearly the same name. */
function misspeltPair(
  opening: LoneTag,
  closing: LoneTag,
  names: ReadonlySet<string>,
): Diagnostic {
  const validName = [opening, closing].find(({ name }) => names.has(name))?.name;
  const name = validName ?? certainName(opening.name, names) ?? opening.name;
  const wrong = opening.name === name ? closing : opening;
  const written = wrong === closing ? `/${closing.name}` : opening.name;
  const finding = diagnostic(
    "rune-unclosed",
    `${
      quotedName(opening.name)
    } is not closed: {% ${written} %} on line ${wrong.place.line} is misspelt`,
    opening.place,
  );
  // Certain: the other tag of the pair has a name that exists.
  return withName(finding, [opening, closing].filter((tag) => tag.name !== name), name);
}

function isBefore(a: Place, b: Place): boolean {
  return a.line < b.line || a.line === b.line && a.column < b.column;
}

/** Below, another letter makes another word: `case` is not `cast`. In letters. */
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

/** The different letters of a name, in one order and case. */
function lettersOf(name: string): string {
  return [...new Set(name.toLowerCase())].sort().join("");
}

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

/** An invalid value: in single or curly quotes, or a bare word. */
const VALUE =
  /(\s[\w-]+)=(?:'([^'"]*)'|[\u201c\u201d]([^\u201c\u201d"]*)[\u201c\u201d]|(?!(?:true|false|null|-?\d+(?:\.\d+)?)(?=[\s/%]))([A-Za-z0-9_#./-]+?)(?=\s|\/?%\}))/g;

/** In UTF-16 units: TAG takes quadratic time. */
const LONGEST_LINE = 2000;

/** Corrects the quotes in the tag lines that Markdoc could not parse. */
export function requote(content: string, lines: ReadonlySet<number>) {
  const findings: Diagnostic[] = [];
  const corrected = withLines(content, (line, index) => {
    if (!lines.has(index) || line.length > LONGEST_LINE) return line;
    return line.replace(
      TAG,
      (tag, at: number) =>
        tag.replace(VALUE, (all: string, name: string, ...parts: unknown[]) => {
          const [single, curly, bare] = parts.map(textOf);
          const value = single ?? curly ?? bare ?? "";
          const offset = Number(parts[3]);
          const message = bare === undefined
            ? `The value of ${quotedName(name.trim())} needs straight double quotes: ${
              quotedName(value)
            }`
            : `The value of "${name.trim()}" needs quotes: ${name.trim()}="${value}"`;
          const column = at + offset + name.length + 2;
          findings.push({
            ...diagnostic("syntax", message, { line: index + 1, column }),
            // Certain: no other reading of the value is valid.
            fix: {
              line: index + 1,
              column,
              length: all.length - name.length - 1,
              text: `"${value}"`,
            },
          });
          return `${name}="${value}"`;
        }),
    );
  });
  return { content: corrected, findings };
}
