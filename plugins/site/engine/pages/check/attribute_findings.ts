/** Checks attributes: those that a rune does not have, and values that it or the site does not accept. */

import type { MarkdocNode, ValidationError } from "../../../../../src/markdoc/node.ts";
import { quoted, quotedName, shortText, withEscapes } from "../../../../../src/plain_text.ts";
import { suggestion } from "../../../../../src/errors.ts";
import { schemaOf } from "../../upstream/site.ts";
import { type Diagnostic, diagnostic, sentences, withFix } from "../read/diagnostics.ts";
import { isImpossible } from "../read/front_matter.ts";
import { type Scope, type SiteNames, unknownName } from "../read/scope.ts";
import { certainName } from "../read/tag_pairs.ts";

/** Attributes that name something of the theme; `preset` does so for the rune of this name. */
const NAMING = new Map<string, keyof SiteNames>([["tint", "tint"], ["bg", "background"]]);

const DATE_ATTRIBUTES = new Set([
  "date",
  "start-date",
  "end-date",
  "created",
  "modified",
  "updated",
]);

/** Checks values that name an icon, a tint or a background, and dates. */
export function valueFindings({ site, locator, names }: Scope, node: MarkdocNode): Diagnostic[] {
  if (node.type !== "tag") return [];
  const rune = site.names.get(node.tag ?? "") ?? "";
  return Object.entries(node.attributes).flatMap(([name, value]) => {
    if (typeof value !== "string") return [];
    const isIcon = rune === "icon" && name === "name";
    const kind = isIcon ? "icon" : NAMING.get(name === "preset" ? rune : name);
    const isWrongDate = DATE_ATTRIBUTES.has(name) && isImpossible(value);
    if (kind === undefined && !isWrongDate) return [];
    const place = locator.attribute(node, name);
    if (kind !== undefined) {
      return unknownName(kind, value, names, place, locator.value(node, name), '"');
    }
    const message = `${quotedName(name)} is not an existing date: ${quoted(value)}`;
    return [diagnostic("date-invalid", message, place)];
  });
}

export function unknownAttribute(
  { site, locator }: Scope,
  node: MarkdocNode,
  name: string | undefined,
): Diagnostic {
  const attributeNames = Object.keys(schemaOf(site, node)?.attributes ?? {});
  const holder = node.tag === undefined ? `A ${node.type}` : `Rune ${quotedName(node.tag!)}`;
  const place = locator.attributeOf(node, name);
  if (name === undefined) {
    return diagnostic("attribute-unknown", `${holder} has an unknown attribute`, place);
  }
  const problem = `${holder} has no attribute ${quotedName(name)}.`;
  const message = name === "primary"
    ? `${holder} takes no value without a name`
    : sentences(problem, suggestion(name, attributeNames));
  // Certain: the rune has no such attribute, and one that is one letter away.
  return withFix(
    diagnostic("attribute-unknown", message, place),
    { ...place, length: name.length },
    node.tag === undefined ? undefined : certainName(name, attributeNames),
  );
}

export function wrongValue(
  { site, locator }: Scope,
  node: MarkdocNode,
  code: "attribute-value" | "attribute-type",
  name: string | undefined,
  error: ValidationError,
): Diagnostic {
  const place = locator.attributeOf(node, name);
  const definition = name === undefined ? undefined : schemaOf(site, node)?.attributes?.[name];
  if (name === undefined || definition === undefined) return diagnostic(code, error.message, place);
  const value = node.attributes[name];
  const { matches } = definition;
  const written = node.tag === undefined ? undefined : locator.value(node, name);
  if (code === "attribute-value" && Array.isArray(matches)) {
    const names = matches.map(String);
    const meant = typeof value === "string" ? certainName(value, names) : undefined;
    const message = sentences(
      `${quotedName(name)} must not be ${inSentence(value)}, but one of ${names.join(", ")}.`,
      suggestion(String(value), names),
    );
    // Certain: the rune lists its values, and one of them is one letter away.
    return withFix(diagnostic(code, message, place), written, meant && `"${meant}"`);
  }
  const type = typeName(definition.type);
  if (code === "attribute-type" && type !== undefined) {
    const message = `${quotedName(name)} must be ${type}, not ${inSentence(value)}`;
    // Certain: the same characters are a value of the type, with or without quotes.
    return withFix(diagnostic(code, message, place), written, asType(value, type));
  }
  return diagnostic(code, error.message, place);
}

/** Corrects a value of which only the quotes are wrong. */
function asType(value: unknown, type: string): string | undefined {
  if (type === "string" && ["number", "boolean"].includes(typeof value)) return `"${value}"`;
  if (typeof value !== "string") return undefined;
  if (type === "boolean" && /^(?:true|false)$/.test(value)) return value;
  return type === "number" && /^-?\d+(?:\.\d+)?$/.test(value) ? value : undefined;
}

/** Markdoc schemas name types by constructor or by name. */
const TYPES = [String, Number, Boolean, Array, Object];

function typeName(type: unknown): string | undefined {
  const types = Array.isArray(type) ? type : [type];
  const names = types.map((each) =>
    (typeof each === "string" ? each : TYPES.find((type) => type === each)?.name)?.toLowerCase()
  );
  return names.includes(undefined) ? undefined : names.join(" or ");
}

/** A value of an attribute in a sentence: as JSON, cut. */
function inSentence(value: unknown): string {
  return typeof value === "string"
    ? quoted(value)
    : withEscapes(shortText(JSON.stringify(value), 40));
}
