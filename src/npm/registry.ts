/**
 * Packages from the registry that Deno uses: which exact version a range means there,
 * and whether it is the one that the project's lock file means. Both are known before a
 * line of the package's code runs.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { fileURLToPath } from "node:url";
import { messageOf, RefraktError } from "../errors.ts";
import { DENO_MESSAGES } from "../io/deno_messages.ts";
import { resolvedFile } from "./disk.ts";
import { FIRST_PARTY_SCOPE, isExactVersion } from "./names.ts";
import { highestIn, isSimpleRange } from "./ranges.ts";
import type { PackageVersion } from "./versions.ts";

/** The checksums of an archive that a registry has. */
export interface Published {
  /** One or more, each with its algorithm. */
  readonly integrity?: string;
  /** SHA-1, in hexadecimal digits. */
  readonly shasum?: string;
}

/** What Deno keeps of a registry's answer. */
interface Packument {
  readonly versions: Readonly<Record<string, { readonly dist?: Published } | undefined>>;
}

/** A subpath that no package has: asking for it downloads the package and runs nothing. */
const NOWHERE = "refrakt-mcp-looks-where-this-package-lies";

/**
 * The runtime remembers for a specifier that it could not be resolved; another subpath makes
 * it ask the registry again.
 */
let failures = 0;

const checked = new Map<string, Promise<string>>();

/**
 * The exact version to import.
 *
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` where the registry's package is not the one that
 * the project means, or where no version fits.
 */
export async function checkedVersion(found: PackageVersion): Promise<string> {
  const { name, version, integrity, notFromRegistry } = found;
  if (notFromRegistry !== undefined) {
    throw new RefraktError(
      "PLUGIN_LOAD_FAILED",
      `${name} is not taken from the public registry: ${notFromRegistry}`,
      {
        hint: "Install the project, and start the server with --node-modules-dir=manual: " +
          "then it takes the packages that are installed.",
        data: { package: name },
      },
    );
  }
  if (isExactVersion(version) && integrity === undefined) return version;
  const key = JSON.stringify([found.alias ?? name, version, integrity]);
  let pending = checked.get(key);
  if (pending === undefined) {
    pending = isExactVersion(version) ? verified(found) : resolved(found);
    checked.set(key, pending);
    pending.catch(() => checked.delete(key));
  }
  return await pending;
}

/**
 * Lets the runtime find out which packages a version needs, without running any. A failure
 * is told when the package is imported.
 */
export async function resolveAhead(found: PackageVersion): Promise<void> {
  if (found.root !== undefined || found.notFromRegistry !== undefined) return;
  await checkedVersion(found).then((version) => folderOf(found, version)).catch(() => {});
}

/** Asks the registry again for a package that could not be had. */
export async function resolveAgain(found: PackageVersion, version: string): Promise<void> {
  await folderOf(found, version);
}

/**
 * Whether a version was downloaded before. Nothing tells but its manifest, which lies in
 * the runtime's cache beside those of other packages of the same registry.
 *
 * @param other A package of that registry, loaded before.
 */
export async function isDownloaded(
  { alias, name, version }: PackageVersion,
  other: PackageVersion,
): Promise<boolean> {
  const file = resolvedFile(`npm:${other.alias ?? other.name}@${other.version}`)?.href ?? "";
  const at = file.lastIndexOf(`/${other.alias ?? other.name}/`);
  if (at < 0) return false;
  try {
    const url = `${file.slice(0, at)}/${alias ?? name}/${version}/package.json`;
    await import(url, { with: { type: "json" } });
    return true;
  } catch {
    return false;
  }
}

async function verified(found: PackageVersion): Promise<string> {
  const { name, version, integrity, from } = found;
  const packument = await packumentOf(found, version);
  const isSame = sameChecksum(packument?.versions[version]?.dist ?? {}, integrity!);
  if (isSame === true || isSame === undefined && name.startsWith(FIRST_PARTY_SCOPE)) return version;
  throw new RefraktError(
    "PLUGIN_LOAD_FAILED",
    isSame === false
      ? `${name}@${version} of the registry is not the package that the lock file means: ` +
        "its checksum is another one"
      : `Whether ${name}@${version} of the registry is the package that the lock file means ` +
        "cannot be told: they have no checksum of one kind",
    {
      hint: `The version is from ${from}. Install the project, and start the server with ` +
        "--node-modules-dir=manual.",
      data: { package: name },
    },
  );
}

/** From the strongest on. */
const ALGORITHMS = ["sha512-", "sha384-", "sha256-", "sha1-"];

/** Compares by the strongest algorithm that both have; `undefined` where there is none. */
export function sameChecksum(
  { integrity = "", shasum }: Published,
  locked: string,
): boolean | undefined {
  const sha1 = shasum === undefined ? "" : `sha1-${Buffer.from(shasum, "hex").toString("base64")}`;
  for (const algorithm of ALGORITHMS) {
    const of = (checksums: string) =>
      checksums.split(/\s+/).filter((each) => each.startsWith(algorithm));
    const [ours, theirs] = [of(locked), of(`${integrity} ${sha1}`)];
    if (ours.length > 0 && theirs.length > 0) return ours.some((each) => theirs.includes(each));
  }
  return undefined;
}

async function resolved(found: PackageVersion): Promise<string> {
  const { name, version: range, from } = found;
  if (isSimpleRange(range)) {
    const folder = await folderOf(found, range);
    const exact = folder === undefined ? undefined : /\/([^/]+)\/$/.exec(folder)?.[1];
    return exact?.replace(/_\d+$/, "") ?? range;
  }
  const packument = await packumentOf(found, "*");
  const exact = await highestIn(Object.keys(packument?.versions ?? {}), range);
  if (exact !== undefined) return exact;
  throw new RefraktError("PLUGIN_LOAD_FAILED", `No version of ${name} fits "${range}"`, {
    hint: `The range is from ${from}; the registry has ${
      Object.keys(packument?.versions ?? {}).slice(-5).join(", ") || "none"
    }.`,
    data: { package: name },
  });
}

async function packumentOf(found: PackageVersion, range: string): Promise<Packument | undefined> {
  const folder = await folderOf(found, range);
  if (folder === undefined) return undefined;
  try {
    // Deno lets JSON be imported from its cache without a read grant.
    const url = new URL("../registry.json", `file://${folder}`).href;
    return (await import(url, { with: { type: "json" } })).default as Packument;
  } catch {
    return undefined;
  }
}

/** The folder in Deno's cache in which a package lies, with a slash at its end. */
async function folderOf(found: PackageVersion, range: string): Promise<string | undefined> {
  const specifier = `npm:${found.alias ?? found.name}@${range}/${NOWHERE}-${failures}`;
  try {
    await import(specifier);
  } catch (error) {
    // Where another package cannot be downloaded, this one may still have been resolved.
    const folder = folderIn(error) ?? resolvedFolder(specifier);
    if (folder !== undefined) return folder;
    failures++;
    throw error;
  }
  return undefined;
}

function resolvedFolder(specifier: string): string | undefined {
  try {
    const url = import.meta.resolve(specifier);
    // What is not unpacked yet has no exports that the subpath could be missing from.
    const ending = specifier.slice(specifier.lastIndexOf("/") + 1);
    return url.startsWith("file:") && url.endsWith(ending)
      ? fileURLToPath(url.slice(0, -ending.length))
      : undefined;
  } catch (error) {
    return folderIn(error);
  }
}

/** The runtime says where it looked for the subpath. */
function folderIn(error: unknown): string | undefined {
  const message = messageOf(error);
  const [, manifest] = DENO_MESSAGES.noExport.exec(message) ?? [];
  const [, module] = DENO_MESSAGES.noFile.exec(message) ?? [];
  const file = manifest ?? (module?.includes(NOWHERE) ? module : undefined);
  if (file === undefined) return undefined;
  const folder = file.replace(/[^\\/]*$/, "");
  return folder.startsWith("file:") ? fileURLToPath(folder) : folder.replaceAll("\\", "/");
}
