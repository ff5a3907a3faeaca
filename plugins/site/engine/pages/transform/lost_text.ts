/**
 * Finds text of a source that appears nowhere in what the source becomes. A rune may split, move and
 * reformat its text, so words count where most of their phrase stands together.
 */

import { isObject } from "../../../../../src/io/json.ts";
import { exampleFor, parseContent } from "../../runes/example_page.ts";
import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import { isDeferred, type SiteContext } from "../../upstream/site.ts";

/** A run of text between tags, or the text of a code block. */
export interface SourceText {
  readonly text: string;
  /** The first line of its block, from 0. */
  readonly line: number;
  /** The names of the enclosing tags, the innermost last. */
  readonly tags: readonly string[];
  /** The number of the innermost enclosing tag; 0 outside of tags. */
  readonly within: number;
}

type Enclosing = Pick<SourceText, "tags" | "within">;

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
  let count = 0;
  const end = ({ tags, within }: Enclosing) => {
    if (text.trim() !== "") texts.push({ text, line, tags, within });
    text = "";
  };
  const visitAll = (nodes: readonly MarkdocNode[], around: Enclosing) => {
    for (const node of nodes) visit(node, around);
  };
  const visit = (node: MarkdocNode, around: Enclosing) => {
    const { type, children } = node;
    const content = node.attributes["content"];
    if (type === "comment" || isDeferred(site, node)) return;
    if (type === "text" || type === "code") {
      // A variable or a function ends the run.
      if (typeof content === "string") text += content;
      else end(around);
    } else if (type === "softbreak" || type === "hardbreak") text += " ";
    else if (INLINE.has(type)) visitAll(children, around);
    else {
      end(around);
      line = node.lines[0] ?? line;
      const inside = node.tag === undefined
        ? around
        : { tags: [...around.tags, node.tag], within: ++count };
      if (type === "fence" || type === "code_block") text = String(content ?? "");
      else visitAll(node.tag === "if" ? takenBranch(node, config) : children, inside);
      end(inside);
    }
  };
  visit(ast, { tags: [], within: 0 });
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
const WITHOUT_TEXT = new Set(["class", "id", "data-rune", "data-density", "data-elevation"]);

/** The same where words are to be shown: those of an address are not. */
const WITHOUT_WORDS = new Set([...WITHOUT_TEXT, "href", "src"]);

/** Elements that may begin and end within a word. */
const INLINE_ELEMENTS = new Set(
  "a abbr b code del em i ins kbd mark s small span strong sub sup".split(" "),
);

/** Stands where such an element begins or ends. */
const JOINT = "\uE000";

/** Words and numbers: `16px` is 16 and px. In the other reading, elements may begin within a word. */
const WORDS = /\p{L}[\p{L}\p{M}]*|\p{N}+/gu;
const JOINED_WORDS = /\p{L}[\p{L}\p{M}\uE000]*|\p{N}[\p{N}\uE000]*/gu;

/** The text of a tree, and behind it, if they are wanted, that of its attributes. */
function textIn(tree: unknown, withAttributes: boolean, without = WITHOUT_TEXT): string {
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
      if (withAttributes) Object.values(value).forEach((each) => visit(each, attributes));
      return;
    }
    if (withAttributes) {
      for (const [name, each] of Object.entries(value["attributes"])) {
        if (!without.has(name)) visit(each, attributes);
      }
    }
    const edge = INLINE_ELEMENTS.has(String(value["name"])) ? JOINT : "\n";
    into.push(edge);
    visit(value["children"], into);
    into.push(edge);
  };
  visit(tree, pieces);
  return comparable([pieces.join(""), ...attributes].join("\n"));
}

/** Whether each text has a place behind that of the text before: then nothing is lost. */
function standInOrder(texts: readonly (readonly string[])[], text: string): boolean {
  const all = ` ${(text.match(WORDS) ?? []).join(" ")} `;
  let at = 0;
  return texts.every((words) => {
    const phrase = ` ${words.join(" ")} `;
    const start = all.indexOf(phrase, at);
    // The space behind a phrase is that before the next one.
    at = start + phrase.length - 1;
    return start !== -1;
  });
}

/** How many places of a phrase are tried. */
const MOST_TRIED = 200;

interface Words {
  readonly list: readonly string[];
  readonly all: ReadonlySet<string>;
}

/** The words of a text in one way to tell them apart. */
interface Reading {
  readonly words: readonly RegExpExecArray[];
  /** The number of each word by its place in `all`. */
  readonly starts: ReadonlyMap<number, number>;
  /** Where to search for a phrase: all its places before are taken. */
  readonly from: Map<string, number>;
  /** All words, with a space around each. */
  readonly all: string;
}

interface PlaceKind {
  /** Not across elements that are blocks. */
  readonly inBlock?: boolean;
  /** Next to the place of the text before or after. */
  readonly beside?: boolean;
}

/** The words of a text. Each stands for one text of the source, its owner: a number from 2. */
function createWords(text: string) {
  /** By character. */
  const owners = new Int32Array(text.length);
  const ownerOf = (word: RegExpExecArray | undefined) => word && owners[word.index];
  const readings = new Map<RegExp, Reading>();
  const reading = (pattern: RegExp): Reading => {
    const words = [...text.matchAll(pattern)];
    const starts = new Map<number, number>();
    let all = "";
    for (const [index, [word]] of words.entries()) {
      starts.set(all.length, index);
      all += ` ${word.replaceAll(JOINT, "")}`;
    }
    const from = new Map<string, number>();
    const made = { words, starts, from, all: `${all} ` };
    readings.set(pattern, made);
    return made;
  };
  let free: Words | undefined;
  return {
    /** Takes a free place for a text, of a certain kind. */
    take(wanted: readonly string[], owner: number, { inBlock, beside }: PlaceKind = {}): boolean {
      const phrase = ` ${wanted.join(" ")} `;
      for (const pattern of [WORDS, JOINED_WORDS]) {
        const { words, starts, from, all } = readings.get(pattern) ?? reading(pattern);
        let tried = 0;
        for (
          let at = all.indexOf(phrase, from.get(phrase));
          at !== -1 && tried < MOST_TRIED;
          at = all.indexOf(phrase, at + 1)
        ) {
          if (tried === 0) from.set(phrase, at);
          const first = starts.get(at)!;
          if (ownerOf(words[first]) !== 0) continue;
          tried++;
          const place = words.slice(first, first + wanted.length);
          const [before, after] = [words[first - 1], words[first + wanted.length]];
          const [start, end] = [place[0]!.index, place.at(-1)!.index + place.at(-1)![0].length];
          if (place.some((word) => ownerOf(word) !== 0)) continue;
          if (inBlock && text.slice(start, end).includes("\n")) continue;
          if (beside && ownerOf(before) !== owner - 1 && ownerOf(after) !== owner + 1) continue;
          owners.fill(owner, start, end);
          free = undefined;
          return true;
        }
        if (tried === 0) from.set(phrase, all.length);
      }
      return false;
    },
    /** The words that no text has taken. */
    free(): Words {
      if (free !== undefined) return free;
      const { words } = readings.get(WORDS) ?? reading(WORDS);
      const list = words.filter((word) => ownerOf(word) === 0).map(([word]) => word);
      return free = { list, all: new Set(list) };
    },
  };
}

/** How much of a phrase must stand together. */
const ENOUGH = 0.75;

/** Where runes split a text: `name: value`, `name - value`, `name (value)`. */
const SEPARATOR = /\s[-–—|]\s|[:;,()—]/g;

/** `tree` is what the source becomes: tags with attributes and children. */
export function lostTexts(
  site: SiteContext,
  texts: readonly SourceText[],
  tree: unknown,
): LostText[] {
  const all = texts.map((source, index) => {
    const text = withoutMarks(source);
    return { source, text, owner: index + 2, words: wordsOf(text) };
  });
  let open = all.filter(({ words }) => words.length > 0);
  const wanted = open.map(({ words }) => words);
  if (standInOrder(wanted, textIn(tree, false))) return [];
  const whole = textIn(tree, true);
  if (standInOrder(wanted, whole)) return [];
  const places = createWords(whole);
  // Short texts must not take the places of longer ones.
  const lengths = [...new Set(open.map(({ words }) => words.length))].sort((a, b) => b - a);
  for (const kinds of [[{ inBlock: true, beside: true }, { inBlock: true }], [{}]]) {
    for (const length of lengths) {
      for (const kind of kinds) {
        // Of equal texts, those in runes are lost rather than others.
        const equal = open.filter(({ words }) => words.length === length)
          .sort((a, b) => a.source.tags.length - b.source.tags.length);
        const placed = new Set(equal.filter((text) => places.take(text.words, text.owner, kind)));
        open = open.filter((text) => !placed.has(text));
      }
    }
  }
  if (open.length === 0) return [];
  /** The labels that tags show: a rune may show equal ones once. */
  const isLost = new Set(open);
  const labels = new Set(all.filter((each) => !isLost.has(each)).map(labelOf));
  labels.delete("");
  return open.flatMap((each) => {
    const { source, text, words, owner } = each;
    const parts = partsOf(text);
    const label = labelOf(each);
    const isSomewhere = (words: readonly string[]) => {
      // Runes reformat numbers, such as times and dates, and drop the v of a version.
      const wanted = source.tags.length === 0
        ? words
        : words.filter((word) => !/^(?:\p{N}+|[a-z])$/u.test(word));
      return wanted.length === 0 || isTogether(wanted, places.free());
    };
    if (isSomewhere(words)) return [];
    const lost = parts.filter((part) =>
      !(part === parts[0] && labels.has(label)) && !places.take(part.words, owner) &&
      !isSomewhere(part.words)
    );
    const [first] = lost;
    if (first !== parts[0] && label !== "") labels.add(label);
    if (first === undefined) return [];
    const option = text.slice(0, parts[0]!.end).trim();
    const isOption = lost.length === 1 && label !== "" && first === parts[0] &&
      source.tags.some((tag) => exampleFor(site, tag).includes(`\n- ${option}:`));
    if (isOption) return [];
    const lostWords = text.slice(first.start, lost.at(-1)!.end).replace(/\s+/g, " ").trim();
    return [{ ...source, words: lostWords }];
  });
}

/** The texts that have no place of their own in a tree, word for word. */
export function missingTexts(texts: readonly SourceText[], tree: unknown): SourceText[] {
  const places = createWords(textIn(tree, true, WITHOUT_WORDS));
  const all = texts.map((source, index) => ({
    source,
    owner: index + 2,
    words: wordsOf(withoutMarks(source)),
  })).filter(({ words }) => words.length > 0);
  // Short texts must not take the places of longer ones, if they have places of their own.
  const isThere = new Set(
    all.toSorted((a, b) => b.words.length - a.words.length).filter(({ words, owner }) =>
      places.take(words, owner, { inBlock: true, beside: true }) ||
      places.take(words, owner, { inBlock: true }) || places.take(words, owner)
    ),
  );
  return all.filter((each) => !isThere.has(each)).map(({ source }) => source);
}

/** The text of a rune's example that is lost in what the example becomes. */
export function lostInExample(site: SiteContext, example: string, tree: unknown): LostText[] {
  return lostTexts(site, sourceTexts(site, parseContent(site, example), {}), tree);
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly words: readonly string[];
}

/** What stands before the first separator, with the number of its tag; empty without a separator. */
function labelOf({ source, text }: { readonly source: SourceText; readonly text: string }): string {
  const parts = partsOf(text);
  return parts.length === 1 ? "" : `${source.within} ${parts[0]!.words.join(" ")}`;
}

function partsOf(text: string): Part[] {
  const separators = [...text.matchAll(SEPARATOR)];
  return [...separators, undefined].map((separator, index) => {
    const before = separators[index - 1];
    const start = before === undefined ? 0 : before.index + before[0].length;
    const end = separator?.index ?? text.length;
    return { start, end, words: wordsOf(text.slice(start, end)) };
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

/** The packages escape the tags in code with these letters. */
function comparable(text: string): string {
  return text.replace(/RFT[OC]/g, "").normalize("NFKC").toLowerCase();
}

function wordsOf(text: string): string[] {
  return comparable(text).match(WORDS) ?? [];
}

/** Whether most of the words stand together somewhere, and none is missing. */
function isTogether(wanted: readonly string[], { list, all }: Words): boolean {
  const distinct = new Set(wanted);
  if (!distinct.isSubsetOf(all)) return false;
  const size = wanted.length * 3 + 10;
  const counts = new Map<string, number>();
  let most = 0;
  for (const [index, word] of list.entries()) {
    const left = list[index - size];
    if (left !== undefined && distinct.has(left)) {
      const count = counts.get(left)! - 1;
      if (count === 0) counts.delete(left);
      else counts.set(left, count);
    }
    if (!distinct.has(word)) continue;
    counts.set(word, (counts.get(word) ?? 0) + 1);
    most = Math.max(most, counts.size);
  }
  return most / distinct.size >= ENOUGH;
}
