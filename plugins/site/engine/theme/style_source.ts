/** Reads the style sheets and other files of a theme from a folder of the project or a package. */

import { join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { asObject, textsOf } from "../../../../src/io/json.ts";
import { ifFound, isInside, resolveInside, shownPath } from "../../../../src/io/paths.ts";
import { decodeLeniently, readBytesInside } from "../../../../src/io/read.ts";
import { listFolder, statIfExists } from "../../../../src/io/files.ts";
import { installedCopy } from "../../../../src/packages/manifests.ts";
import { refusalIn } from "../../../../src/packages/gate.ts";
import { importModule, packageFolder } from "../../../../src/packages/load.ts";
import { packagePolicy, type PackageVersion } from "../../../../src/packages/package.ts";
import { packageVersion } from "../../../../src/packages/versions.ts";
import { packageDir } from "../upstream/load_plugin.ts";
import type { SiteContext } from "../upstream/site.ts";
import { lockstepVersion } from "../upstream/package_versions.ts";

export interface StyleSource {
  readonly displayName: string;
  /** The address of the folder in a preview, relative to that of its site. */
  readonly address: string;
  /** Returns `null` if the file does not exist. */
  bytes(path: string, isText?: boolean): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Lists the CSS files of a folder; none if it cannot be listed. */
  list(path: string): readonly string[];
}

/** Reads a text file; `null` if it does not exist. */
export async function readText(source: StyleSource, path: string): Promise<string | null> {
  const bytes = await source.bytes(path, true);
  return bytes && decodeLeniently(bytes);
}

export function folderSource({ project }: SiteContext, dir: string): StyleSource {
  const root = resolveInside(project.cwd, dir, "The CSS folder");
  return {
    displayName: shownPath(project.cwd, root),
    address: projectAddress(project.cwd, root),
    bytes: (path) => {
      const file = join(root, path);
      const read = () => readBytesInside(project.cwd, file, "asset");
      return Promise.resolve(isInside(project.cwd, file) ? ifFound(read, null) : null);
    },
    list: (path) =>
      listFolder(join(root, path)).filter(({ isFile, name }) => isFile && name.endsWith(".css"))
        .map(({ name }) => name).sort(),
  };
}

export async function packageSource(
  context: SiteContext,
  name: string,
  isCode = false,
): Promise<StyleSource | undefined> {
  const version = stylesVersion(context, name);
  if (version === undefined) return undefined;
  // Style sheets are read from the installed copy, code only if the project's is trusted.
  const isNpms = isCode && !version.isProjectCode;
  const dir = isNpms ? undefined : packageDir(context.project, version);
  const source = dir !== undefined && statIfExists(dir)?.isDirectory
    ? folderSource(context, dir)
    : await loadedSource(version);
  return source && { ...source, address: `packages/${name}` };
}

/** The address of a file of the project in a preview, relative to that of its site. */
export function projectAddress(cwd: string, file: string): string {
  const names = relative(cwd, file).split(sep).filter((name) => name !== "");
  return ["project", ...names.map(encodeURIComponent)].join("/");
}

/** The main style sheet or module of a package, from its manifest. */
export async function entryOf(
  source: StyleSource,
  subpath: string,
  extension: ".css" | ".js" = ".css",
): Promise<string | undefined> {
  if (subpath !== "") return subpath;
  const manifest = asObject(JSON.parse(await readText(source, "package.json") ?? "{}"));
  const exported = manifest["exports"];
  const main = typeof exported === "string" ? exported : asObject(exported)["."];
  const conditions = asObject(main);
  const candidates = [main, conditions["style"], conditions["default"], manifest["style"]];
  const entry = textsOf([...candidates, manifest["main"]]).find((path) => path.endsWith(extension));
  if (entry !== undefined) return posix.normalize(entry);
  const usual = `index${extension}`;
  return await source.bytes(usual) === null ? undefined : usual;
}

/** Files that Deno imports as text; others need the permission to read its cache. */
const TEXTS = /\.(?:css|js|json|svg)$/i;

/** A package in Deno's cache. */
async function loadedSource(version: PackageVersion): Promise<StyleSource | undefined> {
  const base = await packageFolder(version);
  if (base === undefined) return undefined;
  return {
    displayName: `${version.name}@${version.version}`,
    address: `packages/${version.name}`,
    bytes: async (path, isText = TEXTS.test(path)) => {
      if (!isText) {
        return ifFound(() => readBytesInside(fileURLToPath(base), path, "asset"), null);
      }
      try {
        const { href } = new URL(encodeURI(path), base);
        const attributes = { with: { type: path.endsWith(".json") ? "json" : "text" } };
        const { default: value } = await importModule(href, version.code, attributes);
        const text = typeof value === "string" ? value : JSON.stringify(value);
        return new TextEncoder().encode(text);
      } catch (error) {
        if (refusalIn(error) !== undefined) throw error;
        return null;
      }
    },
    list: () => [],
  };
}

/** The version of a theme package or of one it imports. */
export function stylesVersion({ project }: SiteContext, name: string): PackageVersion | undefined {
  try {
    return name.startsWith("@refrakt-md/")
      ? lockstepVersion(project, name)
      : packageVersion(project, name);
  } catch {
    // Its style sheets may still be read; its code is not loaded.
    const folder = installedCopy(project, name);
    if (folder === undefined) return undefined;
    const { version, from } = folder;
    return { name, version, from, folder, isProjectCode: true, code: packagePolicy(project) };
  }
}
