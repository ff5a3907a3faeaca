/**
 * Markdoc's tokens of a text. Blocks are parsed always; what stands inside a block only where
 * somebody asks, which takes most of Markdoc's time.
 *
 * @module
 */

import Markdoc from "@markdoc/markdoc";
import { requireParsable } from "../../../src/io/markup_limits.ts";

/** A token of Markdoc, as far as it is looked at. */
export interface Token {
  /** As `heading_open`, `fence`, `tag_open`, `inline`. */
  readonly type: string;
  /** 1 where something opens, -1 where it closes. */
  readonly nesting: -1 | 0 | 1;
  /** The lines, from 0; the second one is the line after. `null` for what closes, and in tables. */
  readonly map: readonly [number, number] | null;
  /** The element, as `h2`. */
  readonly tag: string;
  readonly content: string;
  /** What Markdoc makes of a tag. */
  readonly meta: TagMeta | null;
}

/** What Markdoc says of a tag. */
export interface TagMeta {
  /** Its name; an annotation has none. */
  readonly tag?: string;
  /** Its attributes, the primary one first. */
  readonly attributes?: readonly { type: string; name: string; value: unknown }[] | null;
  /** Why it cannot be parsed. */
  readonly error?: { readonly message: string };
}

/** The blocks of a text. */
export interface Blocks {
  readonly tokens: readonly Token[];
  /** The line of the first comment that begins a line and never ends. */
  readonly openComment: number | undefined;
}

/** The parts of markdown-it that are used. */
interface MarkdownIt {
  readonly block: Parser & {
    readonly ruler: { before(name: string, own: string, rule: BlockRule, options: object): void };
  };
  readonly inline: Parser;
}

interface Parser {
  parse(text: string, parser: MarkdownIt, env: Env, tokens: Token[]): void;
}

interface Env {
  openComment?: number;
}

interface BlockState {
  readonly src: string;
  readonly bMarks: readonly number[];
  readonly tShift: readonly number[];
  readonly env: Env;
  line: number;
  push(type: string, tag: string, nesting: number): { map: [number, number] };
}

type BlockRule = (state: BlockState, line: number, end: number, silent: boolean) => boolean;

// The tokenizer parses blocks and what is in them at once; its parser can do one of the two.
const parser = new Markdoc.Tokenizer()["parser"] as unknown as MarkdownIt;
parser.block.ruler.before("table", "comment", comment, {
  alt: ["paragraph", "reference", "blockquote"],
});

/** A comment that begins a line, as Markdoc's own rule has it, but for those that never end. */
function comment(state: BlockState, line: number, _end: number, silent: boolean): boolean {
  const start = state.bMarks[line]! + state.tShift[line]!;
  // After one that never ends there is none that does.
  if (!state.src.startsWith("<!--", start) || state.env.openComment !== undefined) return false;
  const close = state.src.indexOf("-->", start + 4);
  if (close === -1) {
    state.env.openComment = line;
    return false;
  }
  if (silent) return true;
  let last = line;
  for (let at = start; (at = state.src.indexOf("\n", at)) !== -1 && at < close; at++) last++;
  state.push("comment", "", 0).map = [line, last + 1];
  state.line = last + 1;
  return true;
}

/** Parses the blocks of a text with LF line ends. */
export function blocksOf(text: string): Blocks {
  const env: Env = {};
  const tokens: Token[] = [];
  parser.block.parse(text.replaceAll("\0", "\uFFFD"), parser, env, tokens);
  return { tokens, openComment: env.openComment };
}

/**
 * Parses what stands in a block.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for a text that would keep the parser long.
 */
export function inlineOf(content: string): readonly Token[] {
  requireParsable(content);
  const tokens: Token[] = [];
  parser.inline.parse(content, parser, {}, tokens);
  return tokens;
}
