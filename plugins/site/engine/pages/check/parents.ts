/** Checks that runes stand inside those they belong to. */

import { asObject, textOf } from "../../../../../src/io/json.ts";
import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import { quotedName } from "../../../../../src/plain_text.ts";
import { fixtureOf, hasExample } from "../../runes/example_page.ts";
import type { Rune } from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";
import { type Diagnostic, diagnostic } from "../read/diagnostics.ts";
import type { Scope } from "../read/scope.ts";

export function parentFindings(
  { site, locator, kind }: Scope,
  node: MarkdocNode,
  around: readonly MarkdocNode[],
): Diagnostic[] {
  const belonging = belongingsOf(site).get(site.names.get(node.tag ?? "") ?? "");
  // A partial may be used inside the parent.
  if (kind === "partial" || belonging === undefined) return [];
  const { parents, isRequired } = belonging;
  const runes = around.map(({ tag }) => site.names.get(tag ?? "") ?? "");
  if (runes.some((rune) => parents.includes(rune))) return [];
  // An unknown rune around it may be one of a package that was skipped, and a valid parent.
  const isUnclear = site.failures.length > 0 &&
    around.some(({ tag }, index) => tag !== undefined && runes[index] === "");
  const severity = isUnclear ? "hint" : isRequired ? "error" : "warning";
  const message = `Rune ${quotedName(node.tag!)} belongs inside ${quotedName(parents[0]!)}`;
  return [{ ...diagnostic("rune-placement", message, locator.tag(node)), severity }];
}

/** The runes that a rune belongs inside, at any depth; empty if it stands alone. */
export function parentsOf(site: SiteContext, rune: string): readonly string[] {
  return belongingsOf(site).get(rune)?.parents ?? [];
}

const belongingsOf = (site: SiteContext) => site.memo([site, "belongings"], () => belongings(site));

/** By rune: its parents, and whether it does not work without one. */
function belongings(site: SiteContext) {
  const runes = Object.values(site.runes);
  const namesOf = (type: string) =>
    runes.filter(({ name, typeName }) =>
      typeName === undefined ? kebab(type) === name : typeName === type
    )
      .map(({ name }) => name);
  const all = new Map<string, { readonly parents: string[]; readonly isRequired: boolean }>();
  for (const [type, config] of Object.entries(site.config.runes)) {
    const { parent, requiresParent } = asObject(config);
    const wanted = textOf(requiresParent) ?? textOf(parent);
    if (wanted === undefined || wanted === "*") continue;
    const parents = namesOf(wanted);
    // Only its parent creates it; it has no rune.
    if (parents.length === 0) continue;
    const isRequired = requiresParent !== undefined;
    for (const name of namesOf(type)) {
      if (isRequired || !standsAlone(site, site.runes[name]!)) {
        all.set(name, { parents, isRequired });
      }
    }
  }
  return all;
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
