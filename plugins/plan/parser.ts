/**
 * The parser of one version of the plugin, with a limit on what it is given.
 *
 * @module
 */

import { parseMarkup, requireParsable } from "../../src/io/markup_limits.ts";
import { SIZE_LIMITS } from "../../src/io/read.ts";
import type { EntityType } from "../../src/project/entities.ts";
import { FILE_LIMIT_MS } from "../../src/io/time_limit.ts";
import type { ParsedEntity } from "./entity.ts";
import { usualHeader } from "./header.ts";
import { criteriaOf } from "./outline.ts";
import { detached, type EntityRest, restOf } from "./store/stored_entity.ts";
import { type SectionOf, usualRest } from "./usual_rest.ts";

/** The parser of a loaded version. */
export interface PlanParser {
  /**
   * Parses a file's text; `null` where it holds no entity.
   *
   * @throws {RefraktError} `VALIDATION_ERROR` for a text that would keep it long.
   */
  parse(source: string, file: string): ParsedEntity | null;
  /**
   * What a file's text says beyond the header; its criteria as {@linkcode criteriaOf} has them.
   *
   * @throws {RefraktError} As {@linkcode parse}.
   */
  rest(source: string, file: string): EntityRest | null;
  /** What stands for the parts beyond the header until they are parsed. */
  readonly emptyRest: EntityRest;
}

/** An entity with nothing in it, to see what the parser answers. */
const SAMPLE = '{% work id="WORK-001" status="ready" %}\n\n# Sample\n\n{% /work %}\n';

/** What {@linkcode usualRest} reads must be what this parser reads of these, or it is not used. */
const PROBES = [
  SAMPLE,
  `{% work id="WORK-001" status="done" %}

# Sample

Text with {% ref "SPEC-001" /%} and \`{% ref "SPEC-002" /%}\`.

## Acceptance Criteria

- [x] One of {% xref "ADR-001" /%}

## Depends on

- {% ref "WORK-002" /%}
- {% ref "WORK-002" /%}

\`\`\`
## Approach
{% ref "WORK-003" /%}
\`\`\`

### Approach

{% ref "WORK-004" /%}

## Resolution

Completed: 2026-01-01
Branch: \`main\`
PR: org/name#1

Done, see {% ref "BUG-001" /%}.

{% /work %}
`,
];

/** So many headings are remembered. */
const MOST_HEADINGS = 10_000;

/**
 * Wraps the plugin's function.
 *
 * @param parseFileContent The plugin's `parseFileContent`.
 * @param limitMs How long it may take for a file, in milliseconds.
 * @returns The parser. Its first use tries whether the function parses as it should, and
 * throws a `TypeError` where it does not; a list of tools parses nothing.
 * @throws {TypeError} Where there is no function.
 */
export function planParser(
  parseFileContent: (source: string, file: string) => ParsedEntity | null,
  limitMs = FILE_LIMIT_MS,
): PlanParser {
  if (typeof parseFileContent !== "function") {
    throw new TypeError("The plugin's scanner has no function parseFileContent");
  }
  let emptyRest: EntityRest | undefined;
  const empty = () => emptyRest ??= restOf(sampleOf(parseFileContent));
  const parse = (source: string, file: string) => {
    empty();
    return parseMarkup(plainText(source), (text) => parseFileContent(text, file), {
      most: SIZE_LIMITS.plan,
      milliseconds: limitMs,
    });
  };
  const sectionOf = sectionNames((source) => {
    // A heading is too short to keep a parser long, and there are hundreds.
    requireParsable(source);
    return parseFileContent(source, "sample.md");
  });
  let isUsual: boolean | undefined;
  return {
    parse,
    rest: (source, file) => {
      isUsual ??= PROBES.every((probe) => readsAlike(parse(probe, file), probe, sectionOf));
      const text = plainText(source);
      const header = isUsual ? usualHeader(text) : undefined;
      const usual = header && usualRest(text, header.type, sectionOf);
      if (usual !== undefined) return withOwnCriteria({ ...usual, criteria: [] }, text);
      const parsed = parse(text, file);
      return parsed && withOwnCriteria(restOf(parsed), text);
    },
    get emptyRest() {
      return empty();
    },
  };
}

/** A copy with the criteria of the outline, which every edit goes by; it keeps no text alive. */
export function withOwnCriteria(rest: EntityRest, text: string): EntityRest {
  return detached({ ...rest, criteria: criteriaOf(text) ?? rest.criteria });
}

/** Asks the plugin for the canonical name of a section, once for each heading. */
function sectionNames(parse: (source: string) => ParsedEntity | null): SectionOf {
  const known = new Map<string, string | undefined>();
  return (type: EntityType, line: string) => {
    const key = `${type} ${line}`;
    if (known.has(key)) return known.get(key);
    const source = `{% ${type} id="WORK-001" %}\n\n# Sample\n\n${line}\n\n{% /${type} %}\n`;
    const name = parse(source)?.knownSectionsPresent[0];
    if (known.size >= MOST_HEADINGS) known.clear();
    // The key would keep alive the text that the line is a part of.
    known.set(detached(key), name);
    return name;
  };
}

/** Whether a parser says of a text, beside criteria, what is read without it. */
function readsAlike(parsed: ParsedEntity | null, text: string, sectionOf: SectionOf): boolean {
  const header = usualHeader(text);
  const usual = header && usualRest(text, header.type, sectionOf);
  if (parsed === null || usual === undefined) return false;
  const { criteria: _criteria, ...rest } = restOf(parsed);
  return sorted(rest) === sorted(usual);
}

/** An object as a text, whatever the order of its fields. */
function sorted(value: object): string {
  return JSON.stringify(
    value,
    (_key, inner: unknown) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a < b ? -1 : 1))
        : inner,
  );
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
