/**
 * The packages of refrakt itself.
 *
 * @module
 */

import { nearest } from "../errors.ts";

/** The scope of the first-party packages. */
export const FIRST_PARTY_SCOPE = "@refrakt-md/";

const scoped = (names: string): string[] =>
  names.split(" ").map((name) => FIRST_PARTY_SCOPE + name);

/** Those that bring runes, and may bring commands. */
export const RUNE_PACKAGES: readonly string[] = scoped(
  "business design docs learning marketing media places plan storytelling",
);

/** All of them, as far as they are known by name. */
export const FIRST_PARTY_NAMES: readonly string[] = RUNE_PACKAGES.concat(scoped(
  "ai astro behaviors cli content create editor eleventy highlight html language-server lumina " +
    "mcp next nuxt react runes skeleton svelte sveltekit transform types vite vue",
));

/** How many letters a name may be longer or shorter than the one that is meant. */
const MOST_LETTERS = 2;

/**
 * The first-party package that somebody means by a name without the scope, or with one
 * that looks like it, perhaps misspelt; `undefined` for any other name.
 */
export function meantPackage(name: string): string | undefined {
  const [, bare] = /^(?:@refra[kc]t[\w-]*\/)?([^@/]+)$/i.exec(name) ?? [];
  if (bare === undefined || name.startsWith(FIRST_PARTY_SCOPE)) return undefined;
  const short = FIRST_PARTY_NAMES.map((each) => each.slice(FIRST_PARTY_SCOPE.length));
  const [meant] = nearest(bare, short, 1);
  if (meant === undefined || Math.abs(meant.length - bare.length) > MOST_LETTERS) return undefined;
  return FIRST_PARTY_SCOPE + meant;
}
