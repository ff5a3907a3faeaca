/**
 * What a manifest asks for: a range of versions in a registry, a folder, or something
 * that no registry has.
 *
 * @module
 */

import { isPackageName, isRegistryRange } from "./names.ts";

/** What a dependency's range means. */
export type Request =
  /** A package of a registry: its name there, and a range or a tag. */
  | { readonly kind: "registry"; readonly name: string; readonly range: string }
  /** A folder on disk: a member of the workspace, or a linked one. */
  | { readonly kind: "disk"; readonly name: string; readonly protocol: string }
  /** A repository, an archive or another registry's package. */
  | { readonly kind: "elsewhere"; readonly name: string; readonly what: string }
  /** Nothing that can be resolved, with the reason. */
  | { readonly kind: "unknown"; readonly name: string; readonly reason: string };

/** The catalogs of a workspace: ranges by package, by the catalog's name; `default` is the unnamed one. */
export type Catalogs = ReadonlyMap<string, ReadonlyMap<string, string>>;

const DISK_PROTOCOLS = ["workspace:", "file:", "link:", "portal:", "patch:"];
const HOSTS = [
  "git",
  "git+",
  "github:",
  "gitlab:",
  "bitbucket:",
  "gist:",
  "http:",
  "https:",
  "ssh:",
];

/** How often a range may lead to another one: a catalog's alias of a catalog's range is the most. */
const MOST_STEPS = 4;

/** Reads a range as npm, pnpm, yarn and bun write it. */
export function parseRange(name: string, written: string, catalogs: Catalogs): Request {
  return follow(name, written, catalogs, 0);
}

function follow(name: string, written: string, catalogs: Catalogs, steps: number): Request {
  const range = written.trim();
  if (steps > MOST_STEPS) {
    return { kind: "unknown", name, reason: "it leads to no version" };
  }
  if (range.startsWith("catalog:")) {
    const catalog = range.slice("catalog:".length).trim() || "default";
    const found = catalogs.get(catalog)?.get(name);
    if (found === undefined || found.startsWith("catalog:")) {
      return { kind: "unknown", name, reason: `the catalog "${catalog}" does not have it` };
    }
    return follow(name, found, catalogs, steps + 1);
  }
  if (range.startsWith("npm:")) {
    return parseAlias(name, range.slice("npm:".length), catalogs, steps + 1);
  }
  const protocol = DISK_PROTOCOLS.find((each) => range.startsWith(each));
  if (protocol !== undefined) return { kind: "disk", name, protocol };
  if (range.startsWith("./") || range.startsWith("../") || range.startsWith("/")) {
    return { kind: "disk", name, protocol: "file:" };
  }
  if (HOSTS.some((each) => range.startsWith(each)) || /^[\w-]+\/[\w.-]+(?:#.*)?$/.test(range)) {
    return { kind: "elsewhere", name, what: "a repository or an archive" };
  }
  if (range.startsWith("jsr:")) return { kind: "elsewhere", name, what: "JSR" };
  if (range === "") return { kind: "registry", name, range: "*" };
  if (!isRegistryRange(range)) {
    return { kind: "unknown", name, reason: "that is no range of versions" };
  }
  return { kind: "registry", name, range };
}

/** `npm:other@^1.0.0` is another package under this name. */
function parseAlias(name: string, target: string, catalogs: Catalogs, steps: number): Request {
  const at = target.indexOf("@", 1);
  const other = at < 0 ? target : target.slice(0, at);
  // Yarn writes `npm:^1.0.0` for a plain range.
  if (at < 0 && !isPackageName(other) || /^[\d^~<>=*]/.test(target)) {
    return follow(name, target, catalogs, steps);
  }
  if (!isPackageName(other)) {
    return { kind: "unknown", name, reason: "that names no package" };
  }
  return follow(other, at < 0 ? "*" : target.slice(at + 1), catalogs, steps);
}

/** Whether Deno's `npm:` specifiers take a range as it is; the others are resolved first. */
export function isSimpleRange(range: string): boolean {
  return /^(?:[\^~]?\d+(?:\.(?:\d+|x|\*)){0,2}(?:-[\w.]+)?|\*|[A-Za-z][\w-]*)$/.test(range);
}

/** `semver`, as far as it is used here; the package comes without types. */
interface Semver {
  maxSatisfying(versions: readonly string[], range: string): string | null;
  satisfies(version: string, range: string): boolean;
  validRange(range: string): string | null;
}

async function semver(): Promise<Semver> {
  const module = await import("semver") as { default: Semver };
  return module.default;
}

/** The highest of some versions that a range takes; prereleases where the range names one. */
export async function highestIn(
  versions: readonly string[],
  range: string,
): Promise<string | undefined> {
  return (await semver()).maxSatisfying(versions, range) ?? undefined;
}

/** Whether a range can mean a version. */
export async function takes(range: string, version: string): Promise<boolean> {
  const { satisfies, validRange } = await semver();
  return validRange(range) === null || satisfies(version, range);
}
