/**
 * An entity as pieces that are merged one by one: the title and the sections by heading, each a list
 * of lines and criteria. A criterion is one token, whatever its box and however many lines it has.
 */

import { type Criterion, keyOf } from "../../entity/document.ts";
import type { Editable } from "../edits/splices.ts";

/** The name of the piece that holds the title. */
export const TITLE = "\0title";

/** A title or a section, by name. */
export interface Piece {
  readonly name: string;
  /** Its name as it is compared; no two pieces of a version have the same. */
  readonly key: string;
  /** Lines as they are; a criterion is one, with an empty box and a number that tells equal ones apart. */
  readonly tokens: string[];
}

/** One version of an entity. */
export interface Version {
  readonly document: Editable;
  /** In the order of the text. */
  readonly pieces: readonly Piece[];
  /** The character in the box of each criterion, by its token. */
  readonly marks: ReadonlyMap<string, string>;
}

const BOX = "\0box";

/** Whether a token is a criterion. */
export function isBox(token: string): boolean {
  return token.startsWith(BOX);
}

/** The lines of a criterion. */
export function linesOf(token: string, mark: string): string[] {
  const [text = ""] = token.slice(BOX.length).split("\0");
  return text.replace("[ ]", () => `[${mark}]`).split("\n");
}

/** Splits an entity into its pieces. */
export function versionOf(document: Editable): Version {
  const { text, entity: { title, sections, criteria, body } } = document;
  const marks = new Map<string, string>();
  const counts = new Map<string, number>();
  const tokens = criteria.map((one) => ({ ...one, token: tokenOf(text, one, marks, counts) }));
  const spans = [
    ...title === undefined ? [] : [{ name: TITLE, start: title.line.start }],
    // The title is a piece of its own, also within a section.
    ...sections.map(({ name, start }) => ({ name, start })),
  ].sort((a, b) => a.start - b.start);
  // Together they cover the body: blank lines before the title belong to it.
  const pieces: Piece[] = [];
  /** By their first lines: sections of one heading become one piece. */
  const byHeading = new Map<string, Piece>();
  const keys = new Set<string>();
  let next = 0;
  for (const [index, { name, start }] of spans.entries()) {
    const [from, to] = [index === 0 ? body.start : start, spans[index + 1]?.start ?? body.end];
    const first = next;
    while (next < tokens.length && tokens[next]!.start < to) next++;
    const own = tokensOf(text, from, to, tokens.slice(first, next));
    const isHeading = own[0]?.startsWith("#") && name !== TITLE;
    const heading = isHeading ? keyOf(own[0]!) : undefined;
    const known = heading === undefined ? undefined : byHeading.get(heading);
    if (known !== undefined) joinPiece(known, own.slice(1));
    else {
      const plain = name === TITLE ? TITLE : keyOf(name);
      const key = keys.has(plain) ? `${plain}\0${name}` : plain;
      keys.add(key);
      const piece = { name, key, tokens: own };
      pieces.push(piece);
      if (heading !== undefined) byHeading.set(heading, piece);
    }
  }
  return { document, pieces, marks };
}

/** Adds the text of another section to a piece. */
function joinPiece({ tokens }: Piece, more: readonly string[]): void {
  if (tokens.at(-1) !== "") tokens.push("");
  for (const token of more[0] === "" ? more.slice(1) : more) tokens.push(token);
}

function tokenOf(
  text: string,
  { start, end, box, checked }: Criterion,
  marks: Map<string, string>,
  counts: Map<string, number>,
): string {
  const bare = `${text.slice(start, box.start)} ${text.slice(box.end, end).replace(/\n$/, "")}`;
  const count = (counts.get(bare) ?? 0) + 1;
  counts.set(bare, count);
  const token = count === 1 ? `${BOX}${bare}` : `${BOX}${bare}\0${count}`;
  marks.set(token, checked ? text.slice(box.start, box.end) : " ");
  return token;
}

function tokensOf(
  text: string,
  start: number,
  end: number,
  criteria: readonly (Criterion & { readonly token: string })[],
): string[] {
  const tokens: string[] = [];
  const addLines = (from: number, to: number) => {
    if (from >= to) return;
    for (const line of text.slice(from, to).replace(/\n$/, "").split("\n")) tokens.push(line);
  };
  let at = start;
  for (const criterion of criteria) {
    if (criterion.start < at) continue;
    addLines(at, criterion.start);
    tokens.push(criterion.token);
    at = Math.min(criterion.end, end);
  }
  addLines(at, end);
  return tokens;
}
