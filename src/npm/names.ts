/**
 * Names of npm packages: a name from a config file is checked before it becomes
 * part of a specifier or a path.
 *
 * @module
 */

import { FIRST_PARTY_NAMES, FIRST_PARTY_SCOPE, RUNE_PACKAGES } from "../project/first_party.ts";

export { FIRST_PARTY_NAMES, FIRST_PARTY_SCOPE };

/** The package that a plan needs. */
export const PLAN_PACKAGE: string = `${FIRST_PARTY_SCOPE}plan`;

/** The version of the first-party packages that is used where the project has none. */
export const DEFAULT_VERSION = "0.25.1";

/** The parser that the first-party packages stand on. */
export const MARKDOC_PACKAGE = "@markdoc/markdoc";

/** The version of it that {@linkcode DEFAULT_VERSION} asks for. */
export const MARKDOC_VERSION = "0.4.0";

const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const RANGE = /^[\w.+~^<>=|*\s-]+$/;

/** First-party packages that never have commands. */
const META_PACKAGES = new Set(FIRST_PARTY_NAMES.filter((name) => !RUNE_PACKAGES.includes(name)));

/** Whether a string is the name of an npm package, and nothing else. */
export function isPackageName(name: string): boolean {
  return name.length <= 214 && NAME.test(name);
}

/** Whether a string is a semver range or a tag that a registry can answer, not a path or a protocol. */
export function isRegistryRange(range: string): boolean {
  return range.length <= 128 && range.trim() !== "" && RANGE.test(range);
}

/** Whether a version is exact, such as `1.2.3` or `1.2.3-beta.1`. */
export function isExactVersion(version: string): boolean {
  return /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version);
}

/** Whether a name is one of refrakt's scope. */
export function isFirstParty(name: string): boolean {
  return name.startsWith(FIRST_PARTY_SCOPE);
}

/** Whether a package is first-party and not known to be without commands. */
export function mayHaveCommands(name: string): boolean {
  return isFirstParty(name) && !META_PACKAGES.has(name);
}
