/** The data attributes that a rune's elements have by default, which outlines leave out. */

import { textOf } from "../../../../src/io/json.ts";
import { isElement } from "../upstream/elements.ts";
import type { Rune, ThemeConfig } from "../upstream/shapes.ts";
import type { SiteContext } from "../upstream/site.ts";
import { fixtureOf, hasExample, render } from "./example_page.ts";

/** Data attributes by the element's name in the rune; that of the rune itself is empty. */
type Defaults = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/**
 * Copies a tree without the data attributes that its runes have by default, names that are in a class,
 * and the insides of icons.
 */
export function withoutDefaults(site: SiteContext, config: ThemeConfig, tree: unknown): unknown {
  /** @param owners The `data-rune` marks of the enclosing elements, the innermost first. */
  const copy = (node: unknown, owners: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map((child) => copy(child, owners));
    if (!isElement(node)) return node;
    const { attributes } = node;
    const rune = textOf(attributes["data-rune"]);
    const innerOwners = rune === undefined ? owners : [rune, ...owners];
    const defaults = defaultsOf(site, config, innerOwners);
    const usual = defaults.get(rune === undefined ? dataName(attributes) : "");
    const classes = String(attributes["class"] ?? "").split(/\s+/);
    const attributeEntries = Object.entries(attributes).filter(([name, value]) => {
      if (name === "data-name") return !classes.some((each) => each.endsWith(`__${String(value)}`));
      return !name.startsWith("data-") || name === "data-rune" || usual?.[name] !== value;
    });
    return {
      ...node,
      attributes: Object.fromEntries(attributeEntries),
      // Leave out the shapes of an icon.
      children: node.name === "svg" ? [] : copy(node.children, innerOwners),
    };
  };
  return copy(tree, []);
}

const dataName = (attributes: Readonly<Record<string, unknown>>) => String(attributes["data-name"]);

function defaultsOf(site: SiteContext, config: ThemeConfig, owners: readonly string[]): Defaults {
  const [marked] = owners;
  if (marked === undefined) return new Map();
  const runes = owners.flatMap((owner) => runeMarked(site, owner) ?? []);
  // A part of a rune, such as the item of an accordion, is in the example of the rune.
  const rune = runes.find((candidate) => hasExample(site, candidate)) ?? runes[0];
  if (rune === undefined) return new Map();
  const make = () => renderedBare(site, config, rune, marked);
  return site.memo([site, config, rune, "defaults", marked], make);
}

/** The rune whose elements have a mark: its name or its type. */
function runeMarked(site: SiteContext, mark: string): Rune | undefined {
  const plain = (name: string) => name.toLowerCase().replaceAll("-", "");
  const all = Object.values(site.runes);
  return all.find(({ name }) => plain(name) === plain(mark)) ??
    all.find(({ typeName = "" }) => plain(typeName) === plain(mark));
}

/** Renders the example of a rune without attributes. */
function renderedBare(
  site: SiteContext,
  config: ThemeConfig,
  rune: Rune,
  marked: string,
): Defaults {
  const attributesByName = new Map<string, Record<string, unknown>>();
  const visit = (node: unknown, isInside: boolean): void => {
    if (Array.isArray(node)) return node.forEach((child) => visit(child, isInside));
    if (!isElement(node)) return;
    const { attributes } = node;
    const dataRune = attributes["data-rune"];
    const isRoot = dataRune === marked;
    const isPart = isInside && dataRune === undefined;
    const name = isRoot ? "" : dataName(attributes);
    if ((isRoot || isPart) && !attributesByName.has(name)) attributesByName.set(name, attributes);
    visit(node.children, isRoot || isPart);
  };
  try {
    const tag = new RegExp(`\\{%\\s*${RegExp.escape(rune.name)}\\s[^%]*?(?=/?%\\})`);
    const example = fixtureOf(site, rune);
    visit(render(site, config, example.replace(tag, () => `{% ${rune.name} `)).tree, false);
  } catch {
    // A rune that needs its attributes has no defaults.
  }
  return attributesByName;
}
