/**
 * An entity as pieces that are merged one by one: the title and the sections by heading, each a list
 * of lines and criteria. A criterion is one token, whatever its box and however many lines it has.
 */

import { type Criterion, DESCRIPTION, keyOf } from "../../entity/document.ts";
import type { Editable } from "../edits/splices.ts";

/** The name of the piece that holds the title. */
export const TITLE = "\0title";

export function pieceName(piece: string): string {
  return piece === TITLE ? "title" : piece || DESCRIPTION;
}

/** A title or a section, by name. */
export interface Piece {
  readonly name: string;
  /** Lines as they are; a criterion is one, with an empty box and a number that tells equal ones apart. */
  readonly tokens: string[];
}

/** One version of an entity. */
export interface MergedVersion {
  readonly document: Editable;
  /** By their names as they are compared, in the order of the text. */
  readonly pieces: ReadonlyMap<string, Piece>;
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
export function mergedVersionOf(document: Editable): MergedVersion {
  const { text, entity: { title, sections, criteria, body } } = document;
  const marks = new Map<string, string>();
  const counts = new Map<string, number>();
  const boxes = criteria.map(({ start, end, box, checked }) => {
    const bare = `${text.slice(start, box.start)} ${text.slice(box.end, end).replace(/\n$/, "")}`;
    const count = (counts.get(bare) ?? 0) + 1;
    counts.set(bare, count);
    const token = `${BOX}${bare}${count === 1 ? "" : `\0${count}`}`;
    marks.set(token, checked ? text.slice(box.start, box.end) : " ");
    return { start, end, token };
  });
  const parts = [
    ...title === undefined ? [] : [{ name: TITLE, start: title.line.start }],
    // The title is a piece of its own, also within a section.
    ...sections.map(({ name, start }) => ({ name, start })),
  ].sort((a, b) => a.start - b.start);
  const pieces = new Map<string, Piece>();
  /** By their first lines: sections of one heading become one piece. */
  const byHeading = new Map<string, Piece>();
  for (const [index, { name, start }] of parts.entries()) {
    // Together they cover the body: blank lines before the title belong to it.
    const from = index === 0 ? body.start : start;
    const tokens = tokensOf(text, from, parts[index + 1]?.start ?? body.end, boxes);
    const heading = tokens[0]?.startsWith("#") && name !== TITLE ? keyOf(tokens[0]) : undefined;
    const piece = heading === undefined ? undefined : byHeading.get(heading);
    if (piece !== undefined) {
      const added = tokens.slice(tokens[1] === "" ? 2 : 1);
      if (piece.tokens.at(-1) !== "") piece.tokens.push("");
      for (const token of added) piece.tokens.push(token);
      continue;
    }
    const key = name === TITLE ? TITLE : keyOf(name);
    pieces.set(pieces.has(key) ? `${key}\0${name}` : key, { name, tokens });
    if (heading !== undefined) byHeading.set(heading, { name, tokens });
  }
  return { document, pieces, marks };
}

/** The tokens of a part of the text. @param boxes In order; those before its end are taken out. */
function tokensOf(
  text: string,
  start: number,
  end: number,
  boxes: (Pick<Criterion, "start" | "end"> & { readonly token: string })[],
): string[] {
  const tokens: string[] = [];
  const addLines = (from: number, to: number) => {
    if (from >= to) return;
    for (const line of text.slice(from, to).replace(/\n$/, "").split("\n")) tokens.push(line);
  };
  let at = start;
  while (boxes.length > 0 && boxes[0]!.start < end) {
    const box = boxes.shift()!;
    if (box.start < at) continue;
    addLines(at, box.start);
    tokens.push(box.token);
    at = Math.min(box.end, end);
  }
  addLines(at, end);
  return tokens;
}
