/**
 * Finds text of a source that the rendered tree lacks. A rune may split, move and reformat its
 * text, so a phrase counts as present if most of its words are close together.
 */

import { exampleFor, parseContent } from "../../runes/example_page.ts";
import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import { INLINE_ELEMENTS, isElement } from "../../upstream/elements.ts";
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

const INLINE_NODES = new Set(["inline", "strong", "em", "s", "link"]);

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
  const end = (around: Enclosing) => {
    if (text.trim() !== "") texts.push({ text, line, ...around });
    text = "";
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
    else if (INLINE_NODES.has(type)) children.forEach((child) => visit(child, around));
    else {
      end(around);
      line = node.lines[0] ?? line;
      const inside = node.tag === undefined
        ? around
        : { tags: [...around.tags, node.tag], within: ++count };
      if (type === "fence" || type === "code_block") text = String(content ?? "");
      else {
        const visited = node.tag === "if" ? takenBranch(node, config) : children;
        visited.forEach((child) => visit(child, inside));
      }
      end(inside);
    }
  };
  visit(ast, { tags: [], within: 0 });
  return texts;
}

/** The children of the first branch of `{% if %}` whose condition holds. */
function takenBranch(node: MarkdocNode, config: object): MarkdocNode[] {
  const { children } = node;
  const isTaken = (branch: MarkdocNode) => {
    if (branch !== node && !Object.hasOwn(branch.attributes, "primary")) return true;
    const value = branch.resolve(config).attributes["primary"];
    return value !== undefined && value !== null && value !== false;
  };
  const others = children.filter(({ tag }) => tag === "else");
  const opening = [node, ...others].find(isTaken);
  if (opening === undefined) return [];
  const branch = children.slice(children.indexOf(opening) + 1);
  const end = branch.findIndex(({ tag }) => tag === "else");
  return end === -1 ? branch : branch.slice(0, end);
}

/** Attributes that contain no text of the source. */
const WITHOUT_TEXT = new Set(["class", "id", "data-rune", "data-density", "data-elevation"]);

/** Attributes without words that a reader sees: also those with addresses. */
const WITHOUT_WORDS = new Set([...WITHOUT_TEXT, "href", "src"]);

/** Stands where an inline element begins or ends, which may be within a word. */
const JOINT = "\uE000";

/** Words and numbers (`16px` is 16 and px) that end at inline elements, or go across them. */
const WORDS = /\p{L}[\p{L}\p{M}]*|\p{N}+/gu;
const JOINED_WORDS = /\p{L}[\p{L}\p{M}\uE000]*|\p{N}[\p{N}\uE000]*/gu;

/** The text of a tree, followed by that of its attributes, in the form to search. */
function searchedText(tree: unknown, without = WITHOUT_TEXT): string {
  const pieces: string[] = [];
  const attributes: string[] = [];
  const visited = new Set<object>();
  const visit = (value: unknown, into: string[]): void => {
    if (typeof value === "string" || typeof value === "number") into.push(String(value));
    if (typeof value !== "object" || value === null || visited.has(value)) return;
    visited.add(value);
    if (Array.isArray(value) || value instanceof Map) {
      return value.forEach((each: unknown) => visit(each, into));
    }
    const isTag = isElement(value);
    for (const [name, each] of Object.entries(isTag ? value.attributes : value)) {
      if (!isTag || !without.has(name)) visit(each, attributes);
    }
    if (!isTag) return;
    const edge = INLINE_ELEMENTS.has(value.name) ? JOINT : "\n";
    into.push(edge);
    visit(value.children, into);
    into.push(edge);
  };
  visit(tree, pieces);
  return comparable([pieces.join(""), ...attributes].join("\n"));
}

/** Whether all texts occur in order: then nothing is lost. */
function standInOrder(texts: readonly Wanted[], text: string): boolean {
  const all = ` ${(text.match(WORDS) ?? []).join(" ")} `;
  let at = 0;
  return texts.every(({ words }) => {
    const phrase = ` ${words.join(" ")} `;
    const start = all.indexOf(phrase, at);
    // The space after a phrase is also the one before the next.
    at = start + phrase.length - 1;
    return start !== -1;
  });
}

/** How many occurrences of a phrase are tried. */
const MOST_TRIED = 200;

/** The share of a phrase's words that must be close together. */
const ENOUGH = 0.75;

/** Next to the text before or after; within a block element; anywhere. */
type PlaceKind = "beside" | "in block" | "anywhere";

/** The words of a text by one of the two patterns. */
function readWords(text: string, pattern: RegExp) {
  const words = [...text.matchAll(pattern)];
  /** The number of each word by its place in `all`. */
  const starts = new Map<number, number>();
  /** All words, with a space around each. */
  let all = "";
  for (const [index, [word]] of words.entries()) {
    starts.set(all.length, index);
    all += ` ${word.replaceAll(JOINT, "")}`;
  }
  /** Where to search for a phrase: all its places before are taken. */
  const from = new Map<string, number>();
  return { words, starts, all: `${all} `, from };
}

/** The rendered words, each of which one text of the source takes as its owner: a number from 2. */
function createPlaces(text: string) {
  /** The owner of each character; 0 for none. */
  const owners = new Int32Array(text.length);
  const ownerOf = (word: RegExpExecArray | undefined) => word && owners[word.index];
  const readings = new Map<RegExp, ReturnType<typeof readWords>>();
  const readingOf = (pattern: RegExp) =>
    readings.getOrInsertComputed(pattern, () => readWords(text, pattern));
  const freeWords = () => {
    const words = readingOf(WORDS).words.filter((word) => ownerOf(word) === 0);
    const list = words.map(([word]) => word);
    return { list, all: new Set(list) };
  };
  let free: ReturnType<typeof freeWords> | undefined;
  return {
    /** Takes free words for a text, in a place of a kind; returns whether there are any. */
    take({ words: wanted, owner }: Pick<Wanted, "words" | "owner">, kind: PlaceKind): boolean {
      const phrase = ` ${wanted.join(" ")} `;
      for (const { words, starts, all, from } of [WORDS, JOINED_WORDS].values().map(readingOf)) {
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
          const [start, end] = [place[0]!.index, place.at(-1)!.index + place.at(-1)![0].length];
          if (place.some((word) => ownerOf(word) !== 0)) continue;
          if (kind !== "anywhere" && text.slice(start, end).includes("\n")) continue;
          const isBeside = ownerOf(words[first - 1]) === owner - 1 ||
            ownerOf(words[first + wanted.length]) === owner + 1;
          if (kind === "beside" && !isBeside) continue;
          owners.fill(owner, start, end);
          free = undefined;
          return true;
        }
        if (tried === 0) from.set(phrase, all.length);
      }
      return false;
    },
    /** Whether the words without an owner include all of these, most of them close together. */
    hasTogether(wanted: readonly string[]): boolean {
      const { list, all } = free ??= freeWords();
      const distinct = new Set(wanted);
      if (!distinct.isSubsetOf(all)) return false;
      const reach = wanted.length * 3 + 10;
      /** Where each word of the last ones is, the oldest first. */
      const recent = new Map<string, number>();
      let most = 0;
      for (const [index, word] of list.entries()) {
        if (!distinct.has(word)) continue;
        recent.delete(word);
        recent.set(word, index);
        for (const [oldest, at] of recent) {
          if (at > index - reach) break;
          recent.delete(oldest);
        }
        most = Math.max(most, recent.size);
      }
      return most / distinct.size >= ENOUGH;
    },
  };
}

/** Where runes split a text: `name: value`, `name - value`, `name (value)`. */
const SEPARATOR = /\s[-–—|]\s|[:;,()—]/g;

/** A text of the source with words, and its number as an owner. */
type Wanted = ReturnType<typeof wantedTexts>[number];

function wantedTexts(texts: readonly SourceText[]) {
  return texts.map((source, index) => {
    const text = withoutMarks(source);
    return { source, text, owner: index + 2, words: wordsOf(text) };
  }).filter(({ words }) => words.length > 0);
}

/**
 * Gives places to texts, longer ones first: a kind of places after another, or all kinds for texts
 * of one length.
 *
 * @returns The texts that have no place.
 */
function withoutPlace(
  wanted: readonly Wanted[],
  places: ReturnType<typeof createPlaces>,
  rounds: readonly (readonly PlaceKind[])[],
): Set<Wanted> {
  const remaining = new Set(wanted);
  // Of equal texts, those outside of runes get their words first.
  const sorted = wanted.toSorted((a, b) => a.source.tags.length - b.source.tags.length);
  const groups = [...Map.groupBy(sorted, ({ words }) => words.length)].sort(([a], [b]) => b - a);
  for (const kinds of rounds) {
    for (const [, group] of groups) {
      for (const kind of kinds) {
        for (const text of group) {
          if (remaining.has(text) && places.take(text, kind)) remaining.delete(text);
        }
      }
    }
  }
  return remaining;
}

/** Finds the texts of a source that are lost in the rendered `tree`. */
export function lostTexts(
  site: SiteContext,
  texts: readonly SourceText[],
  tree: unknown,
): LostText[] {
  const wanted = wantedTexts(texts);
  const whole = searchedText(tree);
  if (standInOrder(wanted, whole)) return [];
  const places = createPlaces(whole);
  const open = withoutPlace(wanted, places, [["beside", "in block"], ["anywhere"]]);
  /** The labels that tags show: a rune may show equal ones once. */
  const labels = new Set(wanted.filter((each) => !open.has(each)).map(labelOf));
  labels.delete("");
  return [...open].flatMap((each) => {
    const { source, text, words, owner } = each;
    const parts = splitAtSeparators(text);
    const label = labelOf(each);
    const isSomewhere = (words: readonly string[]) => {
      // Runes reformat numbers, such as times and dates, and drop the v of a version.
      const wanted = source.tags.length === 0
        ? words
        : words.filter((word) => !/^(?:\p{N}+|[a-z])$/u.test(word));
      return wanted.length === 0 || places.hasTogether(wanted);
    };
    if (isSomewhere(words)) return [];
    const lost = parts.filter((part) =>
      !(part === parts[0] && labels.has(label)) &&
      !places.take({ ...part, owner }, "anywhere") && !isSomewhere(part.words)
    );
    const [first] = lost;
    if (first !== parts[0] && label !== "") labels.add(label);
    if (first === undefined) return [];
    const option = text.slice(0, parts[0]!.end).trim();
    const isOption = (tag: string) => exampleFor(site, tag).includes(`\n- ${option}:`);
    const isLabel = lost.length === 1 && label !== "" && first === parts[0];
    if (isLabel && source.tags.some(isOption)) return [];
    const lostWords = text.slice(first.start, lost.at(-1)!.end).replace(/\s+/g, " ").trim();
    return [{ ...source, words: lostWords }];
  });
}

/** The texts that a tree does not contain word for word, each with words of its own. */
export function missingTexts(texts: readonly SourceText[], tree: unknown): SourceText[] {
  const places = createPlaces(searchedText(tree, WITHOUT_WORDS));
  const kinds: readonly PlaceKind[] = ["beside", "in block", "anywhere"];
  return Array.from(withoutPlace(wantedTexts(texts), places, [kinds]), ({ source }) => source);
}

/** The text of a rune's example that is lost in what the example becomes. */
export function lostInExample(site: SiteContext, example: string, tree: unknown): LostText[] {
  return lostTexts(site, sourceTexts(site, parseContent(site, example), {}), tree);
}

/** The words before the first separator, with the number of the tag; empty without a separator. */
function labelOf({ source, text }: Wanted): string {
  const parts = splitAtSeparators(text);
  return parts.length === 1 ? "" : `${source.within} ${parts[0]!.words.join(" ")}`;
}

function splitAtSeparators(text: string) {
  const separators = [...text.matchAll(SEPARATOR)];
  const starts = [0, ...separators.map((separator) => separator.index + separator[0].length)];
  return starts.map((start, index) => {
    const end = separators[index]?.index ?? text.length;
    return { start, end, words: wordsOf(text.slice(start, end)) };
  });
}

/** The options of a form's fields become attributes of them. */
const FIELD_OPTIONS = /\b(?:optional|required|placeholder|multiple|radio)\b/gi;

/** Removes marks that runes read: check boxes of lists and options of fields. */
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
