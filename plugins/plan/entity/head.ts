/** The entity of most files by their first lines, so that the rest can be parsed later. */

import { tooHardToParse } from "../../../src/markdoc/markup_limits.ts";
import { ENTITY_TYPES, type EntityType, isEntityType } from "./types.ts";
import { plainOf } from "./document.ts";
import { textOf } from "./sections.ts";
import { own } from "./tag.ts";
import { inlineOf } from "./tokens.ts";

/** What the first lines of a file say of its entity. */
export interface Head {
  readonly type: EntityType;
  readonly attributes: Readonly<Record<string, string>>;
  /** The first heading; empty without one. */
  readonly title: string;
}

const VALUE = String.raw`[^"\\{}%\0-\x1f]*`;

/** Where most files begin: a tag on one line, and a title without links, tags and table cells. */
const HEAD = new RegExp(
  String.raw`^\n*\{% (${ENTITY_TYPES.join("|")})((?: [a-zA-Z][\w-]*="${VALUE}")*) %\}\n+` +
    String.raw`# ((?:[^\n\0\\&<{}[|]|& )*[^\s\0\\&<{}[|#]) *\n`,
);

/** In a tag that {@linkcode HEAD} matches. */
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;

/** Returns what `read` certainly returns for a file, whatever comes after its first lines. */
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
