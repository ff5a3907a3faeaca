/**
 * The parser of one version of the plugin, with a limit on what it is given.
 *
 * @module
 */

import type { ParsedEntity } from "./entity.ts";
import { type EntityRest, restOf } from "./store/stored_entity.ts";

/** The parser of a loaded version. */
export interface PlanParser {
  /** Parses a file's text; `null` where it holds no entity. */
  parse(source: string, file: string): ParsedEntity | null;
  /** What stands for the parts beyond the header until they are parsed. */
  readonly emptyRest: EntityRest;
}

/** More tags than any entity has: the parser's time grows with their square. */
const MOST_TAGS = 2000;

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
      return hasTooManyTags(text) ? null : parseFileContent(text, file);
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

function hasTooManyTags(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf("{%"); at !== -1; at = text.indexOf("{%", at + 2)) {
    if (++count > MOST_TAGS) return true;
  }
  return false;
}
