/** Finds where a page writes the addresses of links, images, attributes and fields: Markdoc keeps lines only. */

import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import type { Place } from "../../../../../src/markdoc/edits.ts";
import { orElse } from "../../../../../src/errors.ts";
import { linesWithoutCode } from "../../../../../src/markdoc/lines.ts";
import type { Scope } from "./scope.ts";

/** An address as it is written, and what it belongs to. */
export interface WrittenTarget extends Place {
  readonly target: string;
  /** `field` of the front matter. */
  readonly kind: "link" | "image" | "attribute" | "field";
  /** The attribute or field; `undefined` for a value without a name. */
  readonly name?: string | undefined;
  /** The tag of an attribute. */
  readonly tag?: string | undefined;
  /** The label of a definition, such as `[label]: /address`. */
  readonly label?: string | undefined;
}

/** An address in the text of a page. */
export interface WrittenAddress {
  /** Where a reader looks: the address of a link; the start of an image or of a reference `[a][b]`. */
  readonly place: Place;
  /** The address as the file has it, and where: that of a reference is in its definition. */
  readonly written?: { readonly text: string; readonly place: Place };
}

const INLINE_LINK = /(!\[[^[\]\n]{0,500})?\]\([ \t]*(<[^<>\n]*>|(?:[^\s()<>]|\([^\s()<>]*\))+)/g;
/** A definition of a label. Its address may be alone in the next line. */
const DEFINITION =
  /^[ \t>]{0,9}\[((?:[^\]\\\n]|\\.)+)\]:[ \t]*(?:<([^<>\n]+)|([^\s<>]+)|\n[ \t>]*(?:<([^<>\n]+)>|([^\s<>]+))[ \t]*$)/;
const OPENING = /\{%\s*([\w-]*)/g;
/** A quoted value or the end of a tag. A value without an end takes the rest of its line. */
const IN_TAG = /(?:([\w-]{1,80})=)?"([^"\\\n]*(?:\\.[^"\\\n]*)*)("?)|%\}/g;

/** Longer lines of front matter hold no address. */
const LONGEST_FIELD = 2000;

const FIELD =
  /^(\s*(?:-\s+)?(?:(["']?)([\w-]+)\2:\s+)?)(?:"([^"\\]*)"|'([^']*)'|([^\s"'#][^"'#]*?))\s*(?:\s#.*)?$/;

/** `[text][label]`, `[label][]` and `[label]`, with `!` before an image; brackets may be in the text. */
const REFERENCE_LINK =
  /(!?)\[((?:[^[\]\\\n]|\\[^]|\n(?!\s*\n)|\[(?:[^[\]\\\n]|\\.){0,500}\]){1,500})\](?:\[((?:[^[\]\\\n]|\\.|\n(?!\s*\n)){0,500})\])?(?![(:])/g;

/** An image with a reference, which may be in the text of a link. */
const REFERENCE_IMAGE =
  /(!)\[((?:[^[\]\\\n]|\\.){1,500})\](?:\[((?:[^[\]\\\n]|\\.){0,500})\])?(?!\()/g;

/** @param offset The lines of the front matter. */
export function writtenTargets(lines: readonly string[], offset: number): WrittenTarget[] {
  const content = lines.slice(offset);
  return [
    ...fieldTargets(lines.slice(0, offset)),
    ...content.flatMap((text, index) => lineTargets(text, content[index + 1], offset + index + 1)),
    ...attributeTargets(content.join("\n"), offset + 1),
  ];
}

/** @param lines Those of the front matter. */
export function fieldTargets(lines: readonly string[]): WrittenTarget[] {
  let name: string | undefined;
  return lines.flatMap((text, index): WrittenTarget[] => {
    if (text.length > LONGEST_FIELD) return [];
    const [, before, , key, ...values] = FIELD.exec(text) ?? [];
    name = key ?? (/^\s*-\s/.test(text) ? name : /^(["']?)([\w-]+)\1:/.exec(text)?.[2]);
    const target = values.find((value) => value !== undefined);
    if (before === undefined || target === undefined) return [];
    const quote = values[2] === undefined ? 1 : 0;
    return [{ line: index + 1, column: before.length + quote + 1, target, kind: "field", name }];
  });
}

function lineTargets(text: string, next: string | undefined, line: number): WrittenTarget[] {
  const targets = Array.from(text.matchAll(INLINE_LINK), (match): WrittenTarget => {
    const [all, image, written] = match;
    const angle = written!.startsWith("<") ? 1 : 0;
    const column = match.index + all.length - written!.length + angle + 1;
    const target = angle === 0 ? written! : written!.slice(1, -1);
    return { line, column, target, kind: image === undefined ? "link" : "image" };
  });
  const [all = "", label, ...addresses] = DEFINITION.exec(`${text}\n${next ?? ""}`) ?? [];
  const target = addresses.find(Boolean);
  if (target === undefined) return targets;
  const end = all.indexOf("\n");
  const column = all.lastIndexOf(target) - end;
  return [...targets, { line: line + Number(end !== -1), column, target, kind: "link", label }];
}

function attributeTargets(text: string, firstLine: number): WrittenTarget[] {
  const targets: WrittenTarget[] = [];
  const placeAt = placesIn(text, firstLine);
  OPENING.lastIndex = 0;
  for (let opened = OPENING.exec(text); opened !== null; opened = OPENING.exec(text)) {
    const tag = opened[1];
    IN_TAG.lastIndex = OPENING.lastIndex;
    for (;;) {
      const part = IN_TAG.exec(text);
      // No tag ends in the rest of the text.
      if (part === null) return targets;
      OPENING.lastIndex = IN_TAG.lastIndex;
      const [all, name, target, end] = part;
      if (target === undefined) break;
      if (end === "") continue;
      const place = placeAt(part.index + all.length - target.length - 1);
      targets.push({ ...place, target, kind: "attribute", name, tag });
    }
  }
  return targets;
}

/** Returns a function from an index of a text to its place; indexes must increase. */
function placesIn(text: string, firstLine: number): (index: number) => Place {
  let [line, start] = [firstLine, 0];
  return (index) => {
    for (let end = 0; (end = text.indexOf("\n", start)) !== -1 && end < index; line++) {
      start = end + 1;
    }
    return { line, column: index - start + 1 };
  };
}

export function linkPlaces({ ast, locator: { source, offset } }: Pick<Scope, "ast" | "locator">) {
  const lines = linesWithoutCode(source, ast, offset);
  const byAddress = Map.groupBy(
    textAddresses(lines, offset),
    ({ kind, written }) => `${kind} ${plainAddress(written.text)}`,
  );
  /** Returns where a link or an image with this address is written; called in the page's order. */
  return (kind: "link" | "image", node: MarkdocNode, address: string): WrittenAddress => {
    const [first = 0, last = first + 1] = [node.lines[0], node.lines.at(-1)];
    const [line, end] = [first + offset + 1, Math.max(last, first + 1) + offset + 1];
    const queue = byAddress.get(`${kind} ${plainAddress(address)}`) ?? [];
    while (queue[0] !== undefined && queue[0].place.line < line) queue.shift();
    const isHere = queue[0] !== undefined && queue[0].place.line < end;
    return isHere ? queue.shift()! : { place: { line, column: 1 } };
  };
}

/** The addresses of links and images in the text of a page, in its order. */
function textAddresses(lines: readonly string[], offset: number) {
  const definitions = new Map<string, WrittenTarget>();
  const addresses: (Required<WrittenAddress> & { readonly kind: "link" | "image" })[] = [];
  const add = (kind: "link" | "image", place: Place, { target, line, column }: WrittenTarget) =>
    addresses.push({ kind, place, written: { text: target, place: { line, column } } });
  for (const target of writtenTargets(lines, offset)) {
    const { kind, label, line, column } = target;
    if (label !== undefined) definitions.getOrInsert(comparableLabel(label), target);
    else if (kind === "link") add(kind, { line, column }, target);
    else if (kind === "image") {
      add(kind, { line, column: lines[line - 1]!.lastIndexOf("![", column - 1) + 1 }, target);
    }
  }
  if (definitions.size === 0) return addresses;
  const text = lines.slice(offset).join("\n");
  for (const [pattern, kind] of [[REFERENCE_LINK, "link"], [REFERENCE_IMAGE, "image"]] as const) {
    const placeAt = placesIn(text, offset + 1);
    for (const match of text.matchAll(pattern)) {
      const [, mark, linkText, label] = match;
      const definition = definitions.get(comparableLabel(label || linkText!));
      if (definition === undefined || (mark === "!") !== (kind === "image")) continue;
      add(kind, placeAt(match.index), definition);
    }
  }
  return addresses.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
}

/** Labels are compared without case, and with one space for each run of them. */
const comparableLabel = (label: string) => label.trim().replace(/\s+/g, " ").toLowerCase();

/** An address without escapes, entities of `&` and encoding, to compare what is written with what is read. */
function plainAddress(address: string): string {
  return address
    .replace(/\\([!-/:-@[-`{-~])/g, (_, escaped: string) => escaped)
    .replaceAll("&amp;", "&")
    .replace(/(?:%[\da-f]{2})+/gi, (run) => orElse(() => decodeURIComponent(run), run));
}
