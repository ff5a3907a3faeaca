/** Finds where a page writes its links and images: Markdoc keeps their lines and addresses only. */

import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import type { Place } from "../../../../../src/markdoc/edits.ts";
import { orElse } from "../../../../../src/errors.ts";
import { linesWithoutCode } from "../../../../../src/markdoc/code.ts";
import type { Scope } from "./scope.ts";
import { type WrittenTarget, writtenTargets } from "./written_targets.ts";

/** An address in the text of a page. */
export interface WrittenAddress {
  /** Where a reader looks: the address of a link; the start of an image or of a reference `[a][b]`. */
  readonly place: Place;
  /** The address as the file has it, and where: that of a reference is in its definition. */
  readonly written?: { readonly text: string; readonly place: Place } | undefined;
}

interface Candidate extends WrittenAddress {
  readonly written: NonNullable<WrittenAddress["written"]>;
  readonly kind: "link" | "image";
}

/** `[text][label]`, `[label][]` and `[label]`, with `!` before an image; brackets may be in the text. */
const REFERENCE =
  /(!?)\[((?:[^[\]\\\n]|\\[^]|\n(?!\s*\n)|\[(?:[^[\]\\\n]|\\.){0,500}\]){1,500})\](?:\[((?:[^[\]\\\n]|\\.|\n(?!\s*\n)){0,500})\])?(?![(:])/g;

/** An image with a reference, which may be in the text of a link. */
const IMAGE = /(!)\[((?:[^[\]\\\n]|\\.){1,500})\](?:\[((?:[^[\]\\\n]|\\.){0,500})\])?(?!\()/g;

export function linkPlaces({ ast, locator: { source, offset } }: Pick<Scope, "ast" | "locator">) {
  const lines = linesWithoutCode(source, ast, offset);
  const byAddress = Map.groupBy(
    candidates(lines, offset),
    ({ kind, written }) => `${kind} ${plainAddress(written.text)}`,
  );
  /** Returns where a link or an image with this address is written; called in the page's order. */
  return (kind: "link" | "image", node: MarkdocNode, address: string): WrittenAddress => {
    const [first = 0, last = first + 1] = [node.lines[0], node.lines.at(-1)];
    const [line, end] = [first + offset + 1, Math.max(last, first + 1) + offset + 1];
    const queue = byAddress.get(`${kind} ${plainAddress(address)}`) ?? [];
    while (queue[0] !== undefined && queue[0].place.line < line) queue.shift();
    const isHere = queue[0] !== undefined && queue[0].place.line < end;
    return isHere ? queue.shift()! : { place: { line, column: 1 } };
  };
}

/** @param offset The lines of the front matter. */
function candidates(lines: readonly string[], offset: number): Candidate[] {
  const definitions = new Map<string, WrittenTarget>();
  const links: Candidate[] = [];
  for (const target of writtenTargets(lines.join("\n"), offset)) {
    const { kind, label, line, column } = target;
    if (label !== undefined) definitions.getOrInsert(labelOf(label), target);
    else if (kind === "link" || kind === "image") {
      const written = { text: target.target, place: { line, column } };
      const start = kind === "link" ? column : lines[line - 1]!.lastIndexOf("![", column - 1) + 1;
      links.push({ kind, place: { line, column: start }, written });
    }
  }
  if (definitions.size === 0) return links;
  const text = lines.slice(offset).join("\n");
  const addFrom = (pattern: RegExp, kind: "link" | "image") => {
    let [line, start] = [offset + 1, 0];
    for (const match of text.matchAll(pattern)) {
      for (let end = 0; (end = text.indexOf("\n", start)) !== -1 && end < match.index; line++) {
        start = end + 1;
      }
      const [, mark, linkText, label] = match;
      const definition = definitions.get(labelOf(label || linkText!));
      if (definition === undefined || (mark === "!") !== (kind === "image")) continue;
      const { target, ...at } = definition;
      links.push({
        kind,
        place: { line, column: match.index - start + 1 },
        written: { text: target, place: { line: at.line, column: at.column } },
      });
    }
  };
  addFrom(REFERENCE, "link");
  addFrom(IMAGE, "image");
  return links.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
}

/** Labels are compared without case, and with one space for each run of them. */
const labelOf = (label: string) => label.trim().replace(/\s+/g, " ").toLowerCase();

/** An address without escapes, entities of `&` and encoding, to compare what is written with what is read. */
function plainAddress(address: string): string {
  return address
    .replace(/\\([!-/:-@[-`{-~])/g, (_, escaped: string) => escaped)
    .replaceAll("&amp;", "&")
    .replace(/(?:%[\da-f]{2})+/gi, (run) => orElse(() => decodeURIComponent(run), run));
}
