/** Finds the notation of other site generators that readers of the page see as text. */

import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import { isElement } from "../../upstream/elements.ts";
import { type Diagnostic, diagnostic } from "../read/diagnostics.ts";
import { linesOf } from "../../../../../src/markdoc/lines.ts";
import type { Scope } from "../read/scope.ts";

interface Notation {
  /** The notation, as a part of a sentence. */
  readonly name: string;
  readonly pattern: RegExp;
  /** What to write for it here. */
  readonly instead: string;
  /** Where the notation counts; everywhere by default. */
  readonly where?: "heading" | "quote" | "first";
  /** Another line of the page must match this: else the text only looks like the notation. */
  readonly beside?: RegExp;
}

const RUNE = "the rune for it: refrakt_reference lists them";
const HINT = '{% hint type="note" %} … {% /hint %}';

/** Names that stand for nothing else in angle brackets; others count with attributes or when closed. */
const HTML =
  /<\/?(?:div|span|br|img|hr|table|thead|tbody|tr|td|th|center|kbd|sub|sup|iframe|figure|figcaption|picture|script|style|button|svg|blockquote|pre|ul|ol|li|dl|dt|dd|component|slot|template)(?:\s[^<>]*)?\/?>|<(?:a|b|i|p|s|u|em|h[1-6]|strong|small|code|video|audio|source|input|label|form|section|article|[a-z]+-[a-z-]+)\s+[\w:@#.-]+=[^<>]*>|<\/(?:a|b|i|p|u|em|h[1-6]|strong|small|code|video|audio|form|section|article)>/;

/** A line of one tag or its beginning, or a tag with attributes or an end: `<T>` in a line is a type. */
const COMPONENT =
  /^<[A-Z][A-Z\d_]*[a-z][\w.]*>?$|(?<![\w.])<[A-Z][\w.]*(?:\s+[\w:@-]+=[^<>]*>|(?:\s[^<>]*)?\/>)|<\/[A-Z][\w.]*>/;

/** `import` and `export` with the signs that follow in code, but not in a sentence. */
const MODULE =
  /^import\s+(?:(?:type )?(?:[\w$]+|\* as [\w$]+|[\w$, ]*\{[^{}]*\})\s+from\s+)?["'“‘][^"'“”‘’]+["'”’];?$|^import\s+\{$|^export\s+(?:(?:const|let)\s[^=]*=|default\s+(?:function\b|class\b|[({]|\w+;?$)|(?:async\s+)?function\s+\w+\s?\()/;

/** `{: .name #id key="value"}`, but no sets and objects such as `{x}` and `{a: 1}`. */
const FOREIGN_ATTRIBUTES =
  /\{(?!#[\w-]+\})(?::\s*[\w-]+=[^\s{}"]+|:?\s*(?:[.#][a-z][\w-]*|[\w-]+="[^"]*"))(?:\s[^{}%]*)?\}/i;

const NOTATIONS: readonly Notation[] = [
  {
    name: "Front matter between +++",
    pattern: /^\+\+\+\s*$/,
    instead: "YAML between lines of ---",
    where: "first",
  },
  {
    name: "A block between :::",
    pattern: /^:::+(?:\s*\{?[\w-]+|\s*$)/,
    instead: `${HINT}, or the rune that is meant`,
  },
  {
    name: "An admonition with !!! or ???",
    pattern:
      /^(?:!!!|\?\?\?\+?)\s+(?:(?=["“])|[\w-]+(?: (?:inline|end|annotate))*(?=\s+["“]|\s*$))/,
    instead: HINT,
  },
  {
    name: 'A tab with === "…"',
    pattern: /^===[+!]?\s+"/,
    instead: "{% tabs %} with a heading for each tab",
  },
  { name: "An alert such as [!NOTE]", pattern: /^\[!\w+\]/, instead: HINT, where: "quote" },
  { name: "An import or export of MDX", pattern: MODULE, instead: "runes, which need no import" },
  { name: "A component", pattern: COMPONENT, instead: RUNE },
  {
    name: "<details>",
    pattern: /<\/?(?:details|summary)(?:\s[^<>]*)?>/,
    instead: '{% details summary="…" %} … {% /details %}',
  },
  {
    name: "A comment such as <!-- … -->",
    pattern: /<!--(?:.*?-->)?|\{\/\*(?:.*?\*\/\})?/,
    instead: "it elsewhere: pages have no comments",
  },
  { name: "HTML", pattern: HTML, instead: "Markdown or a rune: refrakt_reference lists them" },
  {
    name: "A table of contents such as [[toc]]",
    pattern: /^\[\[_?toc_?\]\]$|^\[TOC\]$/i,
    instead: "{% toc /%}",
  },
  {
    name: "An id such as {#id} in a heading",
    pattern: /\{#[\w-]+\}\s*$/,
    instead: "{% #id %}",
    where: "heading",
  },
  {
    name: "A class or an id such as {: .name}",
    pattern: FOREIGN_ATTRIBUTES,
    instead: "{% .name %} or {% #id %}",
  },
  {
    name: "A footnote such as [^1]",
    pattern: /\[\^[^\]\s]+\]/,
    instead: "the text itself, in brackets",
    beside: /^\[\^[^\]\s]+\]:/,
  },
  { name: "A shortcode of Hugo", pattern: /\{\{[%<](?:.*?[%>]\}\})?/, instead: RUNE },
  {
    name: "An icon such as :material-name:",
    pattern: /:(?:material|octicons|fontawesome|simple)-[\w-]+:/,
    instead: '{% icon name="…" /%}',
  },
];

/** Removes the notation of other generators from a line, but not its text. */
export function withoutNotation(line: string): string {
  return NOTATIONS.reduce(
    (text, { pattern }) => text.replace(new RegExp(pattern, `${pattern.flags}g`), ""),
    line,
  );
}

/** Every notation contains one of these. */
const FOREIGN_MARK = /[:!?=[<{+]|^(?:import|export)\b/;

/** A line that may show a notation of another generator. */
export type ForeignLine = ReturnType<typeof foreignLines>[number];

export function foreignLines({ ast, locator }: Scope) {
  const written = linesOf(locator.source);
  const markedLines = shownLines(ast, locator.offset).filter(({ text }) => FOREIGN_MARK.test(text));
  return NOTATIONS.flatMap((notation) => {
    const { pattern, beside } = notation;
    if (beside !== undefined && !markedLines.some(({ text }) => beside.test(text))) return [];
    return markedLines.flatMap(({ line, text, where }) => {
      if (notation.where !== undefined && notation.where !== where) return [];
      // No block begins in a cell of a table.
      const match = pattern.exec(where === "cell" ? `| ${text}` : text);
      if (match === null || isEscaped(written[line - 1] ?? "", match[0])) return [];
      // Behind a tag that is not closed, Markdoc does not know the lines.
      const at = written.findIndex((each, index) => index >= line - 1 && each.includes(match[0]));
      return { notation, line: at === -1 ? line : at + 1, text };
    });
  });
}

/** Whether a character is escaped, or written as an entity, because it is meant to be seen. */
function isEscaped(line: string, notation: string): boolean {
  return line.includes(`\\${notation.slice(0, 2)}`) ||
    /&(?:\w+|#\w+);/.test(line) && !line.includes(notation);
}

/**
 * Returns one finding for each kind of notation that a page shows as text.
 *
 * @param tree What the page becomes, where it can be built: runes may show their content as it is.
 */
export function notationFindings(lines: readonly ForeignLine[], tree?: unknown): Diagnostic[] {
  if (lines.length === 0) return [];
  const renderedText = tree === undefined ? undefined : singleSpaced(textOutsideCode(tree));
  // A tag is compared by what it becomes, which may be nothing.
  const isShown = ({ text }: ForeignLine) =>
    renderedText === undefined ||
    text.split("{%").every((part) => renderedText.includes(singleSpaced(part)));
  const byNotation = Map.groupBy(lines.filter(isShown), ({ notation }) => notation);
  return [...byNotation].map(([{ name, instead }, [first, ...more]]) => {
    const count = more.length === 0 ? "" : ` on ${more.length + 1} lines`;
    const message = `${name} is shown as text${count}: write ${instead}`;
    return diagnostic("notation-foreign", message, { line: first!.line, column: 1 });
  });
}

const singleSpaced = (text: string) => text.replace(/\s+/g, " ");

/** Elements whose text is code, or is not seen. */
const CODE_ELEMENTS = new Set(["code", "pre", "template", "script", "style"]);

function textOutsideCode(tree: unknown): string {
  if (Array.isArray(tree)) return tree.map(textOutsideCode).join("");
  if (isElement(tree)) return CODE_ELEMENTS.has(tree.name) ? "`" : textOutsideCode(tree.children);
  return typeof tree === "string" ? tree : "";
}

/** What a reader sees of each line, and where it stands; code is a backtick, and a tag `{%`. */
function shownLines(ast: MarkdocNode, offset: number) {
  const lines: { line: number; text: string; where: ReturnType<typeof whereOf> }[] = [];
  const visit = (node: MarkdocNode, parents: readonly MarkdocNode[]): void => {
    if (node.type !== "inline") {
      return node.children.forEach((child) => visit(child, [node, ...parents]));
    }
    const [first = 0, end = first + 1] = node.lines;
    seenText(node).split("\n").forEach((text, index) => {
      const line = Math.min(first + index, end - 1) + offset + 1;
      const where = index > 0 ? undefined : whereOf(parents, line);
      lines.push({ line, text: text.trim(), where });
    });
  };
  visit(ast, []);
  return lines;
}

function whereOf([parent, above]: readonly MarkdocNode[], line: number) {
  if (parent?.type === "td" || parent?.type === "th") return "cell";
  if (parent?.type === "heading") return "heading";
  if (above?.type === "blockquote" && above.children[0] === parent) return "quote";
  return line === 1 ? "first" : undefined;
}

function seenText({ type, attributes: { content }, children }: MarkdocNode): string {
  if (type === "softbreak" || type === "hardbreak") return "\n";
  if (type === "code") return "`";
  if (type === "text" && typeof content === "string") return content;
  // A tag that cannot be read is an error.
  const tag = type === "tag" || type === "error" ? "{%" : "";
  return tag + children.map(seenText).join("");
}

/** Hugo's shortcodes, whose inner part Markdoc reads as a tag. */
const SHORTCODE = /\{\{%(?:[^%]|%(?!\}\}))*%\}\}/g;

/** Leaves out findings about the tags in shortcodes: the notation is the mistake. */
export function withoutShortcodes(findings: readonly Diagnostic[], source: string): Diagnostic[] {
  if (!source.includes("{{%")) return [...findings];
  // Replaces the characters of shortcodes by NUL: a finding in a shortcode is at a NUL.
  const lines = linesOf(source.replace(SHORTCODE, (all) => all.replace(/[^\r\n]/g, "\0")));
  return findings.filter(({ code, line = 0, column = 0 }) => {
    const text = lines[line - 1] ?? "";
    // Markdoc reports a tag that it cannot read at the start of its line.
    return code === "syntax" ? !text.includes("\0") : text[column - 1] !== "\0";
  });
}
