/**
 * Which runes belong inside others: a `tab` inside `tabs`.
 *
 * @module
 */

import { asObject, textOf } from "../../../io/json.ts";
import { fixtureOf, hasExample } from "../example_page.ts";
import type { MarkdocNode, Rune } from "../shapes.ts";
import { createMemo, type SiteContext } from "../site.ts";

interface Belonging {
  /** The runes, any of which may be around it at any depth. */
  readonly parents: readonly string[];
  /** Whether it is nothing without. */
  readonly required: boolean;
}

const known = createMemo<SiteContext, ReadonlyMap<string, Belonging>>();

/** The rune that is missing around a tag. */
export function missingParent(
  site: SiteContext,
  node: MarkdocNode,
  parents: readonly MarkdocNode[],
): { readonly parent: string; readonly required: boolean } | undefined {
  const name = site.names.get(node.tag ?? "") ?? "";
  const belonging = known(site, () => belongings(site)).get(name);
  if (belonging === undefined) return undefined;
  const around = parents.map(({ tag }) => site.names.get(tag ?? ""));
  if (around.some((each) => each !== undefined && belonging.parents.includes(each))) {
    return undefined;
  }
  return { parent: belonging.parents[0]!, required: belonging.required };
}

function belongings(site: SiteContext): Map<string, Belonging> {
  const { runes } = site.config;
  const all = Object.values(site.runes);
  const namesOf = (type: string) =>
    all.filter(({ name, typeName }) =>
      typeName === type || typeName === undefined && kebab(type) === name
    )
      .map(({ name }) => name);
  const found = new Map<string, Belonging>();
  for (const [type, config] of Object.entries(runes)) {
    const { parent, requiresParent } = asObject(config);
    const wanted = textOf(requiresParent) ?? textOf(parent);
    if (wanted === undefined || wanted === "*") continue;
    const parents = namesOf(wanted);
    // A part that only its parent writes has no rune of its own.
    if (parents.length === 0) continue;
    for (const name of namesOf(type)) {
      const required = requiresParent !== undefined;
      if (required || !standsAlone(site, site.runes[name]!)) found.set(name, { parents, required });
    }
  }
  return found;
}

/** Whether the example of a rune has it without another around it, as that of `track` does. */
function standsAlone(site: SiteContext, rune: Rune): boolean {
  if (!hasExample(site, rune)) return false;
  return site.upstream.markdoc.parse(fixtureOf(site, rune)).children
    .some(({ tag }) => site.names.get(tag ?? "") === rune.name);
}

function kebab(type: string): string {
  return type.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}
