/**
 * The parser of one version of the plugin, with a limit on what it is given.
 *
 * @module
 */

import { parseMarkup } from "../../src/io/markup_limits.ts";
import { SIZE_LIMITS } from "../../src/io/read.ts";
import { FILE_LIMIT_MS } from "../../src/io/time_limit.ts";
import { plainOf } from "./document.ts";
import type { ParsedEntity } from "./entity.ts";

/**
 * Parses a file's text; `null` where it holds no entity.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for a text that takes too long.
 */
export type ParseEntity = (source: string, file: string) => ParsedEntity | null;

/**
 * Wraps the plugin's `parseFileContent`. Its patterns do not match CRLF, and miss a tag on the
 * first line after a byte order mark.
 *
 * @param limitMs How long a file may take, in milliseconds.
 */
export function planParser(parse: ParseEntity, limitMs = FILE_LIMIT_MS): ParseEntity {
  const limits = { most: SIZE_LIMITS.plan, milliseconds: limitMs };
  return (source, file) => parseMarkup(plainOf(source), (text) => parse(text, file), limits);
}
