/**
 * Values that the schemas take as any text, and that mean a name or a date: icons, tints,
 * backgrounds, dates.
 *
 * @module
 */

import { suggestion } from "../../../errors.ts";
import type { MarkdocNode } from "../shapes.ts";
import type { SiteContext } from "../site.ts";
import { type Diagnostic, diagnostic, type DiagnosticCode, type Fix } from "./diagnostics.ts";
import type { Locator } from "./locate.ts";
import type { SiteNames } from "./site_names.ts";
import { certainName } from "./spelling.ts";

/** What is known of a kind of names. */
const KINDS: Readonly<
  Record<keyof SiteNames, { readonly code: DiagnosticCode; readonly other: readonly string[] }>
> = {
  icon: { code: "icon-unknown", other: [] },
  // A tint of its own is written with the rune `tint`.
  tint: { code: "tint-unknown", other: ["custom"] },
  background: { code: "background-unknown", other: ["custom", "none"] },
  layout: { code: "layout-unknown", other: [] },
};

/** Attributes of any rune that name something. */
const NAMING: Readonly<Record<string, keyof SiteNames>> = { tint: "tint", bg: "background" };

/** Attributes that hold dates, in the runes that have them. */
const DATES = new Set(["date", "start-date", "end-date", "created", "modified", "updated"]);

/** The findings about the attributes of a tag. */
export function valueFindings(
  { names: runes }: SiteContext,
  node: MarkdocNode,
  locator: Locator,
  names: SiteNames,
): Diagnostic[] {
  if (node.type !== "tag") return [];
  const rune = runes.get(node.tag ?? "") ?? "";
  return Object.entries(node.attributes).flatMap(([name, value]) => {
    if (typeof value !== "string") return [];
    const kind = rune === "icon" && name === "name"
      ? "icon"
      : Object.hasOwn(NAMING, name)
      ? NAMING[name]!
      : undefined;
    if (kind !== undefined) {
      const found = unknownName(kind, value, names, locator.attribute(node, name));
      const where = found === undefined ? undefined : locator.value(node, name);
      return found === undefined ? [] : [withName(found, kind, value, names, where, '"')];
    }
    if (!DATES.has(name) || !isImpossible(value)) return [];
    return [
      diagnostic(
        "date-invalid",
        `"${name}": there is no such date: ${value}`,
        locator.attribute(node, name),
      ),
    ];
  });
}

/** The finding about a name that neither the theme nor the site has. */
export function unknownName(
  kind: keyof SiteNames,
  name: string,
  names: SiteNames,
  place: Pick<Fix, "line" | "column">,
): Diagnostic | undefined {
  const known = names[kind];
  const { code, other } = KINDS[kind];
  if (known === undefined || known.has(name) || other.includes(name) || name === "") {
    return undefined;
  }
  const guess = suggestion(name, known);
  return diagnostic(
    code,
    `Unknown ${kind} "${name}"${guess === "" ? "" : `. ${guess}`}`.replace(/\.$/, ""),
    place,
  );
}

/** Adds the correction of a name, where one is certain. */
export function withName(
  found: Diagnostic,
  kind: keyof SiteNames,
  name: string,
  names: SiteNames,
  where: Fix | undefined,
  quote = "",
): Diagnostic {
  const meant = certainName(name, names[kind] ?? []);
  if (meant === undefined || where === undefined) return found;
  return { ...found, fix: { ...where, text: quote + meant + quote } };
}

/** Whether a text is written as a date, and is none: `2024-02-31`. */
export function isImpossible(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:$|[T ])/.exec(text) ?? [];
  if (day === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day);
}
