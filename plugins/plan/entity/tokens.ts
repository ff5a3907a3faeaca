/**
 * Markdoc's tokens of a text. Blocks are always parsed; inline content takes most of Markdoc's
 * time and is parsed on demand.
 */

import Markdoc from "@markdoc/markdoc";
import { lazily } from "../../../src/io/lazily.ts";

export interface Token {
  /** Such as `heading_open`, `fence`, `tag_open`, `inline`. */
  readonly type: string;
  /** 1 opens, -1 closes. */
  readonly nesting: -1 | 0 | 1;
  /**
   * The first line, from 0, and the line after the last. `null` for closing tokens and in tables.
   */
  readonly map: readonly [number, number] | null;
  /** The HTML element, such as `h2`. */
  readonly tag: string;
  readonly content: string;
  readonly meta: TagMeta | null;
}

/** The parsed contents of a tag. */
export interface TagMeta {
  /** Annotations have no name. */
  readonly tag?: string;
  /** The primary attribute comes first. */
  readonly attributes?: readonly { type: string; name: string; value: unknown }[] | null;
  /** The syntax error. */
  readonly error?: { readonly message: string };
}

/** The definitions of links, such as `[name]: address`, as markdown-it keeps them. */
export interface References {
  readonly references?: object;
}

/** The parts of markdown-it that this module uses. */
interface MarkdownIt {
  readonly block: Parser;
  readonly inline: Parser;
}

interface Parser {
  readonly ruler: {
    before(name: string, id: string, rule: typeof comment, options: object): void;
    push(name: string, rule: typeof inlineComment): void;
  };
  parse(text: string, parser: MarkdownIt, env: Env, tokens: Token[]): void;
}

interface Env extends References {
  /** The line of the first comment that begins a line and never ends. */
  openComment?: number;
}

/** Where a parser is: in blocks, by the line; in inline content, by the position. */
interface State {
  readonly src: string;
  readonly bMarks: readonly number[];
  readonly tShift: readonly number[];
  readonly env: Env;
  line: number;
  pos: number;
  push(type: string, tag: string, nesting: number): { map: [number, number] };
}

// The tokenizer always parses inline content too; its parser can parse blocks alone.
const markdownIt = lazily(() => {
  const parser = new Markdoc.Tokenizer()["parser"] as unknown as MarkdownIt;
  const alt = ["paragraph", "reference", "blockquote"];
  parser.block.ruler.before("table", "comment", comment, { alt });
  parser.inline.ruler.push("comment", inlineComment);
  return parser;
});

/** Markdoc's rule for a comment that begins a line, except that unclosed ones are no comments. */
function comment(state: State, line: number, _end: number, silent: boolean): boolean {
  const start = state.bMarks[line]! + state.tShift[line]!;
  // After an unclosed comment, no comment ends.
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

/** The rule for a comment within a block; one that does not end there is no comment. */
function inlineComment(state: State, silent: boolean): boolean {
  const close = state.src.startsWith("<!--", state.pos)
    ? state.src.indexOf("-->", state.pos + 4)
    : -1;
  if (close === -1) return false;
  if (!silent) state.push("comment", "", 0);
  state.pos = close + 3;
  return true;
}

/** Parses the blocks of a text with LF line ends. */
export function blocksOf(text: string) {
  const parser = markdownIt();
  const env: Env = {};
  const tokens: Token[] = [];
  parser.block.parse(text.replaceAll("\0", "\uFFFD"), parser, env, tokens);
  return { tokens, openComment: env.openComment, references: env };
}

/** Returns the inline content of the blocks of a text, unparsed. */
export function inlinesIn(source: string): string[] {
  return blocksOf(source.replace(/\r\n?/g, "\n")).tokens
    .flatMap(({ type, content }) => type === "inline" ? content : []);
}

/** Parses the inline content of a block of a text that was counted. */
export function inlineOf(content: string, references: References = {}): readonly Token[] {
  const parser = markdownIt();
  const tokens: Token[] = [];
  parser.inline.parse(content, parser, references, tokens);
  return tokens;
}
