/**
 * The structure contract of a configuration, computed once.
 *
 * @module
 */

import { didYouMean, RefraktError } from "../../errors.ts";
import { fixtureOf, render, typeNameOf } from "./example_page.ts";
import { createMemo } from "./memo.ts";
import type { StructureContract, ThemeConfig } from "./shapes.ts";
import { findRune, type SiteContext } from "./site.ts";

const contracts = createMemo<ThemeConfig, StructureContract>();

/** The structure contract of a configuration. */
export function contractOf(context: SiteContext, config: ThemeConfig): StructureContract {
  return contracts(config, () => context.upstream.transform.generateStructureContract(config));
}

/** Which part of a contract is wanted. */
export interface ContractInput {
  /** The runes: names, aliases or types; all where it is left out. */
  readonly runes?: readonly string[] | undefined;
}

/** The contract of a site, or of some of its runes. */
export function contractFor(context: SiteContext, { runes }: ContractInput): StructureContract {
  const whole = contractOf(context, context.config);
  if (runes === undefined) return { ...whole };
  const types = [...new Set(runes.map((name) => typeOf(context, whole, name)))];
  return { ...whole, runes: Object.fromEntries(types.map((type) => [type, whole.runes[type]!])) };
}

function typeOf(context: SiteContext, contract: StructureContract, name: string): string {
  if (Object.hasOwn(contract.runes, name)) return name;
  if (!context.names.has(name)) {
    const guess = didYouMean(name, [...context.names.keys(), ...Object.keys(contract.runes)]);
    if (context.failures.length === 0 && guess !== "") {
      throw new RefraktError("NOT_FOUND", `Unknown rune "${name}"`, { hint: guess });
    }
  }
  const rune = findRune(context, name);
  let type: string | undefined;
  try {
    const { serialized } = render(context, context.config, fixtureOf(context, rune));
    type = typeNameOf(context.config, contract, rune, serialized);
  } catch {
    // Without its rendered example the type is not known.
  }
  if (type !== undefined) return type;
  throw new RefraktError("VALIDATION_ERROR", `Rune "${rune.name}" has no contract`, {
    hint: "It has no BEM block of its own. See refrakt.inspect for what it renders.",
  });
}
