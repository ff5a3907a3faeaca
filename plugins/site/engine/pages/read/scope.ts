/** A parsed text with the variables, partials and names of the theme that it may refer to. */

import { suggestion } from "../../../../../src/errors.ts";
import { asObject, textsOf } from "../../../../../src/io/json.ts";
import type { Edit, Place } from "../../../../../src/markdoc/edits.ts";
import { createLocator, type Locator } from "../../../../../src/markdoc/locate.ts";
import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import { quotedName } from "../../../../../src/plain_text.ts";
import { parseContent } from "../../runes/example_page.ts";
import { themeLayouts } from "../../theme/page_parts.ts";
import { siteTheme, themeConfig, themeManifest } from "../../theme/theme.ts";
import type { ThemeConfig } from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";
import type { ContentFile } from "./content_files.ts";
import { type Diagnostic, diagnostic, sentences, withFix } from "./diagnostics.ts";
import { certainName } from "./tag_pairs.ts";

export type Partials = Readonly<Record<string, MarkdocNode>>;

export interface Scope {
  readonly site: SiteContext;
  readonly ast: MarkdocNode;
  readonly locator: Locator;
  /** The variables of a partial come from the pages that use it. */
  readonly kind: ContentFile["kind"];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly partials: Partials;
  readonly names: SiteNames;
}

/** The scope of a rune's example. */
export function exampleScope(site: SiteContext, example: string): Scope {
  const ast = parseContent(site, example);
  const locator = createLocator(example, 0);
  return { site, ast, locator, kind: "page", variables: {}, partials: {}, names: {} };
}

/** The names that the theme and the site have; kinds that cannot be determined are absent. */
export interface SiteNames {
  /** Such as `rocket` or `hint/warning`. */
  readonly icon?: ReadonlySet<string>;
  readonly tint?: ReadonlySet<string>;
  readonly background?: ReadonlySet<string>;
  readonly layout?: ReadonlySet<string>;
}

const NO_NAMES: SiteNames = {};

/** Returns no names if the theme cannot be loaded: rendering reports the error. */
export async function siteNames(site: SiteContext): Promise<SiteNames> {
  const theme = siteTheme(site);
  const config = theme && await themeConfig(site, theme).catch(() => undefined);
  if (!theme || !config) return NO_NAMES;
  return await site.memo([site, config, "names"], () => namesOf(site, theme, config));
}

async function namesOf(site: SiteContext, theme: string, config: ThemeConfig): Promise<SiteNames> {
  const { raw } = site.site;
  const keysOf = (value: unknown) => Object.keys(asObject(value));
  const namesIn = (field: string) => new Set([...keysOf(config[field]), ...keysOf(raw[field])]);
  const groups = { ...asObject(site.merged?.themeIcons), ...asObject(config["icons"]) };
  const icons = Object.entries(groups).flatMap(([group, icons]) =>
    keysOf(icons).map((name) => group === "global" ? name : `${group}/${name}`)
  );
  const manifest = await themeManifest(site, theme).catch(() => undefined);
  const layouts = [
    ...keysOf(asObject(manifest?.value)["layouts"]),
    ...keysOf(await themeLayouts(site, theme).catch(() => ({}))),
  ];
  const names = {
    icon: new Set([...keysOf(raw["icons"]), ...icons]),
    tint: namesIn("tints"),
    background: namesIn("backgrounds"),
  };
  // Some themes do not list their layouts.
  if (layouts.length === 0) return names;
  const rules = Array.isArray(raw["routeRules"]) ? raw["routeRules"] : [];
  const ruleLayouts = textsOf(rules.map((rule) => asObject(rule)["layout"]));
  return { ...names, layout: new Set([...layouts, ...ruleLayouts]) };
}

/** Values that name nothing of the theme; the rune `tint` defines a custom one. */
const SPECIAL: Readonly<Partial<Record<keyof SiteNames, readonly string[]>>> = {
  tint: ["custom"],
  background: ["custom", "none"],
};

/** Returns a finding for a name that neither the theme nor the site has. */
export function unknownName(
  kind: keyof SiteNames,
  name: string,
  { [kind]: names }: SiteNames,
  place: Place,
  written: Omit<Edit, "text"> | undefined,
  quote = "",
): Diagnostic[] {
  if (!names || names.has(name) || SPECIAL[kind]?.includes(name) || name === "") return [];
  const message = sentences(`Unknown ${kind} ${quotedName(name)}.`, suggestion(name, names));
  const meant = certainName(name, names);
  // Certain: one name of the theme and the site is one letter away.
  const text = meant && quote + meant + quote;
  return [withFix(diagnostic(`${kind}-unknown`, message, place), written, text)];
}
