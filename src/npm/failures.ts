/**
 * Why a package could not be loaded, in words that say what to do. The runtime tells
 * it in its messages alone; the patterns are those of Deno 2.9.
 *
 * @module
 */

import { messageOf, RefraktError, suggestion } from "../errors.ts";
import { FIRST_PARTY_NAMES } from "./names.ts";
import type { PackageVersion } from "./versions.ts";

/** One way in which an import fails. */
interface Failure {
  readonly pattern: RegExp;
  /** What to say of it: `match` is the pattern's. */
  describe(match: RegExpExecArray, found: PackageVersion): { message: string; hint: string };
}

const FAILURES: readonly Failure[] = [
  {
    // A dependency's archive, its description, or the package's own.
    pattern:
      /Failed (?:caching npm package '(@?[^@']+)@[^']*'|loading \S+ for package "([^"]+)")[\s\S]*?(error sending request|timed out|client error|dns error|Connection)/i,
    describe: ([, archive, description], { name }) => ({
      message: `${whose(archive ?? description!, name)} could not be downloaded: the registry ` +
        "cannot be reached",
      hint:
        "What is installed or was downloaded before works without it: connect to the network, " +
        "or install the project and start the server with --node-modules-dir=manual.",
    }),
  },
  {
    pattern: /Failed caching npm package '(@?[^@']+)@([^']*)'\s*(?:\d+:\s*)?([\s\S]*)/,
    describe: ([, archive, , reason], { name }) => ({
      message: `${whose(archive!, name)} could not be downloaded: ${firstLine(reason!)}`,
      hint: `Check that the registry has it, or leave ${name} out.`,
    }),
  },
  {
    pattern: /Failed loading \S+ for package "([^"]+)"[\s\S]*?Bad response: (\d+)/,
    describe: ([, description, status], { name }) => ({
      message: `${whose(description!, name)} could not be downloaded: the registry answered ` +
        status!,
      hint:
        (status === "401" || status === "403"
          ? "It asks who is there, and the server knows no secrets: install "
          : "Try again later, or install ") +
        "the project and start the server with " +
        "--node-modules-dir=manual.",
    }),
  },
  {
    pattern: /Failed loading \S+ for package "([^"]+)"\s*(?:\d+:\s*)?([\s\S]*)/,
    describe: ([, description, reason], { name }) => ({
      message: `${whose(description!, name)} could not be downloaded: what the registry answered ` +
        `describes no package${reason === "" ? "" : ` (${firstLine(reason!)})`}`,
      hint: "A proxy may have answered in its place. Check the registry, or install the project " +
        "and start the server with --node-modules-dir=manual.",
    }),
  },
  {
    pattern: /npm package '([^']+)' does not exist/,
    describe: ([, missing], { name, version, from }) => ({
      message: missing === name
        ? `${name}@${version} (from ${from}) is not on the npm registry`
        : `${name} depends on ${missing}, which is not on the npm registry`,
      hint: [
        missing === name && !FIRST_PARTY_NAMES.includes(name)
          ? suggestion(name, FIRST_PARTY_NAMES)
          : "",
        "If it exists only on disk, install the project, and start the server with " +
        "--node-modules-dir=manual.",
      ].join(" ").trim(),
    }),
  },
  {
    pattern: /Could not find npm package '([^']+)' matching '([^']+)'/,
    describe: ([, missing, range], { name, from }) => ({
      message: `The registry has no version of ${missing} that fits "${range}"`,
      hint: missing === name
        ? `The version is from ${from}. If it exists only on disk, install the project and start ` +
          "the server with --node-modules-dir=manual."
        : `${name} depends on it.`,
    }),
  },
  {
    pattern: /Could not find a matching package for 'npm:(@?[^@']+)@?[^']*' in the node_modules/,
    describe: ([, missing]) => notInstalled(missing!),
  },
  {
    pattern: /currently not supported with "nodeModules": "manual"/,
    describe: (_match, { name }) => notInstalled(name),
  },
  {
    // A dependency was not downloaded: the runtime then looks for a file of its name.
    pattern:
      /Unable to load \S*\/\d+\.\d+\.\d+[^/\s]*\/((?:@[^/\s]+\/)?[^./\s][^/.\s]*) imported from/,
    describe: ([, missing], { name }) => ({
      message: `${name} imports "${missing}", which could not be downloaded`,
      hint: `Check that the registry has it, or leave ${name} out.`,
    }),
  },
  {
    pattern: /Requires read access to "([^"]+)"/,
    describe: ([, path], { name }) => ({
      message: `${name} lies outside of the folder that may be read, in ${path}`,
      hint: "Start the server in the root of the workspace, or grant that folder as well: " +
        "--allow-read=.,<folder>.",
    }),
  },
  {
    pattern:
      /(?:Cannot find package|Import) ["']([^"'./][^"']*)["'](?: not a dependency| imported from)/,
    describe: ([, missing], { name }) => ({
      message: `${name} imports "${missing}", which is not installed`,
      hint: `Install the project again, with ${missing} among the dependencies of ${name}.`,
    }),
  },
];

/** What to say of a package that only `node_modules` could have. */
export function notInstalled(name: string): { message: string; hint: string } {
  return {
    message: `${name} is not installed`,
    hint: `Install it (npm install --save-dev ${name}), or start the server with --no-config and ` +
      "without --node-modules-dir=manual, to take packages from the registry.",
  };
}

function whose(missing: string, name: string): string {
  return missing === name ? name : `${missing}, which was needed beside ${name},`;
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0]!.slice(0, 300);
}

/** The error of a package that is waited for no longer. */
export function tooSlow(name: string, timeoutMs: number): RefraktError {
  return new RefraktError(
    "PLUGIN_LOAD_FAILED",
    `${name} was not there after ${timeoutMs / 1000} s`,
    {
      hint: "The registry is slow or cannot be reached. Give it longer with --timeout.",
      data: { package: name },
    },
  );
}

/** The error of an import. */
export function loadError(
  found: PackageVersion,
  subpath: string | undefined,
  error: unknown,
): RefraktError {
  if (error instanceof RefraktError) return error;
  const { name, version, from, root } = found;
  // The address of a registry may hold a name and a password.
  const said = messageOf(error).slice(0, 4000).replaceAll(/:\/\/[^/\s@"']+@/g, "://");
  const text = root === undefined ? said : said.replaceAll(`file://${root}/`, "");
  const what = `${name}${subpath === undefined ? "" : `/${subpath}`}@${version}`;
  for (const { pattern, describe } of FAILURES) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { message, hint } = describe(match, found);
    return new RefraktError("PLUGIN_LOAD_FAILED", `Cannot load ${what}: ${message}`, {
      hint,
      data: { package: name },
      cause: error,
    });
  }
  return new RefraktError("PLUGIN_LOAD_FAILED", `Cannot load ${what}: ${firstLine(text)}`, {
    hint: `Check that ${name}@${version} (from ${from}) is built and installs cleanly.`,
    data: { package: name },
    cause: error,
  });
}
