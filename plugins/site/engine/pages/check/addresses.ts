/** Resolves the addresses on pages to pages and files. */

import { basename, dirname, join, posix } from "node:path";
import { orElse } from "../../../../../src/errors.ts";
import { listFolder, statIfExists } from "../../../../../src/io/files.ts";
import { asObject, textsOf } from "../../../../../src/io/json.ts";
import { isInside, shownPath } from "../../../../../src/io/paths.ts";
import type { SiteContext } from "../../upstream/site.ts";
import type { Content } from "../read/content_files.ts";
import type { ParsedPage } from "./parse_page.ts";

/** A page, or a file with the address of one. */
export type Placed = Pick<ParsedPage, "route" | "file">;

/** The folders whose files are served as they are, of the project and beside a content folder. */
export function staticFolders(cwd: string, dir: string): string[] {
  return ["static", "public"].flatMap((name) => [join(cwd, name), join(dir, "..", name)]);
}

/** Normalizes an address: decoded, without query, hash and trailing slash. */
export function addressOf(url: string): string {
  return decoded(url.replace(/[?#].*$/s, "")).replace(/\/+$/, "");
}

/** An address without encoding; as written if that is invalid. */
export function decoded(path: string, decode: (text: string) => string = decodeURI): string {
  return orElse(() => decode(path), path);
}

/** Splits an address at its fragment; a text fragment (`:~:text=`) is dropped. */
export function splitHash(target: string): [path: string, hash: string] {
  const [path = "", ...rest] = target.split("#");
  return [path, rest.join("#").split(":~:")[0]!];
}

/** Whether an address names a scheme or a host, so that it does not lead to a file of the site. */
export function isExternal(target: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(target);
}

/** Whether an address leads to another site, or is only known in the build. */
export function isForeign(site: SiteContext, target: string): boolean {
  return isExternal(target) || target.startsWith("$") ||
    target.includes(":") && site.upstream.runes.hasImageScheme(target.split(":")[0]!);
}

/** The addresses a path may resolve to: pages are served with and without a trailing slash. */
export function addressesOf(
  { route: { url }, file: { relative } }: Placed,
  path: string,
): string[] {
  if (path.startsWith("/")) return [addressOf(path)];
  const bases = [posix.dirname(url), url, posix.join("/", posix.dirname(relative))];
  return bases.map((base) => addressOf(posix.join("/", base, path)));
}

/** The file of the site that an address on a page means: absolute, in the project. */
export function fileOf(
  { project: { cwd } }: SiteContext,
  page: Placed,
  target: string,
  dir: string,
  isFile: (path: string) => boolean = isFileAt,
): string | undefined {
  const path = addressOf(target);
  const inContent = path.startsWith("/")
    ? [path]
    : [posix.join("/", posix.dirname(page.file.relative), path), ...addressesOf(page, path)];
  const folders = [dir, ...staticFolders(cwd, dir)];
  return folders.flatMap((folder) => inContent.map((way) => join(folder, way)))
    .find((file) => isInside(cwd, file) && isFile(file));
}

function isFileAt(file: string): boolean {
  // The file may lie outside the readable folders.
  return orElse(() => statIfExists(file)?.isFile === true, false);
}

/** Returns an {@linkcode isFileAt} for thousands of files, which lists each folder once. */
export function fileCheck(): (file: string) => boolean {
  const folders = new Map<string, ReadonlySet<string>>();
  const plain = (name: string) => name.normalize("NFC").toLowerCase();
  const namesIn = (folder: string) => new Set(listFolder(folder).map(({ name }) => plain(name)));
  return (file) => {
    const folder = dirname(file);
    return folders.getOrInsertComputed(folder, namesIn).has(plain(basename(file))) &&
      isFileAt(file);
  };
}

/** Whether `entityRoutes` of the config may create a page at one of the addresses. */
export function isContributed(site: SiteContext, addresses: readonly string[]): boolean {
  const routes = site.memo([site, "routes"], () => {
    const all = site.site.raw["entityRoutes"];
    const urls = textsOf(Array.isArray(all) ? all.map((route) => asObject(route)["url"]) : []);
    return urls.map((url) => addressOf(url).split("/"));
  });
  return addresses.map((address) => address.split("/")).some((parts) =>
    routes.some((route) =>
      route.length === parts.length &&
      route.every((part, index) => part === parts[index] || part.includes("{"))
    )
  );
}

/** The pages, files and ids that links may lead to. */
export type Targets = ReturnType<typeof linkTargets>;

/** @param ids The ids of a page as it is shown, and those of the layouts around it. */
export function linkTargets(
  site: SiteContext,
  { dir, others }: Content,
  all: readonly ParsedPage[],
  ids: Readonly<Record<"idsOf" | "layoutIdsOf", (page: ParsedPage) => readonly string[]>>,
) {
  /** By address, without a trailing slash; of several pages with one address, the last. */
  const pages = new Map<string, { page: ParsedPage; files: string[] }>();
  for (const page of all) {
    const { file: { kind, displayPath }, route } = page;
    if (kind !== "page") continue;
    const address = addressOf(route.url);
    const files = pages.get(address)?.files ?? [];
    pages.set(address, { page, files: [...files, displayPath] });
  }
  /** The addresses of pages, by their lower case. */
  const spellings = new Map<string, string>();
  for (const address of pages.keys()) spellings.getOrInsert(address.toLowerCase(), address);
  /** Files that are no pages, by the addresses that they would have. */
  const otherFiles = new Map<string, string>();
  for (const relative of others) {
    const displayPath = shownPath(site.project.cwd, join(dir, relative));
    otherFiles.set(`/${relative}`, displayPath);
    otherFiles.set(`/${relative}`.replace(/(?:\/index)?\.\w+$/, ""), displayPath);
  }
  return { dir, pages, spellings, otherFiles, ...ids };
}
