/** Explains why a package could not be loaded, and what to do. */

import { quotedName, word } from "../plain_text.ts";
import { messageOf, rawMessage, RefraktError, suggestion, withoutCredentials } from "../errors.ts";
import { DENO_MESSAGES } from "../io/deno_messages.ts";
import type { Project } from "../plugin/project.ts";
import { currentRoot } from "./stand_in_call.ts";
import { FIRST_PARTY_NAMES } from "./names.ts";
import { notTrusted, refusalIn } from "./gate.ts";
import type { PackageVersion } from "./package.ts";

/** The description of a failure. */
interface Described {
  readonly message: string;
  readonly hint: string;
  /** Whether a retry may succeed. */
  readonly retry?: boolean;
}

const ON_DISK =
  "If it exists only on disk, install the project, and start the server with --trust.";

/** What a Deno error message means for a package. */
const FAILURES: readonly (readonly [
  pattern: RegExp,
  describe: (groups: readonly string[], release: PackageVersion) => Described,
])[] = [
  // Deno requests the archive of a package or of a dependency only once.
  [DENO_MESSAGES.archiveFailed, ([missing, reason], { name }) => ({
    message: notDownloaded(missing!, reason!),
    hint: `Restart the server when the registry has it, or remove ${name}.`,
  })],
  [DENO_MESSAGES.packumentFailed, ([missing, reason]) => ({
    message: notDownloaded(missing!, reason!),
    hint: "Check the network and the registry: with them, the command warm downloads everything " +
      "that the project needs.",
    retry: !/Bad response: (?!408|429|5)/.test(reason!),
  })],
  [DENO_MESSAGES.unknownPackage, ([missing]) => ({
    message: `${missing} is not on the npm registry`,
    hint: FIRST_PARTY_NAMES.includes(missing!)
      ? `Check the registry of your settings, such as ~/.npmrc. ${ON_DISK}`
      : `${suggestion(missing!, FIRST_PARTY_NAMES)} ${ON_DISK}`.trim(),
  })],
  [DENO_MESSAGES.unknownVersion, ([missing, range], { from }) => ({
    message: `npm has no version of ${missing} that satisfies ${quotedName(range!)} (from ${from})`,
    hint: ON_DISK,
  })],
  [
    DENO_MESSAGES.notInNodeModules,
    ([missing, unfit], release) => notInstalled(unfit ?? missing!, release),
  ],
  [DENO_MESSAGES.notResolved, (_groups, release) => notInstalled(release.name, release)],
  [DENO_MESSAGES.missingImport, ([importer, missing]) => ({
    message: `${importer} imports ${quotedName(missing!)}, which is not installed`,
    hint: `Install the project again; if ${missing} is still missing, install it separately.`,
  })],
  [DENO_MESSAGES.noFileFor, ([missing, importer]) => ({
    message: `${missing} does not exist (imported from ${importer})`,
    hint: "Build the package that contains it (npm run build), or install the project again; " +
      "then restart the server.",
  })],
];

function notDownloaded(missing: string, reason: string): string {
  const [, status] = /Bad response: (\d{3})/.exec(reason) ?? [];
  let why = "the registry's answer is not valid";
  if (DENO_MESSAGES.unreachable.test(reason)) why = "the registry cannot be reached";
  else if (status !== undefined) why = `the registry answered with ${status}`;
  else if (/checksum/i.test(reason)) why = "its archive does not match its checksum";
  return `${missing} could not be downloaded: ${why}`;
}

/** Describes a package that Deno looks for in `node_modules` only. */
function notInstalled(name: string, { code }: PackageVersion): Described {
  return {
    message: `${name} is not installed`,
    hint:
      "Start the server with --no-config and without --node-modules-dir=manual, to use npm's. " +
      `Or, for --trust: ${code.shell.install(name)}`,
  };
}

/** The error for a package that is not loaded. */
export function notLoaded(name: string, { message, hint, retry }: Described): RefraktError {
  return new RefraktError("PLUGIN_LOAD_FAILED", message, {
    hint: retry === true ? `${hint} The server tries again by itself.` : hint,
    data: { package: name, retry },
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

/** Whether the registry does not have the package, or not at this version. */
export function isUnpublished(error: unknown): boolean {
  const raw = rawMessage(error);
  return DENO_MESSAGES.unknownPackage.test(raw) || DENO_MESSAGES.unknownVersion.test(raw);
}

function lacksExport(message: string, subpath = ""): boolean {
  const [, module, file] = DENO_MESSAGES.noFile.exec(message) ?? [];
  return DENO_MESSAGES.noExport.test(message) && message.includes(subpath) ||
    subpath !== "" && (module ?? file ?? "").replace(/\.js$/, "").endsWith(`/${subpath}`);
}

/** Converts an import failure to an error with a hint. */
export function loadError(
  release: PackageVersion,
  subpath: string | undefined,
  error: unknown,
): RefraktError {
  if (error instanceof RefraktError) return error;
  const { name, version, from, folder, code } = release;
  if (folder !== undefined && isUnpublished(error)) {
    return notTrusted(name, `npm does not have its version ${version}`, code.shell.trust());
  }
  const raw = withoutRoot(rawMessage(error).slice(0, 4000));
  const described = describe(release, subpath, raw) ?? {
    // Other errors come from the package's own code.
    message: withoutRoot(messageOf(error)).trim().split("\n")[0]!.slice(0, 300),
    hint:
      `Check that ${name}@${version} (from ${from}) is built and installs cleanly, then restart the server.`,
  };
  const module = `${name}${subpath === undefined ? "" : `/${subpath}`}@${version}`;
  const { message, hint = "", data } = notLoaded(name, described);
  return new RefraktError("PLUGIN_LOAD_FAILED", `Cannot load ${module}: ${message}`, {
    hint,
    data: { ...data, missingExport: lacksExport(raw, subpath) || undefined },
    cause: error,
  });
}

function describe(release: PackageVersion, subpath: string | undefined, raw: string) {
  for (const [pattern, explain] of FAILURES) {
    const groups = pattern.exec(raw)?.slice(1);
    // A file that the package itself lacks is not a missing dependency.
    const isOwnFile = subpath !== undefined && groups?.[0] === release.name &&
      groups[1] === subpath;
    if (groups !== undefined && !isOwnFile) return explain(groups, release);
  }
  return undefined;
}

function withoutRoot(text: string): string {
  return withoutCredentials(text.replaceAll(`file://${currentRoot()}/`, ""));
}

/** The error for a plugin that is not loaded: `CODE_NOT_TRUSTED` or `PLUGIN_LOAD_FAILED`. */
export function pluginFailure(project: Project, name: string, error: unknown): RefraktError {
  const refused = refusalIn(error, name, project.shell.trust());
  if (refused !== undefined) return refused;
  const message = `Plugin ${word(name)} is not available: ${messageOf(error)}`;
  const hint = error instanceof RefraktError ? error.hint : undefined;
  return new RefraktError("PLUGIN_LOAD_FAILED", message, { hint, cause: error });
}
