/**
 * Markdoc's tokens of a file, with what they leave open: which tags close each other, what is code
 * or comment, where the entities are.
 *
 * @module
 */

import { isEntityType } from "../../../src/project/entities.ts";
import { type Mark, marksIn } from "./inline.ts";
import type { FurtherEntity, Misplaced, Unclosed } from "./model.ts";
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
  /** The first code fence without a closing line, at the end of a list or quotation too. */
  readonly openFence: Unclosed | undefined;
  /** Tags that cannot be parsed, and those that close nothing. */
  readonly errors: readonly Misplaced[];
  /** How many tags have the name of an entity. */
  readonly entityTags: number;
  /** The lines that begin within code, a comment, front matter or a tag of several lines. */
  readonly hidden: ReadonlySet<number>;
}

/** Reads a text as tokens. */
export function outlineOf(text: string): Outline {
  const source = sourceOf(text);
  const blocks = blocksOf(source.plain);
  const { tokens } = blocks;
  const { comments, open: openComment } = commentsIn(source, blocks);
  const tags = matchTags(source, tokens);
  const unclosed: Unclosed[] = [...tags.unclosed];
  const hidden = new Set<number>();
  const hide = (from: number, to: number) => {
    for (let line = from; line < to; line++) hidden.add(line);
  };
  for (const { start, end } of comments) {
    hide(source.lineAt(start - 1) + 1, source.lineAt(end - 1) + 1);
  }
  let openFence: Unclosed | undefined;
  for (const token of tokens) {
    const { type, map } = token;
    if (map === null) continue;
    const isHidden = type === "fence" || type === "comment" || type === "frontmatter" ||
      map[1] - map[0] > 1 && (type.startsWith("tag") || type === "error");
    if (isHidden) hide(...map);
    if (type === "fence" && isOpen(token)) {
      const fence = left(source, "fence", source.startOf(map[0]), "The code fence");
      openFence ??= fence;
      // One that its list or quotation ends leaves nothing else open.
      if (reachesEnd(source, map[1])) unclosed.push(fence);
    } else if (type === "error" && map[1] - map[0] > 1) {
      unclosed.push(left(source, "tag", source.startOf(map[0]), "The tag"));
    }
  }
  if (openComment !== undefined) {
    const comment = left(source, "comment", source.startOf(openComment), "The comment");
    const isLate = openComment !== blocks.openComment;
    const message = `${comment.message}${isLate ? " in its paragraph" : ""}`;
    unclosed.push({ ...comment, message });
  }
  return {
    source,
    tokens,
    ...tags,
    unclosed: unclosed.sort((a, b) => a.line - b.line),
    openFence,
    hidden,
  };
}

/** Says of something that nothing closes it. */
function left(source: Source, kind: Unclosed["kind"], start: number, what: string): Unclosed {
  const line = source.lineAt(start) + 1;
  const message = `${what} that opens in line ${line} is not closed`;
  return { kind, line, start: source.at(start), message };
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

/**
 * The comments that begin behind other text, and the line of the first comment that its block does
 * not close: what it hides is in doubt.
 */
function commentsIn(
  { plain, startOf, lineAt }: Source,
  { tokens, openComment }: Blocks,
): { comments: { readonly start: number; readonly end: number }[]; open: number | undefined } {
  const comments = [];
  let map: readonly [number, number] = [0, 1];
  for (const token of plain.includes("<!--") ? tokens : []) {
    map = token.map ?? map;
    if (token.type !== "inline" || !token.content.includes("<!--")) continue;
    const to = startOf(map[1]);
    for (const { kind, start, end } of marksIn(plain, startOf(map[0]), to)) {
      if (kind !== "comment") continue;
      if (end === -1 || end > to) {
        return { comments, open: Math.min(openComment ?? Infinity, lineAt(start)) };
      }
      comments.push({ start, end });
    }
  }
  return { comments, open: openComment };
}

type Tags = Pick<
  Outline,
  "inlines" | "entity" | "further" | "unmatched" | "unclosed" | "errors" | "entityTags"
>;

/** A token that opens something: its index and place, and its name where it is a tag. */
interface Opening {
  readonly index: number;
  readonly start: number;
  readonly name: string | undefined;
}

/** Finds which tags close each other: within the same list, quotation or block of text. */
function matchTags(source: Source, tokens: readonly Token[]): Tags {
  const text = source.plain;
  const inlines = new Map<number, readonly Token[]>();
  const unmatched = new Set<number>();
  const unclosed: Unclosed[] = [];
  const errors: Misplaced[] = [];
  const further: FurtherEntity[] = [];
  let entity: { open: number; close: number | undefined } | undefined;
  let entityTags = 0;
  const fail = (start: number, message: string) =>
    errors.push({ line: source.lineAt(start) + 1, start: source.at(start), message });
  const pairs = () =>
    new Pairs(({ index, start, name }, isInline) => {
      if (!isInline) unmatched.add(index);
      unclosed.push(left(source, "tag", start, `The tag {% ${own(name)} %}`));
    });
  const blocks = pairs();
  let map: readonly [number, number] = [0, 1];
  for (const [index, token] of tokens.entries()) {
    map = token.map ?? map;
    if (token.type === "inline") {
      if (!token.content.includes("{%")) continue;
      const children = inlineOf(token.content);
      inlines.set(index, children);
      const inside = pairs();
      const places = marksIn(text, source.startOf(map[0]), source.startOf(map[1]));
      for (const child of children) {
        const isTag = isTagToken(child);
        const start = isTag ? nextTag(places) ?? source.startOf(map[0]) : 0;
        if (isEntityType(child.meta?.tag ?? "")) entityTags++;
        if (child.type === "error") fail(start, messageOf(child));
        if (inside.add(child, { index, start, name: child.meta?.tag }, true) === "stray") {
          fail(start, `Nothing opens {% /${own(child.meta!.tag!)} %}`);
        }
      }
      inside.end(true);
      continue;
    }
    const name = token.meta?.tag;
    const start = isTagToken(token) ? text.indexOf("{%", source.startOf(map[0])) : 0;
    if (token.type === "error") fail(start, messageOf(token));
    if (name !== undefined && isEntityType(name)) {
      entityTags++;
      const isFirst = entity === undefined && blocks.isEmpty && unclosed.length === 0;
      if (token.nesting >= 0 && isFirst) {
        entity = { open: index, close: token.nesting === 0 ? index : undefined };
      } else if (token.nesting >= 0) {
        const values = valuesOf(token.meta);
        const id = values["id"] || values["name"] || undefined;
        further.push({ type: name, id, line: map[0] + 1 });
      }
    }
    const closed = blocks.add(token, { index, start, name });
    if (closed === "stray") {
      unmatched.add(index);
      fail(start, `Nothing opens {% /${own(name!)} %}`);
    } else if (closed !== undefined && closed.index === entity?.open) entity.close = index;
  }
  blocks.end();
  return { inlines, entity, further, unmatched, unclosed, errors, entityTags };
}

/** Follows what opens and closes. */
class Pairs {
  readonly #open: Opening[] = [];
  readonly #unmatched: (tag: Opening & { readonly name: string }, isInline: boolean) => void;

  constructor(
    unmatched: (tag: Opening & { readonly name: string }, isInline: boolean) => void,
  ) {
    this.#unmatched = unmatched;
  }

  /** Whether nothing is open. */
  get isEmpty(): boolean {
    return this.#open.length === 0;
  }

  /** Takes the next token; returns what it closes, or `"stray"` for a closing tag that closes nothing. */
  add(token: Token, opening: Opening, isInline = false): Opening | "stray" | undefined {
    if (token.nesting > 0) this.#open.push(opening);
    if (token.nesting >= 0) return undefined;
    const { name } = opening;
    for (let at = this.#open.length - 1; at >= 0; at--) {
      const open = this.#open[at]!;
      if (open.name === name) {
        for (const tag of this.#open.splice(at + 1)) this.#drop(tag, isInline);
        return this.#open.pop();
      }
      // A tag is closed in the list, quotation or emphasis in which it was opened.
      if (name !== undefined && open.name === undefined) break;
    }
    return name === undefined ? undefined : "stray";
  }

  /** Ends the text. */
  end(isInline = false): void {
    for (const tag of this.#open.splice(0)) this.#drop(tag, isInline);
  }

  #drop(tag: Opening, isInline: boolean): void {
    const { name } = tag;
    if (name !== undefined) this.#unmatched({ ...tag, name }, isInline);
  }
}

/** Whether a token comes of what stands between `{%` and `%}`. */
export function isTagToken({ type, meta }: Token): boolean {
  return meta?.tag !== undefined || type === "annotation" || type === "variable" ||
    type === "error";
}

/** Where the next tag stands that has an end. */
function nextTag(marks: Generator<Mark>): number | undefined {
  for (let next = marks.next(); !next.done; next = marks.next()) {
    if (next.value.kind === "tag" && next.value.end !== -1) return next.value.start;
  }
  return undefined;
}

function messageOf({ meta }: Token): string {
  return own(meta?.error?.message ?? "It cannot be parsed");
}
