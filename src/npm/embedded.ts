/**
 * What a compiled binary carries: it cannot download packages, so those that the
 * tools stand on are embedded at the pinned versions. The compile script and the
 * running binary both read this list.
 *
 * @module
 */

import { DEFAULT_VERSION, FIRST_PARTY_SCOPE, MARKDOC_PACKAGE, MARKDOC_VERSION } from "./names.ts";

/** One embedded package. */
export interface EmbeddedPackage {
  /** The package. */
  readonly name: string;
  /** Its exact version. */
  readonly version: string;
  /** The exports that are imported by computed specifiers; `""` is the main one. */
  readonly exports: readonly string[];
}

/** The first-party packages that exist at the pinned version, and Markdoc. */
export const EMBEDDED_PACKAGES: readonly EmbeddedPackage[] = [
  firstParty("docs", "", "cli-plugin"),
  firstParty("lumina", "transform"),
  firstParty("marketing", ""),
  firstParty("plan", "", "cli-plugin", "scanner", "diff"),
  firstParty("runes", ""),
  firstParty("transform", ""),
  { name: MARKDOC_PACKAGE, version: MARKDOC_VERSION, exports: [""] },
];

/** Versions by package name. */
export type CarriedVersions = Readonly<Record<string, string>>;

/**
 * The packages that this process carries; `undefined` where it is no binary and
 * packages come from the registry.
 *
 * @param standalone Whether the process is a binary, for tests of both.
 */
export function carriedVersions(
  standalone: boolean = Deno.build.standalone,
): CarriedVersions | undefined {
  if (!standalone) return undefined;
  return Object.fromEntries(EMBEDDED_PACKAGES.map(({ name, version }) => [name, version]));
}

/** The specifiers that the compile script includes. */
export function embeddedSpecifiers(): string[] {
  return EMBEDDED_PACKAGES.flatMap(({ name, version, exports }) =>
    exports.map((path) => `npm:${name}@${version}${path === "" ? "" : `/${path}`}`)
  );
}

function firstParty(name: string, ...exports: string[]): EmbeddedPackage {
  return { name: FIRST_PARTY_SCOPE + name, version: DEFAULT_VERSION, exports };
}
