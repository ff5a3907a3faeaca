/**
 * The examples of the reference: those of the packages if they work, else corrected ones or ours. An
 * example works if it loses no text and has no findings on any site.
 */

import { lostInExample } from "../pages/build/lost_text.ts";
import { isForeign } from "../pages/check/links.ts";
import { validatePage } from "../pages/check/validate_page.ts";
import type { Diagnostic } from "../pages/read/diagnostics.ts";
import { applyEdits, editsOf } from "../pages/read/edits.ts";
import { pageFacts } from "../pages/read/page_facts.ts";
import { exampleScope } from "../pages/read/scope.ts";
import { fixtureOf, hasExample, render } from "../runes/example_page.ts";
import { OUR_EXAMPLES } from "../runes/our_examples.ts";
import type { Rune } from "../upstream/shapes.ts";
import type { SiteContext } from "../upstream/site.ts";

export interface WorkingExample {
  readonly example: string;
  /** What was wrong with the package's example, and whose this one is. */
  readonly note?: string;
}

/** Returns the example of a rune for the reference; `undefined` if it has none. */
export function workingExample(site: SiteContext, rune: Rune): WorkingExample | undefined {
  return site.kept.of("example", () => chosenExample(site, rune), rune);
}

function chosenExample(site: SiteContext, rune: Rune): WorkingExample | undefined {
  if (!hasExample(site, rune)) return undefined;
  const own = fixtureOf(site, rune);
  const ours = site.source[rune.name] === "local" || !Object.hasOwn(OUR_EXAMPLES, rune.name)
    ? undefined
    : OUR_EXAMPLES[rune.name];
  const { problems, corrected } = tried(site, own);
  const [problem = ours?.always] = problems;
  if (problem === undefined) return { example: own };
  const works = (example: string) => tried(site, example).problems.length === 0;
  if (corrected !== own && works(corrected)) {
    return {
      example: corrected,
      note: `Corrected by @refrakt/mcp; the package's example: ${problem}`,
    };
  }
  if (ours !== undefined && works(ours.example)) {
    return {
      example: ours.example,
      note: `Written for @refrakt/mcp; the package's example: ${problem}`,
    };
  }
  return { example: own, note: `This example has a defect: ${problem}` };
}

/** What is wrong with an example, and the example with certain corrections. */
function tried(
  site: SiteContext,
  example: string,
): { readonly problems: readonly string[]; readonly corrected: string } {
  const scope = exampleScope(site, example);
  const { diagnostics, references } = pageFacts(scope);
  const found: Diagnostic[] = [...validatePage(scope), ...diagnostics];
  // A site need not have these pages and files.
  const inSite = references.filter(({ kind, target }) =>
    kind === "nav" || !isForeign(site, target) && !target.startsWith("#")
  );
  const problems = [
    ...found.map(({ message }) => message),
    ...inSite.map(({ target }) => `"${target}" must exist on the site`),
    ...lostIn(site, example),
  ];
  const edited = applyEdits(example.split("\n"), found.map(editsOf));
  const corrected = (edited?.lines.join("\n") ?? example).replace(
    /\]\((?=\/)/g,
    "](https://example.com",
  );
  return { problems, corrected };
}

function lostIn(site: SiteContext, example: string): string[] {
  try {
    const { tree } = render(site, site.config, example);
    return lostInExample(site, example, tree).map(({ words }) => `it loses the text "${words}"`);
  } catch {
    return ["it cannot be rendered"];
  }
}
