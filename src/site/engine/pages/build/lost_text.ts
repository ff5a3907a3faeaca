/**
 * Finds text of a source that appears nowhere in what the source becomes. A rune may split, move and
 * reformat its text, so words count where most of their phrase stands together.
 */

import { isObject } from "../../../../io/json.ts";
import type { MarkdocNode } from "../../upstream/shapes.ts";
import { isDeferred, type SiteContext } from "../../upstream/site.ts";

/** A run of text between tags, or the text of a code block. */
export interface SourceText {
  readonly text: string;
  /** The first line of its block, from 0. */
  readonly line: number;
  /** The names of the enclosing tags, the innermost last. */
  readonly tags: readonly string[];
}

/** Text that is lost, in part or as a whole. */
export interface LostText extends SourceText {
  /** From the first lost words to the last. */
  readonly words: string;
}

const INLINE = new Set(["inline", "strong", "em", "s", "link"]);

/**
 * Collects the text of a source, without comments, attributes, templates, and the branches of
 * `{% if %}` that are not taken.
 */
export function sourceTexts(
  site: SiteContext,
  ast: MarkdocNode,
  variables: Readonly<Record<string, unknown>>,
): SourceText[] {
  const { markdoc, runes } = site.upstream;
  const config = { variables, functions: { ...markdoc.functions, ...runes.functions } };
  const texts: SourceText[] = [];
  let text = "";
  let line = 0;
  const end = (tags: readonly string[]) => {
    if (text.trim() !== "") texts.push({ text, line, tags });
    text = "";
  };
  const visitAll = (nodes: readonly MarkdocNode[], tags: readonly string[]) => {
    for (const node of nodes) visit(node, tags);
  };
  const visit = (node: MarkdocNode, tags: readonly string[]) => {
    const { type, children } = node;
    const content = node.attributes["content"];
    if (type === "comment" || isDeferred(site, node)) return;
    if (type === "text" || type === "code") {
      // A variable or a function ends the run.
      if (typeof content === "string") text += content;
      else end(tags);
    } else if (type === "softbreak" || type === "hardbreak") text += " ";
    else if (INLINE.has(type)) visitAll(children, tags);
    else {
      end(tags);
      line = node.lines[0] ?? line;
      const inside = node.tag === undefined ? tags : [...tags, node.tag];
      if (type === "fence" || type === "code_block") text = String(content ?? "");
      else visitAll(node.tag === "if" ? takenBranch(node, config) : children, inside);
      end(inside);
    }
  };
  visit(ast, []);
  return texts;
}

/** The children of the first branch of `{% if %}` whose condition holds. */
function takenBranch(node: MarkdocNode, config: object): MarkdocNode[] {
  const holds = (tag: MarkdocNode) => {
    const value = tag.resolve(config).attributes["primary"];
    return value !== undefined && value !== null && value !== false;
  };
  const branches: { readonly isTaken: () => boolean; readonly nodes: MarkdocNode[] }[] = [
    { isTaken: () => holds(node), nodes: [] },
  ];
  for (const child of node.children) {
    if (child.tag !== "else") branches.at(-1)!.nodes.push(child);
    else {
      const isTaken = () => !Object.hasOwn(child.attributes, "primary") || holds(child);
      branches.push({ isTaken, nodes: [] });
    }
  }
  return branches.find(({ isTaken }) => isTaken())?.nodes ?? [];
}

/** Attributes that contain no text of the source. */
const WITHOUT_TEXT = new Set(["class", "data-rune", "data-density", "data-elevation"]);

/** Elements that may begin and end within a word. */
const INLINE_ELEMENTS = new Set(
  "a abbr b code del em i ins kbd mark s small span strong sub sup".split(" "),
);

/** The words of a tree; each is computed when it is needed. */
interface Shown {
  /** Separated at every element, only at blocks, and of attributes; each in spaces. */
  readonly streams: readonly (() => string)[];
  readonly words: () => readonly string[];
  readonly all: () => ReadonlySet<string>;
}

function shownIn(tree: unknown): Shown {
  const pieces: string[] = [];
  const attributes: string[] = [];
  const seen = new Set<object>();
  const visit = (value: unknown, into: string[]): void => {
    if (typeof value === "string" || typeof value === "number") into.push(String(value));
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (Array.isArray(value) || value instanceof Map) {
      return value.forEach((each: unknown) => visit(each, into));
    }
    if (!isObject(value) || !isObject(value["attributes"])) {
      return Object.values(value).forEach((each) => visit(each, attributes));
    }
    for (const [name, each] of Object.entries(value["attributes"])) {
      if (!WITHOUT_TEXT.has(name)) visit(each, attributes);
    }
    const isWithin = INLINE_ELEMENTS.has(String(value["name"]));
    if (!isWithin) into.push(" ");
    visit(value["children"], into);
    if (!isWithin) into.push(" ");
  };
  visit(tree, pieces);
  const spaced = once(() => wordsOf(pieces.join(" ")));
  const ofAttributes = once(() => wordsOf(attributes.join(" ")));
  const words = once(() => [...spaced(), ...ofAttributes()]);
  return {
    streams: [
      once(() => asPhrase(spaced())),
      once(() => asPhrase(wordsOf(pieces.join("")))),
      once(() => asPhrase(ofAttributes())),
    ],
    words,
    all: once(() => new Set(words())),
  };
}

function once<Value>(compute: () => Value): () => Value {
  let value: Value | undefined;
  return () => value ??= compute();
}

/** How much of a phrase must stand together. */
const ENOUGH = 0.75;

/** Where runes split a text: `name: value`, `name - value`, `name (value)`. */
const SEPARATOR = /\s[-–—|]\s|[:;,()—]/g;

/** `tree` is what the source becomes: tags with attributes and children. */
export function lostTexts(texts: readonly SourceText[], tree: unknown): LostText[] {
  const shown = shownIn(tree);
  const isShown = (text: string, isInRune: boolean) => {
    const words = wordsOf(text);
    const phrase = asPhrase(words);
    if (shown.streams.some((stream) => stream().includes(phrase))) return true;
    // Runes reformat numbers, such as times and dates, and drop the v of a version.
    const wanted = isInRune ? words.filter((word) => !/^(?:\p{N}+|[a-z])$/u.test(word)) : words;
    return wanted.length === 0 || isTogether(wanted, shown);
  };
  return texts.flatMap((source) => {
    const text = withoutMarks(source);
    const isInRune = source.tags.length > 0;
    if (isShown(text, isInRune)) return [];
    const parts = partsOf(text);
    const lost = parts.filter(({ start, end }) => !isShown(text.slice(start, end), isInRune));
    const [first] = lost;
    // In `unit: 4px`, a rune may read the name of an option.
    const isOption = lost.length === 1 && first === parts[0] && parts.length > 1 &&
      /^\s*[\w-]+\s*:$/.test(text.slice(0, first!.end + 1));
    if (first === undefined || isOption) return [];
    const words = text.slice(first.start, lost.at(-1)!.end).replace(/\s+/g, " ").trim();
    return [{ ...source, words }];
  });
}

function partsOf(text: string): { readonly start: number; readonly end: number }[] {
  const separators = [...text.matchAll(SEPARATOR)];
  return [...separators, undefined].map((separator, index) => {
    const before = separators[index - 1];
    return {
      start: before === undefined ? 0 : before.index + before[0].length,
      end: separator?.index ?? text.length,
    };
  });
}

/** The options of a form's fields become attributes of them. */
const FIELD_OPTIONS = /\b(?:optional|required|placeholder|multiple|radio)\b/gi;

/** Removes what runes read as marks: boxes of lists and options of fields. */
function withoutMarks({ text, tags }: SourceText): string {
  const unboxed = text.replace(/^\s*\[.\]\s/, "");
  if (!tags.includes("form")) return unboxed;
  return unboxed.replace(/\([^)]*\)/g, (options) => options.replace(FIELD_OPTIONS, ""));
}

/** Words and numbers: `16px` is 16 and px. */
function wordsOf(text: string): string[] {
  // The packages escape the tags in code with these.
  return text.replace(/RFT[OC]/g, "").normalize("NFKC").toLowerCase().match(
    /\p{L}[\p{L}\p{M}]*|\p{N}+/gu,
  ) ??
    [];
}

function asPhrase(words: readonly string[]): string {
  return ` ${words.join(" ")} `;
}

/** Whether most of the words stand together somewhere, and none is missing. */
function isTogether(wanted: readonly string[], shown: Shown): boolean {
  const words = shown.words();
  const distinct = new Set(wanted);
  const size = wanted.length * 3 + 10;
  const counts = new Map<string, number>();
  let most = 0;
  for (const [index, word] of words.entries()) {
    const left = words[index - size];
    if (left !== undefined && distinct.has(left)) {
      const count = counts.get(left)! - 1;
      if (count === 0) counts.delete(left);
      else counts.set(left, count);
    }
    if (!distinct.has(word)) continue;
    counts.set(word, (counts.get(word) ?? 0) + 1);
    most = Math.max(most, counts.size);
  }
  if (most / distinct.size < ENOUGH) return false;
  return wanted.every((word) => shown.all().has(word));
}
