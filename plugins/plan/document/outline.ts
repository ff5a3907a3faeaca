/**
 * Markdoc's tokens of a file, with what they leave open: which tags close each other, what is code
 * or comment, where the entities are.
 *
 * @module
 */

import { isEntityType } from "../../../src/project/entities.ts";
import { marksIn } from "./inline.ts";
import type { FurtherEntity, Unclosed } from "./model.ts";
import { type Source, sourceOf } from "./source.ts";
import { own, valuesOf } from "./tag.ts";
import { type Blocks, blocksOf, inlineOf, type Token } from "./tokens.ts";

/** A file as tokens. */
export interface Outline {
  /** The text. */
  readonly source: Source;
  /** The blocks, in the order of the text. */
  readonly tokens: readonly Token[];
  /** What stands in the blocks that hold a tag, by index. */
  readonly inlines: ReadonlyMap<number, readonly Token[]>;
  /** The tokens that open and close the first entity, by index. */
  readonly entity: { readonly open: number; readonly close: number | undefined } | undefined;
  /** The other entities. */
  readonly further: readonly FurtherEntity[];
  /** Opening tags that nothing closes, and closing tags that nothing opens, by index. */
  readonly unmatched: ReadonlySet<number>;
  /** What is never closed, in the order of the text. */
  readonly unclosed: readonly Unclosed[];
  /** Tags that cannot be parsed, and those that close nothing. */
  readonly errors: readonly { readonly line: number; readonly message: string }[];
  /** What is code, comment, front matter or a tag of several lines. */
  readonly hidden: Hidden;
  /** Whether a comment goes on after the block in which it begins, behind other text. */
  readonly hasLateComment: boolean;
}

/** Parts of a text that do not overlap. */
export class Hidden {
  readonly #spans: { readonly start: number; end: number }[] = [];

  constructor(spans: { readonly start: number; readonly end: number }[]) {
    for (const { start, end } of spans.sort((a, b) => a.start - b.start)) {
      const last = this.#spans.at(-1);
      if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
      else this.#spans.push({ start, end });
    }
  }

  /** Whether an offset lies in one of them. */
  has(offset: number): boolean {
    let [low, high] = [0, this.#spans.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const { start, end } = this.#spans[middle]!;
      if (offset < start) high = middle - 1;
      else if (offset >= end) low = middle + 1;
      else return true;
    }
    return false;
  }
}

/** Reads a text as tokens. */
export function outlineOf(text: string): Outline {
  const source = sourceOf(text);
  const { blocks, comments, openComment, hasLateComment } = commented(source);
  const { tokens } = blocks;
  const tags = matchTags(tokens);
  const unclosed: Unclosed[] = [...tags.unclosed];
  const spans = [...comments];
  for (const token of tokens) {
    const { type, map } = token;
    if (map === null) continue;
    const isHidden = type === "fence" || type === "comment" || type === "frontmatter" ||
      map[1] - map[0] > 1 && (type.startsWith("tag") || type === "error");
    if (isHidden) spans.push({ start: source.startOf(map[0]), end: source.startOf(map[1]) });
    if (type === "fence" && isOpen(token) && reachesEnd(source, map[1])) {
      unclosed.push(left("fence", map[0], "The code fence"));
    } else if (type === "error" && map[1] - map[0] > 1) {
      unclosed.push(left("tag", map[0], "The tag"));
    }
  }
  if (openComment !== undefined) unclosed.push(left("comment", openComment, "The comment"));
  return {
    source,
    tokens,
    ...tags,
    unclosed: unclosed.sort((a, b) => a.line - b.line),
    hidden: new Hidden(spans),
    hasLateComment,
  };
}

/** Says of something that opens in a line, from 0, that nothing closes it. */
function left(kind: Unclosed["kind"], line: number, what: string): Unclosed {
  return { kind, line: line + 1, message: `${what} that opens in line ${line + 1} is not closed` };
}

/** Whether a fence has no closing line: its lines are those of its content and the one that opens it. */
function isOpen({ map, content }: Token): boolean {
  let lines = 0;
  for (let at = 0; at < content.length; lines++) {
    const end = content.indexOf("\n", at);
    at = end === -1 ? content.length : end + 1;
  }
  return map![1] - map![0] === lines + 1;
}

function reachesEnd({ plain, startOf }: Source, line: number): boolean {
  return plain.slice(startOf(line)).trim() === "";
}

interface Commented {
  readonly blocks: Blocks;
  /** The comments that begin behind other text. */
  readonly comments: { readonly start: number; readonly end: number }[];
  readonly openComment: number | undefined;
  readonly hasLateComment: boolean;
}

/** So many comments may go on after the block in which they begin. */
const MOST_LATE = 50;

/**
 * The blocks of a text without the comments that begin behind other text: a text that has one over
 * several lines is parsed again without it.
 */
function commented(source: Source): Commented {
  let text = source.plain;
  const found: { start: number; end: number }[] = [];
  for (let tries = 0;; tries++) {
    const blocks = blocksOf(text);
    let openComment = blocks.openComment;
    const comments = [...found];
    let late: { start: number; end: number } | undefined;
    let map: readonly [number, number] = [0, 1];
    for (const token of blocks.tokens) {
      map = token.map ?? map;
      if (token.type !== "inline" || !token.content.includes("<!--")) continue;
      const to = source.startOf(map[1]);
      for (const { kind, start, end } of marksIn(text, source.startOf(map[0]), to)) {
        if (kind !== "comment") continue;
        const isOver = end > to || text.slice(start, end).includes("\n");
        if (end === -1 || isOver && tries >= MOST_LATE) {
          openComment = Math.min(openComment ?? Infinity, source.lineAt(start));
        } else if (isOver) {
          late = { start, end };
          break;
        } else comments.push({ start, end });
      }
      if (late !== undefined) break;
    }
    if (late === undefined) {
      return { blocks, comments, openComment, hasLateComment: found.length > 0 };
    }
    found.push(late);
    const { start, end } = late;
    text = text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, " ") + text.slice(end);
  }
}

type Tags = Pick<
  Outline,
  "inlines" | "entity" | "further" | "unmatched" | "unclosed" | "errors"
>;

/** An opening token: its index, and its tag where it is one. */
interface Opening {
  readonly index: number;
  readonly line: number;
  readonly name: string | undefined;
}

/** Finds which tags close each other: within the same list, quotation or block of text. */
function matchTags(tokens: readonly Token[]): Tags {
  const inlines = new Map<number, readonly Token[]>();
  const unmatched = new Set<number>();
  const unclosed: Unclosed[] = [];
  const errors: { line: number; message: string }[] = [];
  const further: FurtherEntity[] = [];
  const stack: Opening[] = [];
  let entity: { open: number; close: number | undefined } | undefined;
  let line = 0;
  const drop = ({ index, line, name }: Opening) => {
    if (name === undefined) return;
    unmatched.add(index);
    unclosed.push(left("tag", line, `The tag {% ${name} %}`));
  };
  for (const [index, token] of tokens.entries()) {
    line = token.map?.[0] ?? line;
    const name = token.meta?.tag;
    if (token.type === "inline") {
      if (!token.content.includes("{%")) continue;
      const children = inlineOf(token.content);
      inlines.set(index, children);
      matchInline(children, line, unclosed, errors);
      continue;
    }
    if (token.type === "error") errors.push({ line: line + 1, message: messageOf(token) });
    const isEntity = name !== undefined && token.nesting >= 0 && isEntityType(name);
    if (isEntity) {
      const isFirst = entity === undefined && stack.length === 0 && unclosed.length === 0;
      if (isFirst) entity = { open: index, close: token.nesting === 0 ? index : undefined };
      else {
        const values = valuesOf(token.meta);
        const id = values["id"] || values["name"] || undefined;
        further.push({ type: name, id, line: line + 1 });
      }
    }
    if (token.nesting > 0) stack.push({ index, line, name });
    if (token.nesting >= 0) continue;
    const at = openingOf(stack, token);
    if (at === -1) {
      unmatched.add(index);
      errors.push({ line: line + 1, message: `Nothing opens {% /${name} %}` });
      continue;
    }
    for (const opening of stack.splice(at + 1)) drop(opening);
    const { index: opened } = stack.pop()!;
    if (opened === entity?.open) entity.close = index;
  }
  for (const opening of stack) drop(opening);
  return { inlines, entity, further, unmatched, unclosed, errors };
}

/** Which opening a token closes: a tag of that name, not across the bounds of anything else. */
function openingOf(stack: readonly Opening[], { meta }: Token): number {
  const name = meta?.tag;
  for (let at = stack.length - 1; at >= 0; at--) {
    const opening = stack[at]!;
    if (opening.name === name) return at;
    if (name !== undefined && opening.name === undefined) return -1;
  }
  return -1;
}

/** The same within a block of text. */
function matchInline(
  tokens: readonly Token[],
  first: number,
  unclosed: Unclosed[],
  errors: { line: number; message: string }[],
): void {
  const stack: Opening[] = [];
  let line = first;
  const drop = ({ line, name }: Opening) => {
    if (name !== undefined) unclosed.push(left("tag", line, `The tag {% ${name} %}`));
  };
  for (const [index, token] of tokens.entries()) {
    if (token.type === "softbreak" || token.type === "hardbreak") line++;
    if (token.type === "error") errors.push({ line: line + 1, message: messageOf(token) });
    const name = token.meta?.tag;
    if (token.nesting > 0) stack.push({ index, line, name });
    if (token.nesting >= 0) continue;
    const at = openingOf(stack, token);
    if (at !== -1) {
      for (const opening of stack.splice(at + 1)) drop(opening);
      stack.pop();
    } else if (name !== undefined) {
      errors.push({ line: line + 1, message: `Nothing opens {% /${own(name)} %}` });
    }
  }
  for (const opening of stack) drop(opening);
}

function messageOf({ meta }: Token): string {
  return own(meta?.error?.message ?? "It cannot be parsed");
}
