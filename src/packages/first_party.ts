/** The packages of refrakt itself. */

import { nearest } from "../errors.ts";

export const FIRST_PARTY_SCOPE = "@refrakt-md/";

const scoped = (names: string): string[] =>
  names.split(" ").map((name) => FIRST_PARTY_SCOPE + name);

/** Packages with runes, some of which have commands. */
export const RUNE_PACKAGES: readonly string[] = scoped(
  "business design docs learning marketing media places plan storytelling",
);

export const FIRST_PARTY_NAMES: readonly string[] = RUNE_PACKAGES.concat(scoped(
  "ai astro behaviors cli content create editor eleventy highlight html language-server lumina " +
    "mcp next nuxt react runes skeleton svelte sveltekit transform types vite vue",
));

/** How much longer or shorter than the suggestion a name may be. */
const MOST_LETTERS = 2;

/** Suggests a first-party package for a misspelt name, or one without the scope. */
export function meantPackage(name: string): string | undefined {
  const [, bare] = /^(?:@refra[kc]t[\w-]*\/)?([^@/]+)$/i.exec(name) ?? [];
  if (bare === undefined || name.startsWith(FIRST_PARTY_SCOPE)) return undefined;
  const short = FIRST_PARTY_NAMES.map((each) => each.slice(FIRST_PARTY_SCOPE.length));
  const [meant] = nearest(bare, short, 1);
  if (meant === undefined || Math.abs(meant.length - bare.length) > MOST_LETTERS) return undefined;
  return FIRST_PARTY_SCOPE + meant;
}
