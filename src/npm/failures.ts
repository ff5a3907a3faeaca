/** Explains why a package could not be loaded, and what to do. */

import { messageOf, RefraktError, suggestion } from "../errors.ts";
import { DENO_MESSAGES } from "../io/deno_messages.ts";
import { FIRST_PARTY_NAMES } from "./names.ts";
import type { PackageVersion } from "./package.ts";

/** A kind of import failure. */
interface Failure {
  readonly pattern: RegExp;
  /**
   * Describes the failure from the pattern's match; `undefined` if it is another kind after all.
   */
  describe(
    match: RegExpExecArray,
    found: PackageVersion,
    subpath: string | undefined,
  ): Described | undefined;
}

/** The description of a failure. */
interface Described {
  readonly message: string;
  readonly hint: string;
  /** Whether a retry may succeed. */
  readonly retry?: boolean;
}

/** How to use the installed packages. */
const FROM_DISK = "the project and start the server with --node-modules-dir=manual.";

const FAILURES: readonly Failure[] = [
  {
    // The archive of a package or of a dependency. Deno requests each archive only once.
    pattern: DENO_MESSAGES.archiveFailed,
    describe: ([, archive, reason], { name }) => ({
      message: `${whose(archive!, name)} could not be downloaded: ${
        DENO_MESSAGES.unreachable.test(reason!)
          ? "the registry cannot be reached"
          : firstLine(reason!)
      }`,
      hint: "Restart the server when the registry has it, or remove " +
        `${name}. Installed or cached packages work without the network.`,
    }),
  },
  {
    pattern: DENO_MESSAGES.packumentFailed,
    describe: ([, described, reason], { name }) => {
      const [, status] = DENO_MESSAGES.badResponse.exec(reason!) ?? [];
      if (status !== undefined) return refused(described!, name, status);
      const missing = `${whose(described!, name)} could not be downloaded`;
      if (DENO_MESSAGES.unreachable.test(reason!)) {
        return {
          message: `${missing}: the registry cannot be reached`,
          hint: "Installed or cached packages work offline: connect to the " +
            `network, or install ${FROM_DISK}`,
          retry: true,
        };
      }
      return {
        message: `${missing}: the registry's response does not describe a package${
          reason === "" ? "" : ` (${firstLine(reason!)})`
        }`,
        hint: `A proxy may have answered instead. Check the registry, or install ${FROM_DISK}`,
        retry: true,
      };
    },
  },
  {
    pattern: DENO_MESSAGES.unknownPackage,
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
    pattern: DENO_MESSAGES.unknownVersion,
    describe: ([, missing, range], { name, from }) => ({
      message: `The registry has no version of ${missing} that satisfies "${range}"`,
      hint: missing === name
        ? `The version is from ${from}. If it exists only on disk, install the project and start ` +
          "the server with --node-modules-dir=manual."
        : `${name} depends on it.`,
    }),
  },
  {
    pattern: DENO_MESSAGES.unknownTag,
    describe: ([, tag, missing], { from }) => ({
      message: `The registry has no version of ${missing} with the tag "${tag}"`,
      hint: `The tag is from ${from}: use a version, or "latest".`,
    }),
  },
  {
    pattern: DENO_MESSAGES.notInNodeModules,
    describe: ([, unfit, missing]) => notInstalled(unfit ?? missing!),
  },
  {
    pattern: DENO_MESSAGES.notResolved,
    describe: (_match, { name }) => notInstalled(name),
  },
  {
    pattern: DENO_MESSAGES.undeclaredFile,
    describe: ([, missing], { name }) => ({
      message: `${name} imports "${missing}", which is not among its dependencies, or could not ` +
        "be downloaded",
      hint: `Check that the registry has it, or remove ${name}.`,
    }),
  },
  {
    pattern: DENO_MESSAGES.notInstalledFile,
    describe: ([, importer, missing], { name }, subpath) => {
      // A file that the package itself lacks is not a missing dependency.
      if (importer === name && missing === subpath) return undefined;
      return {
        message: `${importer === name ? name : `${importer}, which ${name} needs,`} imports ` +
          `"${missing}", which is not installed`,
        hint: `Install the project again; if ${missing} is still missing, install it separately.`,
      };
    },
  },
  {
    pattern: DENO_MESSAGES.noFileFor,
    describe: ([, missing, importer], { name }) => ({
      message: `${name} needs ${missing}, which does not exist (imported from ${importer})`,
      hint: "Build the package that contains it, or install the project again; then restart " +
        "the server.",
    }),
  },
  {
    pattern: DENO_MESSAGES.accessRequired,
    describe: ([, _kind, path], { name }) => ({
      message: `${name} is outside the readable folder, in ${path}`,
      hint: "Start the server in the root of the workspace, or permit that folder too: " +
        "--allow-read=.,<folder>.",
    }),
  },
  {
    pattern: DENO_MESSAGES.undeclared,
    describe: ([, missing], { name }) => ({
      message: `${name} imports "${missing}", which is not installed`,
      hint: `Install the project again, with ${missing} among the dependencies of ${name}.`,
    }),
  },
];

function refused(missing: string, name: string, status: string): Described {
  return {
    message: `${whose(missing, name)} could not be downloaded: the registry answered ${status}`,
    hint: status === "401" || status === "403"
      ? `It requires credentials, which the server does not have: install ${FROM_DISK}`
      : `Try again later, or install ${FROM_DISK}`,
    retry: /^(?:408|429|5\d\d)$/.test(status),
  };
}

/** Describes a package that can only come from `node_modules`. */
export function notInstalled(name: string): Described {
  return {
    message: `${name} is not installed`,
    hint: `Install it (npm install --save-dev ${name}), or start the server with --no-config and ` +
      "without --node-modules-dir=manual, to use packages from the registry. In a member of a " +
      "workspace, use --allow-read=<root of the repository>, where node_modules is.",
  };
}

function whose(missing: string, name: string): string {
  return missing === name ? name : `${missing}, which was needed beside ${name},`;
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0]!.slice(0, 300);
}

/** The error for a package that did not load in time. */
export function tooSlow(name: string, timeoutMs: number): RefraktError {
  return new RefraktError(
    "PLUGIN_LOAD_FAILED",
    `${name} was not there after ${timeoutMs / 1000} s`,
    {
      hint: "The registry is slow or cannot be reached. The server tries again by itself; give " +
        "it longer with --timeout.",
      data: { package: name, retry: true },
    },
  );
}

/** Whether a retry may succeed: the network may return, or the package may be built. */
export function mayPass(error: unknown): boolean {
  return error instanceof RefraktError && error.data?.["retry"] === true;
}

/** Whether an import failed because the package lacks the export, here or in a Worker. */
export function isMissingExport(error: unknown): boolean {
  return error instanceof RefraktError && error.data?.["missingExport"] === true;
}

function lacksExport(message: string, subpath = ""): boolean {
  const [, module, file] = DENO_MESSAGES.noFile.exec(message) ?? [];
  return DENO_MESSAGES.noExport.test(message) && message.includes(subpath) ||
    subpath !== "" && (module ?? file ?? "").replace(/\.js$/, "").endsWith(`/${subpath}`);
}

/** Converts an import failure to an error with a hint. */
export function loadError(
  found: PackageVersion,
  subpath: string | undefined,
  error: unknown,
): RefraktError {
  if (error instanceof RefraktError) return error;
  const { name, version, from, root } = found;
  // A registry URL may contain credentials.
  const said = messageOf(error).slice(0, 4000).replaceAll(/:\/\/[^/\s@"']+@/g, "://");
  const text = root === undefined ? said : said.replaceAll(`file://${root}/`, "");
  const facts = {
    package: name,
    ...(lacksExport(text, subpath) ? { missingExport: true } : {}),
  };
  const what = `${name}${subpath === undefined ? "" : `/${subpath}`}@${version}`;
  for (const { pattern, describe } of FAILURES) {
    const match = pattern.exec(text);
    const described = match === null ? undefined : describe(match, found, subpath);
    if (described === undefined) continue;
    const { message, hint, retry = false } = described;
    return new RefraktError("PLUGIN_LOAD_FAILED", `Cannot load ${what}: ${message}`, {
      hint: retry ? `${hint} The server tries again by itself.` : hint,
      data: { ...facts, ...(retry ? { retry } : {}) },
      cause: error,
    });
  }
  return new RefraktError("PLUGIN_LOAD_FAILED", `Cannot load ${what}: ${firstLine(text)}`, {
    hint: `Check that ${name}@${version} (from ${from}) is built and installs cleanly.`,
    data: facts,
    cause: error,
  });
}
