/**
 * The example of a rune: its plugin's, the core's, or a stub.
 *
 * @module
 */

import type { Rune } from "./shapes.ts";
import type { SiteContext } from "./site.ts";

/** Runes that only other parts of refrakt make; their own examples would not render. */
const INTERNAL_EXAMPLES: Readonly<Record<string, string>> = {
  error: '{% error tag="hint" lines=[1, 2] ' +
    'error={id: "attribute-value-invalid", level: "error", message: "Invalid value"} /%}',
  snippet: '{% snippet path="examples/hello.ts" lang="ts" /%}',
};

/** Whether a rune has an example of its own, by its plugin or the core. */
export function hasExample(context: SiteContext, rune: Rune): boolean {
  return exampleOf(context, rune) !== undefined;
}

/** The example of a rune: its plugin's, the core's, or a stub. */
export function fixtureOf(context: SiteContext, rune: Rune): string {
  const { name } = rune;
  const example = exampleOf(context, rune);
  if (example !== undefined) return example;
  if (Object.hasOwn(INTERNAL_EXAMPLES, name) && context.source[name] === "core") {
    return INTERNAL_EXAMPLES[name]!;
  }
  return `{% ${name} %}\nSample content for the ${name} rune.\n{% /${name} %}`;
}

function exampleOf({ fixtures, upstream }: SiteContext, { name }: Rune): string | undefined {
  if (Object.hasOwn(fixtures, name)) return fixtures[name];
  const { examples } = upstream;
  return Object.hasOwn(examples, name) ? examples[name] || undefined : undefined;
}
