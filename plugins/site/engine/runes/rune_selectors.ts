/** Collects the selectors that a rune can emit, from its contract and rendered variants. */

import { asObject } from "../../../../src/io/json.ts";
import { isUniversal, variantsOf, withAttribute } from "./edit_example.ts";
import { contractOf, fixtureOf, hasExample, render, typeNameOf } from "./example_page.ts";
import type { Rune } from "../upstream/shapes.ts";
import type { SiteContext } from "../upstream/site.ts";

/** Renders the example with each value of each enumerated attribute; `null` without engine config. */
export function runeSelectors(
  context: SiteContext,
  rune: Rune,
  turn: () => Promise<void>,
): ReturnType<typeof selectorsOf> {
  return context.memo([context, rune, "selectors"], () => selectorsOf(context, rune, turn));
}

async function selectorsOf(
  context: SiteContext,
  rune: Rune,
  turn: () => Promise<void>,
) {
  const { config } = context;
  const { extractSelectors } = context.upstream.transform;
  const example = fixtureOf(context, rune);
  const specific = new Set<string>();
  const universal = new Set<string>();
  let type: string | undefined;
  const collect = (source: string, into: Set<string>) => {
    const { serialized, tree } = render(context, config, source);
    type ??= typeNameOf(config, contractOf(context, config), rune, serialized);
    for (const selector of extractSelectors(tree, config.prefix)) into.add(selector);
  };
  // A stub shows nothing about attributes.
  const variants = hasExample(context, rune) ? Object.entries(variantsOf(rune.schema)) : [];
  collect(example, specific);
  for (const [name, values] of variants) {
    const into = isUniversal(context, name) ? universal : specific;
    for (const value of values) {
      collect(withAttribute(example, rune, name, value) ?? example, into);
      await turn();
    }
  }
  return type === undefined ? null : selectorsIn(context, type, specific, universal);
}

function selectorsIn(
  context: SiteContext,
  type: string,
  specific: Set<string>,
  universal: ReadonlySet<string>,
) {
  const { prefix, runes } = context.config;
  const { block, contextModifiers, staticModifiers } = runes[type]!;
  for (const suffix of [...Object.values(contextModifiers ?? {}), ...staticModifiers ?? []]) {
    specific.add(`.${prefix}-${block}--${suffix}`);
  }
  const attributes = ownAttributes(context, type);
  const isSpecific = (selector: string) =>
    specific.has(selector) &&
    (selector.startsWith(".") || attributes.has(/^\[([\w-]+)/.exec(selector)?.[1] ?? ""));
  const all = [...new Set([...specific, ...universal])].sort((a, b) =>
    kindOf(a) - kindOf(b) || a.localeCompare(b)
  );
  // Shared are those of attributes and parts that every rune has, such as `[data-elevation="flat"]`.
  return {
    specific: all.filter(isSpecific),
    shared: all.filter((selector) => !isSpecific(selector)),
  };
}

/** The runes whose examples have a class, by class. */
export function emitters(
  context: SiteContext,
  turn: () => Promise<void>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  return context.memo([context, "emitters"], () => emittersOf(context, turn));
}

async function emittersOf(context: SiteContext, turn: () => Promise<void>) {
  const { config, upstream: { transform } } = context;
  const runesBySelector = new Map<string, string[]>();
  for (const rune of Object.values(context.runes)) {
    await turn();
    try {
      const { tree } = render(context, config, fixtureOf(context, rune));
      for (const selector of new Set(transform.extractSelectors(tree, config.prefix))) {
        if (!selector.startsWith(".")) continue;
        runesBySelector.set(selector, [...runesBySelector.get(selector) ?? [], rune.name]);
      }
    } catch {
      // `refrakt_inspect` reports the error.
    }
  }
  return runesBySelector;
}

function ownAttributes(context: SiteContext, type: string): Set<string> {
  const contract = contractOf(context, context.config).runes[type];
  return new Set(
    Object.values(asObject(contract?.["modifiers"])).map((modifier) =>
      String(asObject(modifier)["dataAttribute"] ?? "")
    ),
  );
}

/** Blocks, then modifiers, elements and data attributes. */
function kindOf(selector: string): number {
  if (selector.startsWith("[")) return 3;
  if (selector.includes("__")) return 2;
  return selector.includes("--") ? 1 : 0;
}
