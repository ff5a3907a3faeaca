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
  const tokens = new Map(criteria.map((one) => [one, tokenOf(text, one, marks)]));
  const spans = [
    ...title === undefined ? [] : [{ name: TITLE, start: title.line.start }],
    // The title is a piece of its own, also within a section.
    ...sections.map(({ name, start }) => ({ name, start })),
  ].sort((a, b) => a.start - b.start);
  // Together they cover the body: blank lines before the title belong to it.
  const pieces = spans.map(({ name, start }, index) => {
    const [from, to] = [index === 0 ? body.start : start, spans[index + 1]?.start ?? body.end];
    return { name, tokens: tokensOf(text, from, to, tokens) };
  });
  return { document, pieces, marks };
}

function tokenOf(
  text: string,
  { start, end, box, checked }: Criterion,
  marks: Map<string, string>,
): string {
  const bare = `${text.slice(start, box.start)} ${text.slice(box.end, end).replace(/\n$/, "")}`;
  let token = `${BOX}${bare}`;
  for (let count = 2; marks.has(token); count++) token = `${BOX}${bare}\0${count}`;
  marks.set(token, checked ? text.slice(box.start, box.end) : " ");
  return token;
}

function tokensOf(
  text: string,
  start: number,
  end: number,
  criteria: ReadonlyMap<Criterion, string>,
): string[] {
  const tokens: string[] = [];
  const addLines = (from: number, to: number) => {
    if (from < to) tokens.push(...text.slice(from, to).replace(/\n$/, "").split("\n"));
  };
  let at = start;
  for (const [criterion, token] of criteria) {
    if (criterion.start < at || criterion.start >= end) continue;
    addLines(at, criterion.start);
    tokens.push(token);
    at = Math.min(criterion.end, end);
  }
  addLines(at, end);
  return tokens;
}
