/**
 * Makes the plugin's parser read the entity that {@linkcode read} reads. On its own it takes the
 * content of comments for text, so that an entity in a comment would be one, or a heading in a
 * comment the title.
 */

import { RefraktError } from "../../../src/errors.ts";
import { tooHardToParse } from "../../../src/io/markup_limits.ts";
import { ENTITY_TYPES, isEntityType } from "../../../src/project/entities.ts";
import { blanked, type Document, plainOf, read } from "./document.ts";
import type { Head, ParsedEntity } from "./entity.ts";
import { textOf } from "./sections.ts";
import { own } from "./tag.ts";
import { inlineOf } from "./tokens.ts";

const VALUE = String.raw`[^"\\{}%\0-\x1f]*`;

/** Where most files begin: a tag on one line, and a title without links, tags and table cells. */
const HEAD = new RegExp(
  String.raw`^\n*\{% (${ENTITY_TYPES.join("|")})((?: [a-zA-Z][\w-]*="${VALUE}")*) %\}\n+` +
    String.raw`# ((?:[^\n\0\\&<{}[|]|& )*[^\s\0\\&<{}[|#]) *\n`,
);

/** In a tag that {@linkcode HEAD} matches. */
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;

/** Check boxes above this number are hidden from the plugin, whose parser they slow down. */
const MANY_BOXES = 500;

/**
 * The entity of a file by its first lines, if both parsers certainly read the same in them, whatever
 * comes after them; the rest can then be parsed later.
 */
export function headOf(source: string): Head | undefined {
  const [, type = "", attributes = "", title = ""] = HEAD.exec(plainOf(source)) ?? [];
  if (!isEntityType(type) || tooHardToParse(source) !== undefined) return undefined;
  const found = attributes.matchAll(ATTRIBUTE);
  return {
    type,
    attributes: Object.fromEntries(
      Array.from(found, ([, name, value]) => [own(name!), own(value!)]),
    ),
    title: own(textOf(inlineOf(title), true)),
  };
}

/**
 * Parses a file with both parsers.
 *
 * @param parse The plugin's parser of a text with LF line ends and without a byte order mark.
 * @throws {RefraktError} `VALIDATION_ERROR` with the line if it reads another entity than
 * {@linkcode read}.
 */
export function readAlike(
  source: string,
  parse: (text: string) => ParsedEntity | null,
): { document: Document; parsed: ParsedEntity | null } {
  const document = read(source);
  const { text, comments, entity } = document;
  const parsed = parse(withoutBoxes(document, blanked(text, comments)));
  if (meaningOf(entity, entity?.title?.text) !== meaningOf(parsed, parsed?.title)) {
    const { unclosed, errors = [], title, tag } = entity ?? {};
    const place = (unclosed ?? errors[0] ?? title?.line ?? tag)?.start ?? text.indexOf("{%");
    throw ambiguous(lineAt(text, place), "the plan plugin and Markdoc read different entities");
  }
  const { unclosed, tag } = entity ?? {};
  if (
    unclosed?.kind === "comment" && unclosed.start < tag!.start && text.includes("-->", tag!.end)
  ) {
    throw ambiguous(unclosed.line, "the comment around the entity does not begin its paragraph");
  }
  return { document, parsed };
}

/** Hides the lines of many check boxes, except those with a tag. */
function withoutBoxes({ entity }: Document, text: string): string {
  const { criteria = [] } = entity ?? {};
  if (criteria.length <= MANY_BOXES) return text;
  const lines = criteria.map(({ start, box }) => ({ start, end: text.indexOf("\n", box.end) }));
  return blanked(
    text,
    lines.filter(({ start, end }) => end !== -1 && !text.slice(start, end).includes("{%")),
  );
}

/** What both parsers must agree on. */
function meaningOf(
  entity: Pick<Head, "type" | "attributes"> | null | undefined,
  title: string | undefined,
): string {
  const { type, attributes = {} } = entity ?? {};
  return JSON.stringify([type, Object.entries(attributes).sort(), title || ""]);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, Math.max(offset, 0)).split("\n").length;
}

function ambiguous(line: number, reason: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `Ambiguous in line ${line}: ${reason}`, {
    hint: "Close every tag, comment and code fence, and begin and end comments on their own lines.",
  });
}
