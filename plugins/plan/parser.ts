/**
 * The parser of one version of the plugin, with a limit on what it is given.
 *
 * @module
 */

import { parseMarkup } from "../../src/io/markup_limits.ts";
import { SIZE_LIMITS } from "../../src/io/read.ts";
import { FILE_LIMIT_MS } from "../../src/io/time_limit.ts";
import type { ParsedEntity } from "./entity.ts";

/** The parser of a loaded version. */
export interface PlanParser {
  /**
   * Parses a file's text; `null` where it holds no entity.
   *
   * @throws {RefraktError} `VALIDATION_ERROR` for a text that would keep it long.
   */
  parse(source: string, file: string): ParsedEntity | null;
}

/**
 * Wraps the plugin's function.
 *
 * @param parseFileContent The plugin's `parseFileContent`.
 * @param limitMs How long it may take for a file, in milliseconds.
 * @throws {TypeError} Where there is no function.
 */
export function planParser(
  parseFileContent: (source: string, file: string) => ParsedEntity | null,
  limitMs = FILE_LIMIT_MS,
): PlanParser {
  if (typeof parseFileContent !== "function") {
    throw new TypeError("The plugin's scanner has no function parseFileContent");
  }
  return {
    parse: (source, file) =>
      parseMarkup(withLineFeeds(source), (text) => parseFileContent(text, file), {
        most: SIZE_LIMITS.plan,
        milliseconds: limitMs,
      }),
  };
}

/**
 * A text as the parser takes it: its patterns know neither CRLF nor a byte order mark,
 * with which it would not see the tag on the first line.
 */
function withLineFeeds(source: string): string {
  return source.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}
