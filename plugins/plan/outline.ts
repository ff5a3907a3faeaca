/**
 * The parts of an entity's text with their places: what an edit needs to change
 * one of them and leave the rest alone.
 *
 * @module
 */

import { opensComment, withoutCode } from "../../src/io/markdown.ts";
import { type EntityType, findEntityTag, linesOf } from "../../src/project/entities.ts";
import type { Criterion } from "./entity.ts";

/** One change of a text: what stands between two offsets becomes another text. */
export interface Splice {
  /** Where it begins. */
  readonly start: number;
  /** Where it ends. */
  readonly end: number;
  /** What stands there afterwards. */
  readonly text: string;
}

/** A heading of an entity. */
export interface Heading {
  /** 1 to 6. */
  readonly level: number;
  /** Its text as it is written. */
  readonly text: string;
  /** Where its line begins. */
  readonly start: number;
  /** Where its line ends, without the line's end. */
  readonly end: number;
}

/** A second-level heading with what belongs to it. */
export interface Section {
  /** The text of the heading. */
  readonly heading: string;
  /** Where the heading's line begins. */
  readonly start: number;
  /** Where the line after the heading begins. */
  readonly bodyStart: number;
  /** Where the next section, or the end of the entity, begins. */
  readonly end: number;
}

/** A check box. */
export interface CriterionLine {
  /** Its number within the entity, from 1. */
  readonly number: number;
  /** Its text. */
  readonly text: string;
  /** Whether it is ticked. */
  readonly checked: boolean;
  /** Where its line begins. */
  readonly start: number;
  /** Where its line ends, without the line's end. */
  readonly end: number;
  /** The place of the mark between the brackets. */
  readonly box: number;
}

/** The parts of an entity: all inside of it, none in a code fence, no check box in a comment. */
export interface Outline {
  /** The entity's type. */
  readonly type: EntityType;
  /** The opening tag. */
  readonly tag: { readonly start: number; readonly end: number };
  /** Whether the tag closes itself, so that the entity has no text. */
  readonly isEmpty: boolean;
  /** Where the line after the opening tag begins. */
  readonly bodyStart: number;
  /** Where the closing tag begins, or the text ends. */
  readonly bodyEnd: number;
  /** Whether the closing tag is there. */
  readonly isClosed: boolean;
  /** The first heading of the first level. */
  readonly title: Heading | undefined;
  /** Every heading, in the order of the text. */
  readonly headings: readonly Heading[];
  /** Every section, in the order of the text. */
  readonly sections: readonly Section[];
  /** Every check box, in the order of the text. */
  readonly criteria: readonly CriterionLine[];
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const CRITERION = /^(\s*-\s+\[)([ xX])\]\s+(.+)/;

/** The outline of the first entity in a text; `undefined` where there is none. */
export function outlineOf(source: string): Outline | undefined {
  const tag = findEntityTag(source);
  if (tag === undefined) return undefined;
  const { type, start, end } = tag;
  const isEmpty = /\/\s*$/.test(tag.attributes);
  const newline = source.indexOf("\n", end);
  const bodyStart = newline === -1 || isEmpty ? end : newline + 1;
  const headings: Heading[] = [];
  const criteria: CriterionLine[] = [];
  let bodyEnd = isEmpty ? end : source.length;
  let isClosed = isEmpty;
  const nested = new RegExp(`^\\s*\\{%\\s*${type}(?=[\\s%])`);
  const closing = new RegExp(`^\\s*\\{%\\s*/${type}\\s*%\\}`);
  let depth = 1;
  // How many criteria precede the comment that is open; one that is never closed hides nothing.
  let commentAt: number | undefined;
  for (const line of isEmpty ? [] : linesOf(source, bodyStart)) {
    if (line.isFenced) continue;
    const hasTag = line.text.includes("{%");
    if (hasTag && nested.test(line.text)) depth++;
    if (hasTag && closing.test(line.text) && --depth === 0) {
      [bodyEnd, isClosed] = [line.start, true];
      break;
    }
    const heading = line.text.includes("#") ? HEADING.exec(line.text) : null;
    if (heading !== null) {
      headings.push({
        level: heading[1]!.length,
        text: heading[2] ?? "",
        start: line.start,
        end: line.start + line.text.length,
      });
    }
    const box = line.text.includes("[") ? CRITERION.exec(line.text) : null;
    if (box !== null) {
      criteria.push({
        number: criteria.length + 1,
        text: box[3]!.trim(),
        checked: box[2] !== " ",
        start: line.start,
        end: line.start + line.text.length,
        box: line.start + box[1]!.length,
      });
    }
    if (commentAt !== undefined && line.text.includes("-->")) {
      criteria.length = commentAt;
      commentAt = undefined;
    } else if (commentAt === undefined && line.text.includes("<!--")) {
      if (opensComment(withoutCode(line.text))) commentAt = criteria.length;
    }
  }
  return {
    type,
    tag: { start, end },
    isEmpty,
    bodyStart,
    bodyEnd,
    isClosed,
    title: headings.find((heading) => heading.level === 1),
    headings,
    sections: sectionsOf(source, headings, bodyEnd),
    criteria,
  };
}

/**
 * The criteria of the first entity in a text, as every tool has them; `undefined` where there is
 * no entity. The plugin also counts boxes in code fences and comments, which nobody can tick.
 */
export function criteriaOf(source: string): Criterion[] | undefined {
  return outlineOf(source)?.criteria.map(({ text, checked }) => ({ text, checked }));
}

function sectionsOf(source: string, headings: readonly Heading[], bodyEnd: number): Section[] {
  const tops = headings.filter(({ level }) => level <= 2);
  return tops.flatMap((heading, index): Section[] => {
    if (heading.level !== 2) return [];
    const newline = source.indexOf("\n", heading.end);
    return [{
      heading: heading.text,
      start: heading.start,
      bodyStart: newline === -1 ? source.length : newline + 1,
      end: tops[index + 1]?.start ?? bodyEnd,
    }];
  });
}

/**
 * Applies changes to a text.
 *
 * @throws {TypeError} Where two of them touch the same place.
 */
export function applySplices(source: string, splices: readonly Splice[]): string {
  let text = "";
  let at = 0;
  for (const splice of [...splices].sort((a, b) => a.start - b.start)) {
    if (splice.start < at) throw new TypeError("Two changes overlap");
    text += source.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return text + source.slice(at);
}
