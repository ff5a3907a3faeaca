/**
 * Matches Deno error messages that have neither a class nor a code of their own: every failed
 * import is a `TypeError` with the code `ERR_MODULE_NOT_FOUND`. A test provokes each message in the
 * installed Deno; `runtime.ts` rejects older versions.
 */

/** Patterns by meaning; groups capture the names. */
export const DENO_MESSAGES = {
  /** A permission is missing: kind and target. */
  accessRequired: /Requires (read|write|run|net|env|sys|ffi) access(?: to "([^"]*)")?/,
  /** The system's file size limit; Deno sets no code. */
  fileTooLarge: /File too large \(os error 27\)/,

  /** A package archive could not be downloaded: package and reason. */
  archiveFailed: /Failed caching npm package '(@?[^@']+)@[^']*'\s*(?:\d+:\s*)?([\s\S]*)/,
  /** A package's metadata could not be loaded: package and reason. */
  packumentFailed: /Failed loading \S+ for package "([^"]+)"\s*(?:\d+:\s*)?([\s\S]*)/,
  /** A download failed because there is no connection. */
  unreachable: /error sending request|timed out|client error|dns error|Connection/i,
  /** The registry does not have the package. */
  unknownPackage: /npm package '([^']+)' does not exist/,
  /** No version of the package satisfies the range: package and range. */
  unknownVersion: /Could not find npm package '([^']+)' matching '([^']+)'/,

  /** `node_modules` lacks the package, or has another version of it. */
  notInNodeModules:
    /Could not find (?:a matching package for 'npm:(@?[^@']+)@?[^']*' in the|"([^"]+)" in a) node_modules/,
  /** The same error while module hooks are registered; it does not name the package. */
  notResolved: /Resolving npm specifier entrypoints this way is currently not supported/,
  /** The package does not export the path; the group captures its manifest. */
  noExport: /ERR_PACKAGE_PATH_NOT_EXPORTED(?:[^]* in '([^']+[\\/]package\.json)')?/,
  /** An imported file does not exist: the file and its importer. */
  noFileFor:
    /(?:Cannot find module|Unable to load) '?([^'\s]+)'? imported from '?(?:file:\/\/)?([^'\s]+)/,
  /** A file does not exist. */
  noFile: /Cannot find module '([^']*)'|Unable to load (\S*)/,
  /** A module in `node_modules` imports a package that is not installed: importer, package. */
  missingImport:
    /Unable to load \S*\/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\/(?:[^/\s]+\/)*?((?:@[^/\s]+\/)?[^@./\s][^/.\s]*)(?:\s|$)/,
  /** The program's own dependencies cannot be resolved with the current flags. */
  ownPackages: /node_modules|package\.json|not a dependency|find a matching package/i,
} as const satisfies Record<string, RegExp>;
