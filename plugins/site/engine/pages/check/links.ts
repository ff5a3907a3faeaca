/** Checks the links, images, sandboxes and partials of a page. */

import { basename, dirname, join, posix } from "node:path";
import { quotedName } from "../../../../../src/plain_text.ts";
import { orElse, suggestion } from "../../../../../src/errors.ts";
import { statIfExists } from "../../../../../src/io/files.ts";
import { asObject } from "../../../../../src/io/json.ts";
import { isInside } from "../../../../../src/io/paths.ts";
import { noteRead } from "../../../../../src/io/reads.ts";
import type { SiteContext } from "../../upstream/site.ts";
import { PARTIALS } from "../read/content_files.ts";
import {
  type Diagnostic,
  diagnostic,
  type Place,
  sentences,
  withFix,
} from "../read/diagnostics.ts";
import type { ParsedPage } from "./parse_page.ts";

export interface Targets {
  /** By address, without a trailing slash. */
  readonly pages: ReadonlyMap<string, {
    readonly ids: readonly string[];
    readonly shown: string;
    readonly files: readonly string[];
  }>;
  /** The addresses of pages, by their lower case. */
  readonly spellings: ReadonlyMap<string, string>;
  /** The content folder, absolute. */
  readonly dir: string;
}

/** For how many broken links of a page the address that was meant is guessed. */
const MOST_GUESSES = 100;

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

/** A page, or what is placed like one. */
export type Placed = Pick<ParsedPage, "route" | "file">;

export function checkLinks(site: SiteContext, page: ParsedPage, targets: Targets): Diagnostic[] {
  const { facts: { references, ids: ownIds } } = page;
  const isFile = fileCheck();
  let guesses = 0;
  return references.flatMap((reference): Diagnostic[] => {
    const { target, kind, place } = reference;
    // The build reports unknown navigation entries.
    if (kind === "partial" || kind === "nav") return [];
    if (kind === "sandbox") return sandboxSource(target, place, targets);
    if (isForeign(site, target)) return [];
    if (kind === "image") {
      if (target !== "" && fileOf(site, page, target, targets.dir, isFile) !== undefined) return [];
      return [diagnostic("image-missing", `No such image: ${quotedName(target)}`, place)];
    }
    if (target === "") return [diagnostic("link-broken", "The link has no address", place)];
    const [path, hash] = splitHash(target);
    const addresses = addressesOf(page, path);
    const own = { ids: ownIds, shown: "The page" };
    const found = path === "" ? own : addresses.map((address) => targets.pages.get(address))
      .find((known) => known !== undefined);
    if (found !== undefined) {
      const { ids, shown } = found;
      return hash === "" || hasId(ids, hash)
        ? []
        : [anchorBroken(path === "" ? shown : quotedName(shown), hash, ids, place, path)];
    }
    if (fileOf(site, page, path, targets.dir, isFile) !== undefined) {
      const isMarkdown = path.replace(/[?].*$/s, "").endsWith(".md");
      return isMarkdown ? [markdownLink(page, path, targets, place)] : [];
    }
    if (isContributed(site, addresses)) return [];
    const wanted = addressOf(path);
    // Each guess compares the address with all pages.
    const known = guesses++ < MOST_GUESSES ? targets.pages.keys().filter(Boolean) : [];
    const guess = suggestion(wanted || "/", known);
    const message = sentences(`No page or file of the site: ${quotedName(target)}.`, guess);
    return [withFix(
      diagnostic("link-broken", message, place),
      { ...place, length: path.length },
      path.startsWith("/") && place.column > 1
        ? targets.spellings.get(wanted.toLowerCase())
        : undefined,
    )];
  });
}

/** A sandbox's source is a folder in `examples`, beside the content folder. */
function sandboxSource(target: string, place: Place, { dir }: Targets): Diagnostic[] {
  const examples = join(dir, "..", "examples");
  if (
    isInside(examples, join(examples, target)) &&
    orElse(() => statIfExists(join(examples, target))?.isDirectory === true, false)
  ) {
    return [];
  }
  noteRead(join(examples, "/"));
  const names = orElse(() => [...Deno.readDirSync(examples)], [])
    .filter((entry) => entry.isDirectory).map(({ name }) => name);
  const message = `The examples folder has no folder ${quotedName(target)}.`;
  return [diagnostic("sandbox-missing", sentences(message, suggestion(target, names)), place)];
}

/** The build does not rewrite addresses, so a link to a Markdown file is broken. */
function markdownLink(
  { file: { relative } }: Placed,
  path: string,
  { pages }: Targets,
  place: Place,
): Diagnostic {
  const file = path.startsWith("/") ? path : posix.join("/", posix.dirname(relative), path);
  const found = [...pages].find(([, { shown }]) => shown.endsWith(posix.normalize(file)));
  const hint = found === undefined
    ? ""
    : `; on the site that page is ${quotedName(found[0] || "/")}`;
  return withFix(
    diagnostic("link-broken", `The link leads to a Markdown file${hint}`, place),
    { ...place, length: path.length },
    found === undefined || place.column === 1 ? undefined : found[0] || "/",
  );
}

function anchorBroken(
  where: string,
  hash: string,
  ids: readonly string[],
  { line, column }: Place,
  path: string,
): Diagnostic {
  const message = sentences(
    `${where} has no heading ${quotedName(`#${hash}`)}.`,
    suggestion(hash, ids),
  );
  // Compares letters and digits only.
  const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const same = [...new Set(ids.filter((id) => bare(id) === bare(hash) && !/[()\s]/.test(id)))];
  return withFix(
    diagnostic("anchor-broken", message, { line, column }),
    { line, column: column + path.length + 1, length: hash.length },
    same.length === 1 && column > 1 ? same[0] : undefined,
  );
}

function splitHash(target: string): [string, string] {
  const at = target.indexOf("#");
  if (at === -1) return [target, ""];
  return [target.slice(0, at), decoded(target.slice(at + 1), decodeURIComponent)];
}

/** Runes put a prefix before explicit ids. */
function hasId(ids: readonly string[], hash: string): boolean {
  return ids.some((id) => id === hash || hash.endsWith(`-${id}`));
}

/** Whether an address leads to another site, or is only known in the build. */
export function isForeign(site: SiteContext, target: string): boolean {
  if (target.startsWith("//")) return true;
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(target)?.[1];
  return scheme !== undefined || target.startsWith("$") ||
    site.upstream.runes.hasImageScheme(target.split(":")[0]!) && target.includes(":");
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
  isFile: (path: string) => boolean = exists,
): string | undefined {
  const path = addressOf(target);
  const inContent = path.startsWith("/")
    ? [path]
    : [posix.join("/", posix.dirname(page.file.relative), path), ...addressesOf(page, path)];
  const folders = [dir, ...staticFolders(cwd, dir)];
  return folders.flatMap((folder) => inContent.map((way) => join(folder, way)))
    .find((file) => isInside(cwd, file) && isFile(file));
}

function exists(file: string): boolean {
  // It may lie outside the readable folders.
  return orElse(() => statIfExists(file)?.isFile === true, false);
}

/** Like {@linkcode exists}, for thousands of files: what its folder does not list is not looked at. */
function fileCheck(): (file: string) => boolean {
  const folders = new Map<string, ReadonlySet<string>>();
  const plain = (name: string) => name.normalize("NFC").toLowerCase();
  const namesIn = (folder: string) =>
    new Set(orElse(() => [...Deno.readDirSync(folder)], []).map(({ name }) => plain(name)));
  return (file) => {
    const folder = dirname(file);
    noteRead(file);
    return folders.getOrInsertComputed(folder, namesIn).has(plain(basename(file))) && exists(file);
  };
}

/** Whether hooks make pages at one of the addresses, as far as the config tells. */
export function isContributed(site: SiteContext, addresses: readonly string[]): boolean {
  const routes = site.site.raw["entityRoutes"];
  if (!Array.isArray(routes)) return false;
  return routes.some((route) => {
    const { url } = asObject(route);
    if (typeof url !== "string") return false;
    const parts = addressOf(url).split("/");
    return addresses.some((address) => {
      const own = address.split("/");
      return own.length === parts.length &&
        parts.every((part, index) => part.includes("{") || part === own[index]);
    });
  });
}

/** Findings about partials that include each other, by the path of the including file. */
export function partialCycles(all: readonly ParsedPage[]): ReadonlyMap<string, Diagnostic[]> {
  const partials = new Map(
    all.filter(({ file }) => file.kind === "partial").map((page) => [
      page.file.relative.slice(PARTIALS.length + 1),
      page,
    ]),
  );
  const includes = (page: ParsedPage) =>
    page.facts.references.filter(({ kind }) => kind === "partial");
  /** Partials that lead to no cycle. */
  const harmless = new Set<string>();
  /** Returns the cycle that a partial leads into. */
  const cycleFrom = (name: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    const page = partials.get(name);
    if (page === undefined || harmless.has(name)) return undefined;
    for (const { target } of includes(page)) {
      const found = cycleFrom(target, [...way, name]);
      if (found !== undefined) return found;
    }
    harmless.add(name);
    return undefined;
  };
  const findings = new Map<string, Diagnostic[]>();
  for (const page of all) {
    for (const { target, place } of includes(page)) {
      const cycle = cycleFrom(target, []);
      if (cycle === undefined) continue;
      const message = `The partials include each other in a cycle: ${
        cycle.map(quotedName).join(" → ")
      }`;
      findings.set(page.file.path, [
        ...findings.get(page.file.path) ?? [],
        diagnostic("partial-cycle", message, place),
      ]);
    }
  }
  return findings;
}
