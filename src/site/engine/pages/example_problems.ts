/**
 * Where the data of a package contradicts itself: an example that its own schema or content
 * model does not accept.
 *
 * @module
 */

import { parseContent } from "../ast.ts";
import { fixtureOf, hasExample } from "../examples.ts";
import { createMemo } from "../memo.ts";
import type { Rune } from "../shapes.ts";
import type { SiteContext } from "../site.ts";
import { findContentProblems } from "./content_model.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { createLocator } from "./locate.ts";
import { validatePage } from "./validate_page.ts";

const known = createMemo<SiteContext, Map<string, readonly Diagnostic[]>>();

/** What is wrong with a rune's own example. */
export function exampleProblems(site: SiteContext, rune: Rune): readonly Diagnostic[] {
  const cache = known(site, () => new Map());
  let found = cache.get(rune.name);
  if (found === undefined) {
    found = hasExample(site, rune) ? problemsOf(site, fixtureOf(site, rune)) : [];
    cache.set(rune.name, found);
  }
  return found;
}

/** The contradictions of a rune in sentences, for its reference. */
export function contradictionsOf(site: SiteContext, rune: Rune): string[] {
  return [...new Set(exampleProblems(site, rune).map(({ message }) => message))].map((message) =>
    `The example does not fit what the rune declares: ${message}. The example renders; trust it.`
  );
}

function problemsOf(site: SiteContext, example: string): Diagnostic[] {
  const ast = parseContent(site, example);
  const locator = createLocator(example, 0);
  return [
    ...validatePage(site, ast, locator, { variables: {}, partials: {} })
      .filter(({ code }) => code.startsWith("attribute-") || code.startsWith("rune-")),
    ...findContentProblems(site, ast, locator).map(({ diagnostic }) => diagnostic),
  ];
}
