/**
 * The parser of one version of the plugin, with a limit on what it is given.
 *
 * @module
 */

import { requireParsable } from "../../src/io/markup_limits.ts";
import { SIZE_LIMITS } from "../../src/io/read.ts";
import type { ParsedEntity } from "./entity.ts";
import { type EntityRest, restOf } from "./store/stored_entity.ts";

/** The parser of a loaded version. */
export interface PlanParser {
  /**
   * Parses a file's text; `null` where it holds no entity.
   *
   * @throws {RefraktError} `VALIDATION_ERROR` for a text that would keep it long.
   */
  parse(source: string, file: string): ParsedEntity | null;
  /** What stands for the parts beyond the header until they are parsed. */
  readonly emptyRest: EntityRest;
}

/** An entity with nothing in it, to see what the parser answers. */
const SAMPLE = '{% work id="WORK-001" status="ready" %}\n\n# Sample\n\n{% /work %}\n';

/**
 * Wraps the plugin's function.
 *
 * @param parseFileContent The plugin's `parseFileContent`.
 * @returns The parser. Its first use tries whether the function parses as it should, and
 * throws a `TypeError` where it does not; a list of tools parses nothing.
 * @throws {TypeError} Where there is no function.
 */
export function planParser(
  parseFileContent: (source: string, file: string) => ParsedEntity | null,
): PlanParser {
  if (typeof parseFileContent !== "function") {
    throw new TypeError("The plugin's scanner has no function parseFileContent");
  }
  let emptyRest: EntityRest | undefined;
  const rest = () => emptyRest ??= restOf(sampleOf(parseFileContent));
  return {
    parse: (source, file) => {
      rest();
      const text = plainText(source);
      requireParsable(text, SIZE_LIMITS.plan);
      return parseFileContent(text, file);
    },
    get emptyRest() {
      return rest();
    },
  };
}

function sampleOf(parse: (source: string, file: string) => ParsedEntity | null): ParsedEntity {
  const sample = parse(SAMPLE, "work/WORK-001-sample.md");
  if (sample?.type === "work" && sample.attributes["id"] === "WORK-001") return sample;
  throw new TypeError("parseFileContent does not give an entity's type and attributes");
}

/**
 * A text as the parser takes it: its patterns know neither CRLF nor a byte order mark,
 * with which it would not see the tag on the first line.
 */
export function plainText(source: string): string {
  return source.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}
