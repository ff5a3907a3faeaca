/** Finds where a page's source writes the addresses of links, images, attributes and fields. */

import { linesOf } from "../../../../../src/markdoc/lines.ts";

/** An address as it is written, and what it belongs to. */
export interface WrittenTarget {
  /** From 1. */
  readonly line: number;
  readonly column: number;
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

const INLINE = /(!\[[^[\]\n]{0,500})?\]\([ \t]*(<[^<>\n]*>|(?:[^\s()<>]|\([^\s()<>]*\))+)/g;
const DEFINITION = /^[ \t>]{0,9}\[((?:[^\]\\\n]|\\.)+)\]:[ \t]*(?:<([^<>\n]+)|([^\s<>]+)|$)/;
/** What follows a definition without an address. */
const NEXT_LINE = /^[ \t>]*(?:<([^<>\n]+)>|([^\s<>]+))[ \t]*$/;
const OPENING = /\{%\s*([\w-]*)/g;
/** Of a text without an end, what follows in its line is part of it: each character is read once. */
const IN_TAG = /(?:([\w-]{1,80})=)?"([^"\\\n]*(?:\\.[^"\\\n]*)*)("?)|%\}/g;

/** Longer lines of front matter hold no address. */
const LONGEST_FIELD = 2000;

const FIELD =
  /^(\s*(?:-\s+)?(?:(["']?)([\w-]+)\2:\s+)?)(?:"([^"\\]*)"|'([^']*)'|([^\s"'#][^"'#]*?))\s*(?:\s#.*)?$/;

/** @param offset The lines of the front matter. */
export function writtenTargets(source: string, offset: number): WrittenTarget[] {
  const lines = linesOf(source);
  const starts = [
    0,
    ...Array.from(source.matchAll(/\r\n?|\n/g), (end) => end.index + end[0].length),
  ];
  const targets: WrittenTarget[] = [];
  let field: string | undefined;
  lines.forEach((bare, index) => {
    const line = index + 1;
    if (index < offset) {
      if (bare.length > LONGEST_FIELD) return;
      const [, before, , key, ...values] = FIELD.exec(bare) ?? [];
      field = key ?? (/^\s*-\s/.test(bare) ? field : /^(["']?)([\w-]+)\1:/.exec(bare)?.[2]);
      const target = values.find((value) => value !== undefined);
      if (before === undefined || target === undefined) return;
      const quote = values[2] === undefined ? 1 : 0;
      const column = before.length + quote + 1;
      targets.push({ line, column, target, kind: "field", name: field });
      return;
    }
    for (const match of bare.matchAll(INLINE)) {
      const written = match[2]!;
      const isAngled = written.startsWith("<");
      const target = isAngled ? written.slice(1, -1) : written;
      const column = match.index + match[0].length - written.length + Number(isAngled) + 1;
      targets.push({ line, column, target, kind: match[1] === undefined ? "link" : "image" });
    }
    const definition = DEFINITION.exec(bare);
    if (definition !== null) {
      const [all, label, angled, plain] = definition;
      const next = NEXT_LINE.exec(lines[index + 1] ?? "");
      const target = angled ?? plain ?? next?.[1] ?? next?.[2];
      if (target === undefined) return;
      const isHere = (angled ?? plain) !== undefined;
      const column = isHere ? all.length - target.length : next![0].lastIndexOf(target);
      const at = { line: isHere ? line : line + 1, column: column + 1 };
      targets.push({ ...at, target, kind: "link", label });
    }
  });
  let line = 1;
  OPENING.lastIndex = starts[offset] ?? 0;
  for (let opened = OPENING.exec(source); opened !== null; opened = OPENING.exec(source)) {
    const tag = opened[1];
    IN_TAG.lastIndex = OPENING.lastIndex;
    for (;;) {
      const part = IN_TAG.exec(source);
      // No tag ends below.
      if (part === null) return targets;
      OPENING.lastIndex = IN_TAG.lastIndex;
      const [, name, target, end] = part;
      if (target === undefined) break;
      if (end === "") continue;
      const at = part.index + part[0].length - target.length - 1;
      while (line < starts.length && starts[line]! <= at) line++;
      const column = at - starts[line - 1]! + 1;
      targets.push({ line, column, target, kind: "attribute", name, tag });
    }
  }
  return targets;
}
