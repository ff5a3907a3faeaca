/**
 * An entity as pieces that are merged one by one: the title and the sections by heading, each a list
 * of lines and criteria. A criterion is one token, whatever its box and however many lines it has.
 */

import type { Criterion } from "../../entity/document.ts";
import type { Editable } from "../edits/splices.ts";

/** The name of the piece that holds the title. */
export const TITLE = "\0title";

/** A title or a section, by name. */
export interface Piece {
  readonly name: string;
  /** Lines as they are; criteria as {@linkcode Box.token}. */
  readonly tokens: string[];
}

/** A criterion of one version. */
export interface Box {
  /** Its text with an empty box and a number that tells equal ones apart. */
  readonly token: string;
  /** Its own lines, without the last line end. */
  readonly lines: string;
  /** The offset of the character between the brackets. */
  readonly at: number;
  /** That character. */
  readonly mark: string;
}

/** One version of an entity. */
export interface Version {
  readonly document: Editable;
  /** In the order of the text. */
  readonly pieces: readonly Piece[];
  readonly boxes: ReadonlyMap<string, Box>;
}

/** Whether a token is a criterion. */
export function isBox(token: string): boolean {
  return token.startsWith("\0box");
}

/** Splits an entity into its pieces. */
export function versionOf(document: Editable): Version {
  const { text, entity: { title, sections, criteria, body } } = document;
  const boxes = new Map<string, Box>();
  const at = new Map(criteria.map((criterion) => [criterion.start, boxOf(text, criterion, boxes)]));
  const spans = [
    ...title === undefined ? [] : [{ name: TITLE, start: title.line.start }],
    // The title is a piece of its own, also within a section.
    ...sections.map(({ name, start }) => ({ name, start })),
  ].sort((a, b) => a.start - b.start);
  // Together they cover the body: blank lines before the title belong to it.
  const pieces = spans.map(({ name, start }, index) => {
    const [from, to] = [index === 0 ? body.start : start, spans[index + 1]?.start ?? body.end];
    return { name, tokens: tokensOf(text, from, to, criteria, at) };
  });
  return { document, pieces, boxes };
}

function boxOf(
  text: string,
  { start, end, box, checked }: Criterion,
  boxes: Map<string, Box>,
): Box {
  const lines = text.slice(start, end).replace(/\n$/, "");
  const mark = text.slice(box.start, box.end);
  const bare = lines.slice(0, box.start - start) + " " + lines.slice(box.end - start);
  let token = `\0box${bare.trim()}`;
  for (let count = 2; boxes.has(token); count++) token = `\0box${bare.trim()}\0${count}`;
  const made = { token, lines, at: box.start - start, mark: checked ? mark : " " };
  boxes.set(token, made);
  return made;
}

function tokensOf(
  text: string,
  start: number,
  end: number,
  criteria: readonly Criterion[],
  boxes: ReadonlyMap<number, Box>,
): string[] {
  const tokens: string[] = [];
  const addLines = (from: number, to: number) => {
    if (from < to) tokens.push(...text.slice(from, to).replace(/\n$/, "").split("\n"));
  };
  let at = start;
  for (const criterion of criteria) {
    if (criterion.start < at || criterion.start >= end) continue;
    addLines(at, criterion.start);
    tokens.push(boxes.get(criterion.start)!.token);
    at = Math.min(criterion.end, end);
  }
  addLines(at, end);
  return tokens;
}
