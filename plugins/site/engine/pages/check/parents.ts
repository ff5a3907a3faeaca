/** Tells which runes belong inside which others. */

import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import { asObject, textOf } from "../../../../../src/io/json.ts";
import { fixtureOf, hasExample } from "../../runes/example_page.ts";
import type { Rune } from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";
import type { Severity } from "../read/diagnostics.ts";

interface Belonging {
  /** Any of these may enclose it, at any depth. */
  readonly parents: readonly string[];
  /** Whether it does not work without a parent. */
  readonly required: boolean;
}

/** Returns the rune that should enclose a tag. */
export function missingParent(
  site: SiteContext,
  node: MarkdocNode,
  parents: readonly MarkdocNode[],
): { readonly parent: string; readonly severity: Severity } | undefined {
  const name = site.names.get(node.tag ?? "") ?? "";
  const belonging = belongingOf(site, name);
  if (belonging === undefined) return undefined;
  const around = parents.map(({ tag }) => site.names.get(tag ?? ""));
  if (around.some((each) => each !== undefined && belonging.parents.includes(each))) {
    return undefined;
  }
  // An unknown rune around it may be one of a package that was skipped, and a valid parent.
  const isUnclear = site.failures.length > 0 &&
    parents.some(({ tag }, index) => tag !== undefined && around[index] === undefined);
  const severity = isUnclear ? "hint" : belonging.required ? "error" : "warning";
  return { parent: belonging.parents[0]!, severity };
}

/** The runes that a rune belongs inside; empty if it stands alone. */
export function parentsOf(site: SiteContext, rune: string): readonly string[] {
  return belongingOf(site, rune)?.parents ?? [];
}

function belongingOf(site: SiteContext, rune: string): Belonging | undefined {
  return site.memo([site, "belongings"], () => belongings(site)).get(rune);
}

function belongings(site: SiteContext): Map<string, Belonging> {
  const { runes } = site.config;
  const all = Object.values(site.runes);
  const namesOf = (type: string) =>
    all.filter(({ name, typeName }) =>
      typeName === type || typeName === undefined && kebab(type) === name
    )
      .map(({ name }) => name);
  const belongingByRune = new Map<string, Belonging>();
  for (const [type, config] of Object.entries(runes)) {
    const { parent, requiresParent } = asObject(config);
    const wanted = textOf(requiresParent) ?? textOf(parent);
    if (wanted === undefined || wanted === "*") continue;
    const parents = namesOf(wanted);
    // Only its parent creates it; it has no rune.
    if (parents.length === 0) continue;
    for (const name of namesOf(type)) {
      const required = requiresParent !== undefined;
      if (required || !standsAlone(site, site.runes[name]!)) {
        belongingByRune.set(name, { parents, required });
      }
    }
  }
  return belongingByRune;
}

/** Whether the rune's own example uses it without a parent, like `track`. */
function standsAlone(site: SiteContext, rune: Rune): boolean {
  if (!hasExample(site, rune)) return false;
  return site.upstream.markdoc.parse(fixtureOf(site, rune)).children
    .some(({ tag }) => site.names.get(tag ?? "") === rune.name);
}

function kebab(type: string): string {
  return type.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}
