/**
 * The version of a package that a lock file pins: npm's, pnpm's, yarn's (both
 * kinds), Deno's. Only versions are taken from them, and only exact ones.
 *
 * @module
 */

import { isExactVersion } from "./names.ts";

/** A lock file's name and how to find a version in its text. */
export interface LockFile {
  /** The file's name. */
  readonly name: string;
  /** The pinned version, or `undefined`. */
  find(text: string, packageName: string): string | undefined;
}

/** The lock files, in the order in which they are asked. */
export const LOCK_FILES: readonly LockFile[] = [
  { name: "package-lock.json", find: fromNpm },
  { name: "npm-shrinkwrap.json", find: fromNpm },
  { name: "pnpm-lock.yaml", find: fromPnpm },
  { name: "yarn.lock", find: fromYarn },
  { name: "deno.lock", find: fromDeno },
];

function fromNpm(text: string, name: string): string | undefined {
  const lock = parseObject(text);
  const packages = objectAt(lock, "packages");
  const entry = objectAt(packages, `node_modules/${name}`) ??
    Object.entries(packages ?? {})
      .filter(([path]) => path.endsWith(`/node_modules/${name}`))
      .map(([, value]) => value as Record<string, unknown>)[0] ??
    objectAt(objectAt(lock, "dependencies"), name);
  return exact(entry?.["version"]);
}

function fromDeno(text: string, name: string): string | undefined {
  const lock = parseObject(text);
  const npm = objectAt(lock, "npm") ?? objectAt(objectAt(lock, "packages"), "npm");
  for (const key of Object.keys(npm ?? {})) {
    const found = versionAfter(key, `${name}@`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Keys look like `'@scope/name@1.2.3(peer@2.0.0)':` or `/@scope/name@1.2.3:` or `/@scope/name/1.2.3:`. */
function fromPnpm(text: string, name: string): string | undefined {
  for (const line of text.split("\n")) {
    const key = /^\s+'?\/?([^\s':]+(?:\([^)]*\))*)'?:/.exec(line)?.[1];
    if (key === undefined) continue;
    const found = versionAfter(key, `${name}@`) ?? versionAfter(key, `${name}/`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An entry's head names the ranges (`"@scope/name@^1.0.0", …:`); its `version` comes below. */
function fromYarn(text: string, name: string): string | undefined {
  let inside = false;
  for (const line of text.split("\n")) {
    if (/^\S/.test(line)) {
      inside = line.split(",").some((part) => {
        const key = part.trim().replace(/^"|"?:?$/g, "");
        return key.startsWith(`${name}@`);
      });
    } else if (inside) {
      const version = /^\s+"?version"?:?\s+"?([^"\s]+)"?/.exec(line)?.[1];
      if (version !== undefined) return exact(version);
    }
  }
  return undefined;
}

function versionAfter(key: string, prefix: string): string | undefined {
  if (!key.startsWith(prefix)) return undefined;
  return exact(key.slice(prefix.length).split(/[_(]/)[0]);
}

function exact(version: unknown): string | undefined {
  return typeof version === "string" && isExactVersion(version) ? version : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null
      ? value as Record<string, unknown>
      : undefined;
  } catch {
    return undefined;
  }
}

function objectAt(
  value: Record<string, unknown> | undefined,
  key: string,
): Record<string, unknown> | undefined {
  if (value === undefined || !Object.hasOwn(value, key)) return undefined;
  const found = value[key];
  return typeof found === "object" && found !== null ? found as Record<string, unknown> : undefined;
}
