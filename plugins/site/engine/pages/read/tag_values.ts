/** Checks attribute values that name an icon, tint, background, layout or date. */

import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import type { Edit, Place } from "../../../../../src/markdoc/edits.ts";
import { quoted, quotedName } from "../../../../../src/plain_text.ts";
import { suggestion } from "../../../../../src/errors.ts";
import { asObject, textsOf } from "../../../../../src/io/json.ts";
import type { ThemeConfig } from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";
import { themeLayouts } from "../../theme/page_parts.ts";
import { siteTheme, themeConfig, themeManifest } from "../../theme/theme.ts";
import {
  type Diagnostic,
  diagnostic,
  type DiagnosticCode,
  sentences,
  withFix,
} from "./diagnostics.ts";
import type { Scope, SiteNames } from "./scope.ts";
import { certainName } from "./tag_pairs.ts";

const KINDS: Readonly<
  Record<keyof SiteNames, { readonly code: DiagnosticCode; readonly other: readonly string[] }>
> = {
  icon: { code: "icon-unknown", other: [] },
  // The rune `tint` defines a custom one.
  tint: { code: "tint-unknown", other: ["custom"] },
  background: { code: "background-unknown", other: ["custom", "none"] },
  layout: { code: "layout-unknown", other: [] },
};

/** By attribute, or by the rune whose `preset` it is. */
const KINDS_BY_NAME = new Map<string, keyof SiteNames>([["tint", "tint"], ["bg", "background"]]);

const DATES = new Set(["date", "start-date", "end-date", "created", "modified", "updated"]);

export function valueFindings({ site, locator, names }: Scope, node: MarkdocNode): Diagnostic[] {
  if (node.type !== "tag") return [];
  const rune = site.names.get(node.tag ?? "") ?? "";
  return Object.entries(node.attributes).flatMap(([name, value]) => {
    if (typeof value !== "string") return [];
    const kind = rune === "icon" && name === "name" ? "icon" : KINDS_BY_NAME.get(
      name === "preset" ? rune : name,
    );
    if (kind !== undefined) {
      const place = locator.attribute(node, name);
      return unknownName(kind, value, names, place, () => locator.value(node, name), '"');
    }
    if (!DATES.has(name) || !isImpossible(value)) return [];
    const message = `${quotedName(name)} is not an existing date: ${quoted(value)}`;
    return [diagnostic("date-invalid", message, locator.attribute(node, name))];
  });
}

/** Returns a finding if neither the theme nor the site has the name; `valueOf` finds the value. */
export function unknownName(
  kind: keyof SiteNames,
  name: string,
  names: SiteNames,
  place: Place,
  valueOf: () => Omit<Edit, "text"> | undefined,
  quote = "",
): Diagnostic[] {
  const validNames = names[kind];
  const { code, other } = KINDS[kind];
  if (!validNames || validNames.has(name) || other.includes(name) || name === "") return [];
  const message = sentences(`Unknown ${kind} ${quotedName(name)}.`, suggestion(name, validNames));
  const meant = certainName(name, validNames);
  // Certain: the theme and the site have one name that is one letter away.
  return [withFix(diagnostic(code, message, place), valueOf(), meant && quote + meant + quote)];
}

/** Whether a text looks like a date that does not exist, such as `2024-02-31`. */
export function isImpossible(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:$|[T ])/.exec(text) ?? [];
  if (day === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day);
}

/** Returns no names if the theme cannot be loaded: rendering reports the error. */
export async function siteNames(site: SiteContext): Promise<SiteNames> {
  const theme = siteTheme(site);
  const config = theme && await themeConfig(site, theme).catch(() => undefined);
  if (!theme || !config) return NO_NAMES;
  return await site.memo([site, config, "names"], () => namesOf(site, theme, config));
}

const NO_NAMES: SiteNames = {};

async function namesOf(site: SiteContext, theme: string, config: ThemeConfig): Promise<SiteNames> {
  const { raw } = site.site;
  const keysOf = (value: unknown) => Object.keys(asObject(value));
  const names = (field: string) => new Set([...keysOf(config[field]), ...keysOf(raw[field])]);
  const groups = { ...asObject(site.merged?.themeIcons), ...asObject(config["icons"]) };
  const icons = Object.entries(groups).flatMap(([group, icons]) =>
    keysOf(icons).map((name) => group === "global" ? name : `${group}/${name}`)
  );
  const layout = await layoutNames(site, theme);
  return {
    icon: new Set([...keysOf(raw["icons"]), ...icons]),
    tint: names("tints"),
    background: names("backgrounds"),
    layout: layout.length === 0 ? undefined : new Set(layout),
  };
}

/** The layouts of a theme, and those of the site's rules; none if the theme does not say. */
async function layoutNames(site: SiteContext, theme: string): Promise<string[]> {
  const { routeRules } = site.site.raw;
  const rules = Array.isArray(routeRules) ? routeRules.map((rule) => asObject(rule)["layout"]) : [];
  const manifest = await themeManifest(site, theme).catch(() => undefined);
  const names = [
    ...Object.keys(asObject(asObject(manifest?.value)["layouts"])),
    ...Object.keys(await themeLayouts(site, theme).catch(() => ({}))),
  ];
  return names.length === 0 ? [] : [...names, ...textsOf(rules)];
}
