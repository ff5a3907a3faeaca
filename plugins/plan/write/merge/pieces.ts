/**
 * An entity as pieces that are merged one by one: the title and the sections by heading, each a list
 * of lines and criteria. A criterion is one token, however many lines it has, with its merged mark.
 */

import { diffIndices } from "node-diff3";
import { quotedName, shortLine, textFrom } from "../../../../src/plain_text.ts";
import { keyOf, type Span } from "../../entity/document.ts";
import type { Editable } from "../edits.ts";
import { mapSides, type Sides } from "./three_way.ts";

/** The name of the piece that holds the title. */
const TITLE = "\0title";
/** What the token of a criterion begins with, and of one that a side has ticked and one removed. */
const [BOX, CONTESTED] = ["\0", "\0\0"];
/** The longest text of a reworded criterion, and how much stands before its first difference. */
const [MOST_TEXT, CONTEXT] = [120, 30];

/** A title or a section. */
export interface Piece {
  readonly name: string;
  readonly kind: "rest" | "sections";
  readonly tokens: string[];
}

interface Box extends Span {
  readonly mark: string;
  /** The name of its section, as it is compared. */
  readonly section: string;
}

/** Criteria by their text with an empty box, and a number that tells equal ones apart. */
type Boxes = ReadonlyMap<string, Box>;

/** Whether a token is a criterion. */
export function isBox(token: string): boolean {
  return token.startsWith(BOX);
}

export function isContested(token: string): boolean {
  return token.startsWith(CONTESTED);
}

export function tokenText(tokens: readonly string[]): string {
  return tokens.map((token) => token.replace(/^\0+/, "")).join("\n");
}

/** The pieces of each side by their names as they are compared, in the order of the text. */
export function piecesIn(documents: Sides<Editable>) {
  const boxes = mapSides(documents, boxesIn);
  const { marks, reopened } = mergeMarks(boxes);
  const pieces = mapSides(documents, (document, side) => piecesOf(document, boxes[side], marks));
  return { pieces, reopened };
}

function boxesIn({ text, entity: { criteria, sections } }: Editable): Boxes {
  const boxes = new Map<string, Box>();
  const counts = new Map<string, number>();
  for (const { start, end, box, section: at } of criteria) {
    const bare = `${text.slice(start, box.start)} ${text.slice(box.end, end).replace(/\n$/, "")}`;
    const count = (counts.get(bare) ?? 0) + 1;
    counts.set(bare, count);
    const key = count === 1 ? bare : `${bare}\0${count}`;
    const section = keyOf(sections[at]?.name ?? "");
    boxes.set(key, { start, end, mark: text.slice(box.start, box.end), section });
  }
  return boxes;
}

/** Decides which criteria are ticked; contested ones have no mark. */
function mergeMarks({ base, ours, theirs }: Sides<Boxes>) {
  const marks = new Map<string, string>();
  const reopened = new Set<string>();
  const reworded = { ours: rewordedIn(base, ours), theirs: rewordedIn(base, theirs) };
  for (const key of [base, ours, theirs].flatMap((boxes) => [...boxes.keys()])) {
    const [was, a, b] = [base, ours, theirs].map((boxes) => boxes.get(key)?.mark);
    const mark = a ?? b ?? was!;
    if (a !== undefined && b !== undefined) marks.set(key, a === (was ?? " ") ? b : a);
    else if (was === undefined || mark === was) marks.set(key, mark);
    else {
      const [side, boxes] = a === undefined ? ["ours", ours] as const : ["theirs", theirs] as const;
      const other = reworded[side].get(key);
      if (other !== undefined) marks.set(key, mark);
      if (other !== undefined && mark !== " " && boxes.get(other)!.mark === " ") {
        reopened.add(rewording(key, other));
      }
    }
  }
  return { marks, reopened: [...reopened] };
}

/** Criteria that one side has reworded: the new key by the old one. */
function rewordedIn(base: Boxes, side: Boxes): Map<string, string> {
  const reworded = new Map<string, string>();
  const after = Map.groupBy(side.keys(), (key) => side.get(key)!.section);
  for (const [section, before] of Map.groupBy(base.keys(), (key) => base.get(key)!.section)) {
    for (const hunk of diffIndices(before, after.get(section) ?? [])) {
      // Between criteria that both have, as many new ones stand for the old ones.
      const old = hunk.buffer1Content.filter((key) => !side.has(key));
      const now = hunk.buffer2Content.filter((key) => !base.has(key));
      if (old.length === now.length) old.forEach((key, at) => reworded.set(key, now[at]!));
    }
  }
  return reworded;
}

/** The texts of a criterion before and after, from where they differ. */
function rewording(...keys: readonly [before: string, after: string]): string {
  const [was = "", is = ""] = keys.map((key) =>
    key.split("\0")[0]!.replace(/^\s*[-*+]\s+\[ \]\s*/, "").replace(/\s+/g, " ")
  );
  let at = 0;
  while (at < was.length && was[at] === is[at]) at++;
  const from = at < CONTEXT * 2 ? 0 : at - CONTEXT;
  return [was, is].map((text) =>
    quotedName(shortLine(`${from > 0 ? "…" : ""}${textFrom(text, from)}`, MOST_TEXT))
  ).join(" → ");
}

function piecesOf(
  { text, entity: { title, sections, body } }: Editable,
  boxes: Boxes,
  marks: ReadonlyMap<string, string>,
): Map<string, Piece> {
  const byStart = new Map(boxes.entries().map(([key, box]) => [box.start, { key, box }]));
  const parts = sections.map(({ name, heading, start }) => ({ name, heading, start }));
  // The title is a piece of its own, also within a section.
  if (title !== undefined) parts.push({ name: TITLE, heading: "", start: title.line.start });
  parts.sort((a, b) => a.start - b.start);
  const pieces = new Map<string, Piece>();
  for (const [index, { name, heading, start }] of parts.entries()) {
    const tokens: string[] = [];
    const end = parts[index + 1]?.start ?? body.end;
    // Together they cover the body: blank lines before the title belong to it.
    for (let at = index === 0 ? body.start : start; at < end;) {
      const { key = "", box } = byStart.get(at) ?? {};
      const next = Math.min(box?.end ?? (text.indexOf("\n", at) + 1 || end), end);
      const mark = marks.get(key);
      const line = box === undefined
        ? text.slice(at, next).replace(/\n$/, "")
        : key.split("\0")[0]!.replace("[ ]", () => `[${mark ?? box.mark}]`);
      const kind = box === undefined ? "" : mark === undefined ? CONTESTED : BOX;
      tokens.push(kind + line);
      at = next;
    }
    const key = keyOf(heading || name);
    const same = pieces.get(key);
    const [first = ""] = tokens;
    // Sections of one heading become one piece.
    if (first.startsWith("#") && same !== undefined && keyOf(first) === keyOf(same.tokens[0]!)) {
      if (same.tokens.at(-1) !== "") same.tokens.push("");
      for (const token of tokens.slice(tokens[1] === "" ? 2 : 1)) same.tokens.push(token);
      continue;
    }
    const isTitle = name === TITLE;
    pieces.set(same === undefined ? key : `${key}\0${name}`, {
      name: isTitle ? "title" : name,
      kind: isTitle ? "rest" : "sections",
      tokens,
    });
  }
  return pieces;
}
