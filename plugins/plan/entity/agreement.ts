/**
 * Makes the plugin's parser read the entity that {@linkcode read} reads. On its own it takes the
 * content of comments for text, so that an entity in a comment would be one, or a heading in a
 * comment the title.
 */

import { RefraktError } from "../../../src/errors.ts";
import { ENTITY_TYPES } from "../../../src/project/entities.ts";
import { type Document, plainOf, read, withoutComments } from "./document.ts";
import type { ParsedEntity } from "./entity.ts";

/** Where most files begin: a tag on one line with plain values. */
const OPENING = new RegExp(
  String.raw`^\n*\{% (${ENTITY_TYPES.join("|")})(?: [\w-]+="[^"\\{}%\n]*")* %\}\n`,
);

/** A tag on one line without content. */
const SELF_CLOSING = /\{%(?:[^"{}%\n]|"[^"\\{}%\n]*")*\/%\}/g;

/**
 * Whether both parsers certainly agree: one entity around the whole text, no comment, and no other
 * tag with content.
 */
function isPlain(text: string): boolean {
  const [opening = "", type] = OPENING.exec(text) ?? [];
  if (type === undefined || text.includes("<!--")) return false;
  const end = text.trimEnd();
  const closing = `\n{% /${type} %}`;
  return end.endsWith(closing) &&
    !end.slice(opening.length, -closing.length).replace(SELF_CLOSING, "").includes("{%");
}

/**
 * Parses a file with the plugin's parser.
 *
 * @param parse The plugin's parser of a text with LF line ends and without a byte order mark.
 * @throws {RefraktError} `VALIDATION_ERROR` with the line if it reads another entity than
 * {@linkcode read}.
 */
export function parseAlike<Parsed extends ParsedEntity>(
  source: string,
  parse: (text: string) => Parsed | null,
): Parsed | null {
  const text = plainOf(source);
  if (isPlain(text)) return parse(text);
  const document = read(text);
  const parsed = parse(withoutComments(document));
  const { entity } = document;
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
  return parsed;
}

/** What both parsers must agree on. */
function meaningOf(
  entity: Pick<NonNullable<Document["entity"]>, "type" | "attributes"> | null | undefined,
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
