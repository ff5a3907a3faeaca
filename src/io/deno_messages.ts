/**
 * What Deno says in words alone, where its errors have neither a class nor a code of their own:
 * every failed import is a `TypeError` with the code `ERR_MODULE_NOT_FOUND`. A test has the
 * installed Deno say each sentence; `runtime.ts` refuses a Deno older than these.
 *
 * @module
 */

/** The sentences by what they mean, with what they name in groups. */
export const DENO_MESSAGES = {
  /** A permission is missing: its kind, and what it would be for. */
  accessRequired: /Requires (read|write|run|net|env|sys|ffi) access(?: to "([^"]*)")?/,
  /** The system's limit for the size of a file; Deno's own calls give it no code. */
  fileTooLarge: /File too large \(os error 27\)/,

  /** The archive of a package was not downloaded: the package, and why. */
  archiveFailed: /Failed caching npm package '(@?[^@']+)@[^']*'\s*(?:\d+:\s*)?([\s\S]*)/,
  /** What the registry says about a package was not read: the package, and why. */
  packumentFailed: /Failed loading \S+ for package "([^"]+)"\s*(?:\d+:\s*)?([\s\S]*)/,
  /** Why a download failed: there is no connection. */
  unreachable: /error sending request|timed out|client error|dns error|Connection/i,
  /** Why a download failed: the status that the registry answered with. */
  badResponse: /Bad response: (\d+)/,
  /** The registry does not have a package. */
  unknownPackage: /npm package '([^']+)' does not exist/,
  /** The registry has no version of a package that fits: the package, and the range. */
  unknownVersion: /Could not find npm package '([^']+)' matching '([^']+)'/,
  /** The registry has no version of a package with such a tag: the tag, and the package. */
  unknownTag: /Could not find dist-tag '([^']+)' for npm package '([^']+)'/,

  /** `node_modules` lacks a package, or has another version of it. */
  notInNodeModules:
    /Could not find (?:a matching package for 'npm:(@?[^@']+)@?[^']*' in the|"([^"]+)" in a) node_modules/,
  /** The same, once module hooks are registered; the package is not named. */
  notResolved: /Resolving npm specifier entrypoints this way is currently not supported/,
  /** A package has no such export; where the manifest is that says so. */
  noExport: /ERR_PACKAGE_PATH_NOT_EXPORTED(?:[^]* in '([^']+[\\/]package\.json)')?/,
  /** A file is not there that another one imports: the two. */
  noFileFor:
    /(?:Cannot find module|Unable to load) '?([^'\s]+)'? imported from '?(?:file:\/\/)?([^'\s]+)/,
  /** A file is not there. */
  noFile: /Cannot find module '([^']*)'|Unable to load (\S*)/,
  /** A module imports a package that its own does not depend on. */
  undeclared: /(?:Could not find package|Import) ["']([^"'./][^"']*)["'] (?:from|not a dependency)/,
  /** The same, once module hooks are registered: the package that is looked for beside the module. */
  undeclaredFile:
    /Unable to load \S*\/\d+\.\d+\.\d+[^/\s]*\/((?:@[^/\s]+\/)?[^./\s][^/.\s]*) imported from/,
  /** The same of a package in `node_modules`: that package, and the one that it lacks. */
  notInstalledFile:
    /Unable to load \S*\/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\/(?:[^/\s]+\/)*?((?:@[^/\s]+\/)?[^@./\s][^/.\s]*)(?:\s|$)/,
  /** The packages that a program imports itself are not found with the flags that it was started with. */
  ownPackages: /node_modules|package\.json|not a dependency|find a matching package/i,
} as const satisfies Record<string, RegExp>;
