/** The examples of the reference: those of the packages, corrected, or this package's instead. */

import { editsOf } from "../pages/read/diagnostics.ts";
import { FIRST_PARTY_SCOPE } from "../../../../src/packages/names.ts";
import { validatePage } from "../pages/check/validate_page.ts";
import { applyEdits } from "../../../../src/markdoc/edits.ts";
import { pageFacts } from "../pages/read/page_facts.ts";
import { exampleScope } from "../pages/read/scope.ts";
import { fixtureOf, hasExample } from "../runes/example_page.ts";
import { OUR_EXAMPLES } from "../runes/our_examples.ts";
import type { Rune } from "../upstream/shapes.ts";
import { packageOf, type SiteContext } from "../upstream/site.ts";

/**
 * Returns the example of a rune for the reference, and a note on what was wrong with the package's;
 * `undefined` if it has none.
 */
export function workingExample(site: SiteContext, rune: Rune) {
  if (!hasExample(site, rune)) return undefined;
  const isOurs = Object.hasOwn(OUR_EXAMPLES, rune.name) &&
    packageOf(site, rune).startsWith(FIRST_PARTY_SCOPE);
  const make = () => correctExample(site, fixtureOf(site, rune));
  if (!isOurs) return site.memo([site, rune, "working example"], make);
  return {
    example: OUR_EXAMPLES[rune.name]!,
    note:
      "Written for @refrakt/mcp; the package's example: it loses text, or names what no site has",
  };
}

/** Applies the certain corrections of an example's findings. */
function correctExample(
  site: SiteContext,
  content: string,
): { readonly example: string; readonly note?: string } {
  const scope = exampleScope(site, content);
  const findings = [...validatePage(scope), ...pageFacts(scope).diagnostics];
  const example = (applyEdits(content, findings.map(editsOf))?.text ?? content)
    // The site need not have the pages that the example links to.
    .replace(/\]\((?=\/)/g, "](https://example.com");
  if (example === content) return { example };
  const problem = findings[0]?.message ?? "it leads to pages that the site need not have";
  return { example, note: `Corrected by @refrakt/mcp; the package's example: ${problem}` };
}
