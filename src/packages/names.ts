/** Checks and classifies npm package names, before they become part of a specifier or a path. */

import { FIRST_PARTY_NAMES, FIRST_PARTY_SCOPE, RUNE_PACKAGES } from "./first_party.ts";

export { FIRST_PARTY_NAMES, FIRST_PARTY_SCOPE };

/** The package that plans need. */
export const PLAN_PACKAGE: string = `${FIRST_PARTY_SCOPE}plan`;

/** The package with the command `refrakt`. */
export const CLI_PACKAGE: string = `${FIRST_PARTY_SCOPE}cli`;

/** The version of first-party packages for projects without any. */
export const DEFAULT_VERSION = "0.25.1";

/** The parser of the first-party packages. */
export const MARKDOC_PACKAGE = "@markdoc/markdoc";

/** The Markdoc version that {@linkcode DEFAULT_VERSION} requires. */
export const MARKDOC_VERSION = "0.4.0";

const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const RANGE = /^[\w.+~^<>=|*\s-]+$/;

/** Whether a string is a valid npm package name. */
export function isPackageName(name: string): boolean {
  return name.length <= 214 && NAME.test(name);
}

/** Whether a string is a semver range or dist-tag, not a path or protocol. */
export function isRegistryRange(range: string): boolean {
  return range.length <= 128 && range.trim() !== "" && RANGE.test(range);
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
