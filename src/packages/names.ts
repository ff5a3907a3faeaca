/** Checks and classifies npm package names, before they become part of a specifier or a path. */

import { nearestNames } from "../errors.ts";
import type { Project } from "../plugin/project.ts";
import { nameKey } from "../plugin/tool.ts";

export const FIRST_PARTY_SCOPE = "@refrakt-md/";

const scoped = (names: string): string[] =>
  names.split(" ").map((name) => FIRST_PARTY_SCOPE + name);

/** Packages with runes, some of which have commands. */
const RUNE_PACKAGES: readonly string[] = scoped(
  "business design docs learning marketing media places plan storytelling",
);

export const FIRST_PARTY_NAMES: readonly string[] = RUNE_PACKAGES.concat(scoped(
  "ai astro behaviors cli content create editor eleventy highlight html language-server lumina " +
    "mcp next nuxt react runes skeleton svelte sveltekit transform types vite vue",
));

export const PLAN_PACKAGE: string = `${FIRST_PARTY_SCOPE}plan`;

/** The version of first-party packages for projects without any. */
export const DEFAULT_VERSION = "0.25.1";

/** The parser of the first-party packages. */
export const MARKDOC_PACKAGE = "@markdoc/markdoc";

/** The Markdoc version that {@linkcode DEFAULT_VERSION} requires. */
export const MARKDOC_VERSION = "0.4.0";

const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
/** The ranges that Deno's `npm:` specifiers accept, and mean as npm does. */
const RANGE = /^(?:[\^~]?\d+(?:\.(?:\d+|x|\*)){0,2}(?:-[\w.]+)?|\*|(?!v\d)[A-Za-z][\w-]*)$/;

/** Whether a string is a valid npm package name. */
export function isPackageName(name: string): boolean {
  return name.length <= 214 && NAME.test(name);
}

/** Whether a string is a plain version, range or dist-tag, which an `npm:` specifier takes. */
export function isRegistryRange(range: string): boolean {
  return range.length <= 128 && RANGE.test(range);
}

/** Whether a version is exact, such as `1.2.3` or `1.2.3-beta.1`. */
export function isExactVersion(version: string): boolean {
  return /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version);
}

/** Whether a name belongs to refrakt's scope. */
export function isFirstParty(name: string): boolean {
  return name.startsWith(FIRST_PARTY_SCOPE);
}

/** Whether a first-party package may have commands. */
export function mayHaveCommands(name: string): boolean {
  return isFirstParty(name) &&
    (RUNE_PACKAGES.includes(name) || !FIRST_PARTY_NAMES.includes(name));
}

/** Suggests a first-party package for a misspelt name, or one without the scope. */
export function meantPackage(name: string): string | undefined {
  const [, bare] = /^(?:@refra[kc]t[\w-]*\/)?([^@/]+)$/i.exec(name) ?? [];
  if (bare === undefined || name.startsWith(FIRST_PARTY_SCOPE)) return undefined;
  const short = FIRST_PARTY_NAMES.map((each) => each.slice(FIRST_PARTY_SCOPE.length));
  const [meant] = nearestNames(bare, short, 1);
  if (meant === undefined || Math.abs(meant.length - bare.length) > 2) return undefined;
  return FIRST_PARTY_SCOPE + meant;
}

/** The owners of reserved namespaces, besides those of plugins of this package. */
const OWNERS: Readonly<Record<string, string>> = {
  docs: `${FIRST_PARTY_SCOPE}docs`,
  refrakt: "this server",
};

/**
 * Whose namespace a package's could be confused with: command `id` of `plan-next` would be
 * `plan_next_id`, which is `plan_next_id`.
 */
export function reservedFor(
  namespace: string,
  packageName: string,
  { namespaces }: Pick<Project, "namespaces">,
): { readonly name: string; readonly owner: string } | undefined {
  const key = nameKey(namespace).toLowerCase();
  const reservation = Object.entries({ ...namespaces, ...OWNERS })
    .find(([name]) => key === name || key.startsWith(`${name}_`));
  if (reservation === undefined || reservation[1] === packageName) return undefined;
  return { name: reservation[0], owner: reservation[1] };
}
