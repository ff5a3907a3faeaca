/**
 * The files that a previewed page loads, by their addresses below that of its site:
 *
 * - `packages/<name>/<path>`: a package of the site, such as its theme;
 * - `project/<path>`: a file of the project, such as an image or a theme of its own;
 * - `static/<path>`: what style sheets address from the root of the site.
 */

import { extname, join } from "node:path";
import { ifFound } from "../../../../src/io/paths.ts";
import { readBytesInside } from "../../../../src/io/read.ts";
import { FIRST_PARTY_SCOPE, isPackageName } from "../../../../src/packages/names.ts";
import { contentDir } from "../pages/read/content_files.ts";
import { staticFolders } from "../pages/check/addresses.ts";
import { BEHAVIORS, hasPackage } from "../theme/page_parts.ts";
import { entryOf, packageSource } from "../theme/style_source.ts";
import type { SiteContext } from "../upstream/site.ts";

/** The media types of served files, by extension; the only scripts are those of the behaviours. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".js": "text/javascript",
  ".avif": "image/avif",
  ".gif": "image/gif",
  ".ico": "image/x-icon",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
  ".otf": "font/otf",
  ".ttf": "font/ttf",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".m4a": "audio/mp4",
  ".mp3": "audio/mpeg",
  ".mp4": "video/mp4",
  ".ogg": "audio/ogg",
  ".vtt": "text/vtt",
  ".wav": "audio/wav",
  ".webm": "video/webm",
};

/**
 * Returns a file, or the address of the file that an import of a package means in a style sheet;
 * `undefined` for what does not exist or is not served.
 *
 * @param root The address of the site, which those of its files begin with.
 */
export async function previewFile(
  site: SiteContext,
  { path, root }: { readonly path: string; readonly root: string },
) {
  const [folder, ...parts] = path.split("/");
  if (parts.length === 0 || !parts.every(isPlainName)) return undefined;
  const type = MEDIA_TYPES[extname(path).toLowerCase()];
  const bytes = type === undefined ? null : await readFile(site, folder, parts);
  if (type === undefined || bytes === null) {
    const movedTo = folder === "static" ? undefined : await importedEntry(site, parts);
    return movedTo === undefined ? undefined : { movedTo };
  }
  return { type, bytes: type === MEDIA_TYPES[".css"] ? withStaticFiles(bytes, root) : bytes };
}

async function readFile(
  site: SiteContext,
  folder: string | undefined,
  parts: readonly string[],
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { cwd } = site.project;
  const inProject = (file: string) => ifFound(() => readBytesInside(cwd, file, "asset"), null);
  if (folder === "packages") {
    const { name, subpath } = packagePath(parts);
    const isCode = subpath.endsWith(".js");
    if (isCode && name !== BEHAVIORS) return null;
    return await (await usedPackage(site, name, isCode))?.bytes(subpath) ?? null;
  }
  if (parts.at(-1)!.endsWith(".js")) return null;
  if (folder === "project") return inProject(join(cwd, ...parts));
  if (folder !== "static") return null;
  for (const dir of staticFolders(cwd, contentDir(site))) {
    const bytes = inProject(join(dir, ...parts));
    if (bytes !== null) return bytes;
  }
  return null;
}

/** Rejects hidden files and names with a special meaning on some system. */
function isPlainName(name: string): boolean {
  // deno-lint-ignore no-control-regex -- they are what is looked for
  return name !== "" && !name.startsWith(".") && !/[\\:\0-\x1f]/.test(name);
}

function packagePath([first = "", ...rest]: readonly string[]): { name: string; subpath: string } {
  const scope = first.startsWith("@") ? [first, rest.shift()] : [first];
  return { name: scope.join("/"), subpath: rest.join("/") };
}

/** The files of a package that the site uses. */
async function usedPackage(site: SiteContext, name: string, isCode = false) {
  if (!isPackageName(name)) return undefined;
  const isOfSite = name.startsWith(FIRST_PARTY_SCOPE) || hasPackage(site, name);
  return isOfSite ? await packageSource(site, name, isCode) : undefined;
}

/** A browser takes the name of a package in an import for a path beside the style sheet. */
async function importedEntry(site: SiteContext, parts: readonly string[]) {
  // The first part belongs to the style sheet's own address.
  for (let start = 1; start < parts.length; start++) {
    const { name, subpath } = packagePath(parts.slice(start));
    const source = await usedPackage(site, name);
    const entry = source && await entryOf(source, subpath);
    if (entry !== undefined) return `${source!.address}/${entry}`;
  }
  return undefined;
}

/** Addresses from the root of the site lead to its static files. */
function withStaticFiles(bytes: Uint8Array, root: string): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(bytes)
    .replace(/url\(\s*(["']?)\/(?![/*])/g, (_, quote) => `url(${quote}${root}static/`);
  return new TextEncoder().encode(text);
}
