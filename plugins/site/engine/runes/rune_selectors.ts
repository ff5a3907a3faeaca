/** Collects the selectors that a rune can emit, from its contract and rendered variants. */

import { asObject } from "../../../../src/io/json.ts";
import { isUniversal, variantsOf, withAttribute } from "./edit_example.ts";
import { contractOf, fixtureOf, hasExample, render, typeNameOf } from "./example_page.ts";
import type { Rune } from "../upstream/shapes.ts";
import type { SiteContext } from "../upstream/site.ts";

export interface RuneSelectors {
  readonly own: readonly string[];
  /** Of attributes and parts that every rune has, such as `[data-elevation="flat"]`. */
  readonly shared: readonly string[];
}

/** Renders the example with each value of each enumerated attribute; `null` without engine config. */
export async function runeSelectors(
  context: SiteContext,
  rune: Rune,
  turn: () => Promise<void>,
): Promise<RuneSelectors | null> {
  /** `null` for a rune that has none. */
  const cache = context.kept.of(
    "selectors by rune",
    () => new Map<Rune, RuneSelectors | null>(),
  );
  const before = cache.get(rune);
  if (before !== undefined) return before;
  const { config } = context;
  const { extractSelectors } = context.upstream.transform;
  const example = fixtureOf(context, rune);
  const own = new Set<string>();
  const universal = new Set<string>();
  let type: string | undefined;
  const collect = (source: string, into: Set<string>) => {
    const { serialized, tree } = render(context, config, source);
    type ??= typeNameOf(config, contractOf(context, config), rune, serialized);
    for (const selector of extractSelectors(tree, config.prefix)) into.add(selector);
  };
  // A stub shows nothing about attributes.
  const variants = hasExample(context, rune) ? Object.entries(variantsOf(rune.schema)) : [];
  collect(example, own);
  for (const [name, values] of variants) {
    const into = isUniversal(context, name) ? universal : own;
    for (const value of values) {
      collect(withAttribute(example, rune, name, value) ?? example, into);
      await turn();
    }
  }
  const result = type === undefined ? null : selectorsIn(context, type, own, universal);
  cache.set(rune, result);
  return result;
}

function selectorsIn(
  context: SiteContext,
  type: string,
  own: Set<string>,
  universal: ReadonlySet<string>,
): RuneSelectors {
  const { prefix, runes } = context.config;
  const { block, contextModifiers, staticModifiers } = runes[type]!;
  for (const suffix of [...Object.values(contextModifiers ?? {}), ...staticModifiers ?? []]) {
    own.add(`.${prefix}-${block}--${suffix}`);
  }
  const attributes = ownAttributes(context, type);
  const isOwn = (selector: string) =>
    own.has(selector) &&
    (selector.startsWith(".") || attributes.has(/^\[([\w-]+)/.exec(selector)?.[1] ?? ""));
  const all = [...new Set([...own, ...universal])].sort((a, b) =>
    kindOf(a) - kindOf(b) || a.localeCompare(b)
  );
  return { own: all.filter(isOwn), shared: all.filter((selector) => !isOwn(selector)) };
}

/** The runes whose examples have a class, by class. */
export async function emitters(
  context: SiteContext,
  turn: () => Promise<void>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { config, upstream: { transform } } = context;
  type Emitters = ReadonlyMap<string, readonly string[]>;
  // A call that is cancelled must not end this for others, so only the result is kept.
  const known = context.kept.of("emitters", (): { all?: Emitters } => ({}));
  if (known.all !== undefined) return known.all;
  const found = new Map<string, string[]>();
  for (const rune of Object.values(context.runes)) {
    await turn();
    try {
      const { tree } = render(context, config, fixtureOf(context, rune));
      for (const selector of new Set(transform.extractSelectors(tree, config.prefix))) {
        if (!selector.startsWith(".")) continue;
        found.set(selector, [...found.get(selector) ?? [], rune.name]);
      }
    } catch {
      // `refrakt_inspect` reports the error.
    }
  }
  return known.all = found;
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
