/** Explains why a package could not be loaded, and what to do. */

import { quotedName } from "../plain_text.ts";
import { messageOf, RefraktError, saidBy, suggestion, withoutCredentials } from "../errors.ts";
import { DENO_MESSAGES } from "../io/deno_messages.ts";
import { FIRST_PARTY_NAMES, isFirstParty } from "./names.ts";
import type { PackageVersion } from "./package.ts";

/** The description of a failure. */
interface Described {
  readonly message: string;
  readonly hint: string;
  /** Whether a retry may succeed. */
  readonly retry?: boolean;
}

/** A pattern and what its match means, for a package and its version's source. */
type Failure = readonly [
  pattern: RegExp,
  describe: (match: RegExpExecArray, name: string, from: string) => Described,
];

const FROM_DISK = "install the project and start the server with --node-modules-dir=manual.";

const FAILURES: readonly Failure[] = [
  // Deno requests the archive of a package or of a dependency only once.
  [DENO_MESSAGES.archiveFailed, ([, missing, reason], name) => ({
    message: notDownloaded(missing!, reason!),
    hint: `Restart the server when the registry has it, or remove ${name}.`,
  })],
  [DENO_MESSAGES.packumentFailed, ([, missing, reason]) => ({
    message: notDownloaded(missing!, reason!),
    hint: `Check the network and the registry, or ${FROM_DISK}`,
    retry: !/Bad response: (?!408|429|5)/.test(reason!),
  })],
  [DENO_MESSAGES.unknownPackage, ([, missing]) => ({
    message: `${missing} is not on the npm registry`,
    hint: `${suggestion(missing!, FIRST_PARTY_NAMES)} If it exists only on disk, ${FROM_DISK}`,
  })],
  [DENO_MESSAGES.unknownVersion, ([, missing, range], _name, from) => ({
    message: `The registry has no version of ${missing} that satisfies ${
      quotedName(range!)
    } (from ${from})`,
    hint: `If it exists only on disk, ${FROM_DISK}`,
  })],
  [DENO_MESSAGES.notInNodeModules, ([, unfit, missing]) => notInstalled(unfit ?? missing!)],
  [DENO_MESSAGES.notResolved, (_match, name) => notInstalled(name)],
  [DENO_MESSAGES.missingImport, ([, importer, missing], name) => ({
    message: `${importer ?? name} imports ${quotedName(missing!)}, which is not installed`,
    hint: `Install the project again; if ${missing} is still missing, install it separately.`,
  })],
  [DENO_MESSAGES.noFileFor, ([, missing, importer]) => ({
    message: `${missing} does not exist (imported from ${importer})`,
    hint: "Build the package that contains it, or install the project again; then restart " +
      "the server.",
  })],
];

function notDownloaded(missing: string, reason: string): string {
  const [, status] = /Bad response: (\d{3})/.exec(reason) ?? [];
  const why = DENO_MESSAGES.unreachable.test(reason)
    ? "the registry cannot be reached"
    : status !== undefined
    ? `the registry answered with ${status}`
    : /checksum/i.test(reason)
    ? "its archive does not match its checksum"
    : "the registry's answer is not valid";
  return `${missing} could not be downloaded: ${why}`;
}

/** Describes a package that can only come from `node_modules`. */
export function notInstalled(
  name: string,
  step = isFirstParty(name)
    ? `Install it: npm install --save-dev ${name}.`
    : "Install the project: npm install.",
): Described {
  return {
    message: `${name} is not installed`,
    hint:
      `${step} Or start the server with --no-config and without --node-modules-dir=manual, to ` +
      "use refrakt's packages from the registry. In a member of a workspace, use --allow-read=<root of the repository>, where node_modules is.",
  };
}

/** The error for a package that is not loaded. */
export function notLoaded(name: string, { message, hint, retry }: Described): RefraktError {
  return new RefraktError("PLUGIN_LOAD_FAILED", message, {
    hint,
    data: { package: name, ...(retry === true ? { retry } : {}) },
  });
}

/** The error for a package that did not load in time. */
export function tooSlow(name: string, timeoutMs: number): RefraktError {
  return notLoaded(name, {
    message: `${name} had not loaded after ${timeoutMs / 1000} s`,
    hint: "The registry is slow or cannot be reached, or a module of the package waits for " +
      "something. The server tries again by itself; give it longer with --timeout.",
    retry: true,
  });
}

/** Whether a retry may succeed: the network may return, or the package may be built. */
export function mayPass(error: unknown): boolean {
  return error instanceof RefraktError && error.data?.["retry"] === true;
}

/** Whether an import failed because the package lacks the export. */
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
  const withoutRoot = (said: string) =>
    withoutCredentials(root === undefined ? said : said.replaceAll(`file://${root}/`, ""));
  const text = withoutRoot(saidBy(error).slice(0, 4000));
  const what = `${name}${subpath === undefined ? "" : `/${subpath}`}@${version}`;
  const [described] = FAILURES.flatMap(([pattern, describe]) => {
    const match = pattern.exec(text);
    // A file that the package itself lacks is not a missing dependency.
    const isOwnFile = subpath !== undefined && match?.[1] === name && match[2] === subpath;
    return match === null || isOwnFile ? [] : describe(match, name, from);
  });
  const { message, hint, retry = false } = described ?? {
    // Other errors are of the package's own code.
    message: withoutRoot(messageOf(error)).trim().split("\n")[0]!.slice(0, 300),
    hint: `Check that ${name}@${version} (from ${from}) is built and installs cleanly.`,
  };
  return new RefraktError("PLUGIN_LOAD_FAILED", `Cannot load ${what}: ${message}`, {
    hint: retry ? `${hint} The server tries again by itself.` : hint.trim(),
    data: {
      package: name,
      ...(retry ? { retry } : {}),
      ...(lacksExport(text, subpath) ? { missingExport: true } : {}),
    },
    cause: error,
  });
}
