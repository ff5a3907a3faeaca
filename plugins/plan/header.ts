/**
 * The header of an entity, read without the plugin's parser where the file has the
 * usual form; that parser takes a hundred times as long.
 *
 * @module
 */

import { isEntityType, TAG_NAMES } from "../../src/project/entities.ts";
import type { EntityHeader } from "./entity.ts";

/**
 * A file that begins with its tag, with plain quoted attributes and nothing else in it,
 * and then its title. Everything else is left to the plugin.
 */
const USUAL = new RegExp(
  `^\\{% (${TAG_NAMES})` +
    /((?: [a-z][a-z-]*="[^"\\{}%\n\r\0]*")*) %\}\n+# ([^\s][^\n\r\0]*)\n/.source,
);
const ATTRIBUTE = / ([a-z][a-z-]*)="([^"]*)"/g;
/** A code span without white space at its ends, which a parser might strip. */
const CODE = /`([^`\s](?:[^`]*[^`\s])?)`/g;
/** What may be more than text in a heading. */
const MARKUP = /[\\`*_[\]<\ufffd]|\{%|%\}|&[#\w]|~~|#\s*$/;

/** Reads the header; `undefined` where the file is not of the usual form. */
export function usualHeader(source: string): EntityHeader | undefined {
  const match = USUAL.exec(source);
  if (match === null) return undefined;
  const attributes: Record<string, string> = {};
  for (const [, name, value] of match[2]!.matchAll(ATTRIBUTE)) {
    // Which of two counts is the parser's business, and so is a name with a meaning of its own.
    if (Object.hasOwn(attributes, name!) || name === "class") return undefined;
    attributes[name!] = value!;
  }
  const words = match[3]!.trim();
  if (
    words.includes("``") || MARKUP.test(words.replace(CODE, "")) ||
    /[{%]/.test(words.match(CODE)?.join("") ?? "")
  ) {
    return undefined;
  }
  const type = match[1]!;
  return isEntityType(type) ? { type, attributes, title: words.replace(CODE, "$1") } : undefined;
}
