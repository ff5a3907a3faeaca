/**
 * Markdoc's tokens of a file: which tags match, what is code or a comment, where the entities
 * are, and what is not closed.
 */

import { type EntityType, isEntityType } from "./types.ts";
import type { Span, SyntaxProblem, Unclosed } from "./model.ts";
import { marksIn, primaryOf, valuesOf } from "./tag.ts";
import { blocksOf, inlineOf, type Token } from "./tokens.ts";

/** The part of an outline that is the body of its entity. */
export interface Range {
  /** The first token, and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly body: Span;
}

/** An opening token; only tags have a name. */
interface Opening {
  readonly token: Token;
  readonly index: number;
  readonly start: number;
  readonly name: string | undefined;
}

/** Markdoc's tokens of a text: which tags match, what is hidden, and what is not closed. */
export type Outline = Readonly<ReturnType<typeof outlineOf>>;

/** @param text With LF line ends and without a byte order mark. */
export function outlineOf(text: string) {
  const lines = linesOf(text);
  const { startOf, lineAt } = lines;
  const { tokens, references, openComment: openBlock } = blocksOf(text);
  /** Lines, from 0, that begin within code, a comment, front matter or a tag of several lines. */
  const hidden = new Set<number>();
  /** The inline tokens of the blocks that contain a tag. */
  const inlines = new Map<Token, readonly Token[]>();
  /** Tags without a partner, also within blocks. */
  const unmatched = new Set<Token>();
  /** In the order of the text. */
  const unclosed: Unclosed[] = [];
  /** Tags with syntax errors, and closing tags without an opening one. */
  const errors: SyntaxProblem[] = [];
  /** The ids that tags `ref` and `xref` refer to, with the offset of the block around the tag. */
  const refs: { readonly id: string; readonly start: number }[] = [];
  /** Entities after the first one. They are not read, and edits leave them unchanged. */
  const further: { readonly type: EntityType; readonly id: string | undefined }[] = [];
  /** Comments, which hide their content; one that begins a line hides its last line too. */
  const comments: Span[] = [];
  /** The indexes of the tokens that open and close the first entity at the top level. */
  let range: { open: number; close: number | undefined } | undefined;
  /** How many tags anywhere in the text have the name of an entity type. */
  let entityTags = 0;
  let lateComment: number | undefined;
  let isInDoubt = false;
  /** The first code fence without a closing line, even if its list or quotation ends it. */
  let openFence: Unclosed | undefined;
  const hide = (from: number, to: number) => {
    for (let line = from; line < to; line++) hidden.add(line);
  };
  const unclosedAt = (kind: Unclosed["kind"], start: number, what: string): Unclosed => {
    const line = lineAt(start) + 1;
    return { kind, line, start, message: `${what} that opens in line ${line} is not closed` };
  };
  const addError = (start: number, message: string) =>
    errors.push({ line: lineAt(start) + 1, start, message });
  const open: Opening[] = [];
  /** Removes the openings after the first `count`, and reports the tags among them as unclosed. */
  const drop = (count: number) => {
    for (const { token, start, name } of count < open.length ? open.splice(count) : []) {
      if (name === undefined) continue;
      isInDoubt = true;
      unmatched.add(token);
      unclosed.push(unclosedAt("tag", start, `The tag {% ${name} %}`));
    }
  };
  /**
   * The opening that a token closes, within the same list, quotation, emphasis or block of text.
   */
  const closedBy = (name: string | undefined): Opening | undefined => {
    const index = open.findLastIndex((opening) =>
      opening.name === name || opening.name === undefined
    );
    if (index === -1 || open[index]!.name !== name) return undefined;
    drop(index + 1);
    return open.pop();
  };
  let map: readonly [number, number] = [0, 1];
  for (const [index, token] of tokens.entries()) {
    map = token.map ?? map;
    const [from, to] = [startOf(map[0]), startOf(map[1])];
    const { type, content } = token;
    const isInline = type === "inline";
    const isLong = map[1] - map[0] > 1;
    if (token.map !== null) {
      const isCode = type === "fence" || type === "comment" || type === "frontmatter";
      if (type === "comment") comments.push({ start: text.indexOf("<!--", from), end: to });
      if (isCode || isLong && (type.startsWith("tag") || type === "error")) hide(...map);
      if (type === "fence" && isOpen(token)) {
        const fence = unclosedAt("fence", from, "The code fence");
        openFence ??= fence;
        // A fence that ends with its list or quotation leaves nothing else open.
        if (text.slice(to).trim() === "") unclosed.push(fence);
      } else if (type === "error" && isLong) unclosed.push(unclosedAt("tag", from, "The tag"));
    }
    const mayComment = lateComment === undefined && content.includes("<!--");
    const hasTags = content.includes("{%");
    const marks = isInline && (hasTags || mayComment) ? [...marksIn(text, from, to)] : [];
    for (const { kind, start, end } of marks) {
      if (kind !== "comment" || lateComment !== undefined) continue;
      if (end === -1 || end > to) lateComment = lineAt(start);
      else {
        comments.push({ start, end });
        hide(lineAt(start - 1) + 1, lineAt(end - 1) + 1);
      }
    }
    if (isInline && !hasTags) continue;
    const children = isInline ? inlineOf(content) : [token];
    if (isInline) inlines.set(token, children);
    const places = marks.values().filter(({ kind, end }) => kind === "tag" && end !== -1);
    for (const child of children) {
      const name = child.meta?.tag;
      const start = !isTagToken(child)
        ? from
        : isInline
        ? places.next().value?.start ?? from
        : text.indexOf("{%", from);
      if (child.type === "error") addError(start, child.meta?.error?.message ?? "It is no tag");
      if (name !== undefined && isEntityType(name)) {
        entityTags++;
        const opens = !isInline && child.nesting >= 0;
        if (opens && range === undefined && open.length === 0 && !isInDoubt) {
          range = { open: index, close: child.nesting === 0 ? index : undefined };
        } else if (opens && open.every(({ name }) => name !== "comment")) {
          const values = valuesOf(child.meta);
          further.push({ type: name, id: values["id"] || values["name"] || undefined });
        }
      }
      const id = child.nesting < 0 || !isReference(name) ? undefined : primaryOf(child.meta);
      if (id !== undefined) refs.push({ id, start: from });
      if (child.nesting > 0) open.push({ token: child, index, start, name });
      if (child.nesting >= 0) continue;
      const closed = closedBy(name);
      if (closed === undefined && name !== undefined) {
        unmatched.add(child);
        addError(start, `No tag opens {% /${name} %}`);
      } else if (closed !== undefined && closed.index === range?.open) range.close = index;
    }
  }
  drop(0);
  const openComment = Math.min(openBlock ?? Infinity, lateComment ?? Infinity);
  if (openComment < Infinity) {
    const comment = unclosedAt("comment", startOf(openComment), "The comment");
    const where = openComment === openBlock ? "" : " in its paragraph";
    unclosed.push({ ...comment, message: comment.message + where });
  }
  unclosed.sort((a, b) => a.line - b.line);
  const problems = { unmatched, unclosed, openFence, errors };
  const places = { range, further, entityTags, refs, comments, hidden };
  return { text, lines, tokens, inlines, references, ...places, ...problems };
}

/** Whether a tag of this name refers to an entity. */
export const isReference = (name: string | undefined) => name === "ref" || name === "xref";

/** Whether a fence has no closing line: it has only the opening line more than its content. */
function isOpen({ map, content }: Token): boolean {
  const lines = content.split("\n").length - (content === "" || content.endsWith("\n") ? 1 : 0);
  return map![1] - map![0] === lines + 1;
}

/** Whether a token comes from `{% … %}`. */
export function isTagToken({ type, meta }: Token): boolean {
  return meta?.tag !== undefined || type === "annotation" || type === "variable" ||
    type === "error";
}

/** Indexes the lines of a text, numbered from 0; one after the last begins at the end of the text. */
function linesOf(text: string) {
  const starts = [0];
  for (let at = 0; (at = text.indexOf("\n", at) + 1) > 0;) starts.push(at);
  return {
    count: starts.length,
    startOf: (line: number) => starts[line] ?? text.length,
    lineAt: (offset: number) => {
      let [low, high] = [0, starts.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle]! <= offset) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}
