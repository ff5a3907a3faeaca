/** Checks the links, images, sandboxes and partials of a page. */

import type { Edit, Place } from "../../../../../src/markdoc/edits.ts";
import { basename, dirname, join, posix } from "node:path";
import { quotedName } from "../../../../../src/plain_text.ts";
import { orElse, suggestion } from "../../../../../src/errors.ts";
import { listFolder, statIfExists } from "../../../../../src/io/files.ts";
import { asObject, textOf } from "../../../../../src/io/json.ts";
import { isInside } from "../../../../../src/io/paths.ts";
import type { SiteContext } from "../../upstream/site.ts";
import { partialName } from "../read/content_files.ts";
import { type Diagnostic, diagnostic, sentences, withFix } from "../read/diagnostics.ts";
import { fieldPlace } from "../read/front_matter.ts";
import type { Heading, Reference } from "../read/page_facts.ts";
import type { ParsedPage } from "./parse_page.ts";

export interface Targets {
  /** By address, without a trailing slash. */
  readonly pages: ReadonlyMap<string, {
    readonly page: ParsedPage;
    /** The files with this address: the page's is the last. */
    readonly files: readonly string[];
  }>;
  /** The ids of a page as it is shown. */
  readonly idsOf: (page: ParsedPage) => readonly string[];
  /** Those of the layouts around it. */
  readonly layoutIdsOf: (page: ParsedPage) => readonly string[];
  /** The addresses of pages, by their lower case. */
  readonly spellings: ReadonlyMap<string, string>;
  /** The content folder, absolute. */
  readonly dir: string;
  /** Files that are no pages, by the addresses that they would have. */
  readonly others: ReadonlyMap<string, string>;
}

/** How many addresses or headings all broken links of a page are compared with, to guess what was meant. */
const MOST_COMPARED = 100_000;

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
  const { facts: { references } } = page;
  const isFile = fileCheck();
  let compared = 0;
  const mayCompare = (count: number) => (compared += count) <= MOST_COMPARED;
  const linkFindings = references.flatMap((reference): Diagnostic[] => {
    const { target, kind, place, written } = reference;
    const quotedTarget = quotedName(written?.text ?? target);
    // The build reports unknown navigation entries.
    if (kind === "partial" || kind === "nav") return [];
    if (kind === "sandbox") return sandboxSource(target, place, targets);
    if (isForeign(site, target)) return [];
    if (kind === "image") {
      if (target !== "" && fileOf(site, page, target, targets.dir, isFile) !== undefined) return [];
      return [diagnostic("image-missing", `No such image: ${quotedTarget}`, place)];
    }
    if (target === "") return [diagnostic("link-broken", "The link has no address", place)];
    const [path, hash] = splitHash(target);
    const addresses = addressesOf(page, path);
    const linked = path === "" ? page : pageAt(addresses, targets);
    if (linked !== undefined) {
      const destination = path === "" ? page : redirected(site, linked, targets);
      // What is wrong with a redirect is said of the page that has it.
      return typeof destination === "string"
        ? []
        : anchorFindings(destination, hash, reference, targets, mayCompare);
    }
    const other = addresses.map((address) => targets.others.get(address)).find((each) => each);
    if (other !== undefined) {
      const message = `${quotedName(other)} is no page: the names of pages end with .md`;
      return [diagnostic("link-broken", message, place)];
    }
    if (fileOf(site, page, path, targets.dir, isFile) !== undefined) {
      const isMarkdown = path.replace(/[?].*$/s, "").endsWith(".md");
      return isMarkdown ? [markdownLink(page, path, targets, reference)] : [];
    }
    if (isContributed(site, addresses)) return [];
    const wanted = addressOf(path);
    const isGuessed = mayCompare(targets.pages.size);
    const pageAddresses = isGuessed ? targets.pages.keys().filter(Boolean) : [];
    const guess = suggestion(wanted || "/", pageAddresses);
    const message = sentences(`No page or file of the site: ${quotedTarget}.`, guess);
    return [withFix(
      diagnostic("link-broken", message, place),
      pathOf(written),
      // Certain: but for capital letters, it is the address of one page.
      path.startsWith("/") ? targets.spellings.get(wanted.toLowerCase()) : undefined,
    )];
  });
  return [...linkFindings, ...redirectFindings(site, page, targets)];
}

/** Where the path of an address is written, without its fragment. */
function pathOf(written: Reference["written"]): Omit<Edit, "text"> | undefined {
  return written && { ...written.place, length: splitHash(written.text)[0].length };
}

function pageAt(addresses: readonly string[], { pages }: Targets): ParsedPage | undefined {
  return addresses.map((address) => pages.get(address)?.page).find((each) => each !== undefined);
}

/** The address that the front matter of a page redirects to. */
function redirectOf({ frontmatter }: ParsedPage): string | undefined {
  return textOf(frontmatter["redirect"]) || undefined;
}

/**
 * Follows the redirects of a page to the one that is shown in the end.
 *
 * @returns What is wrong with them instead, or an empty text if they leave the site.
 */
function redirected(site: SiteContext, from: ParsedPage, targets: Targets): ParsedPage | string {
  const way = [from];
  for (let page = from;;) {
    const target = redirectOf(page);
    if (target === undefined) return page;
    if (isForeign(site, target)) return "";
    const [path] = splitHash(target);
    const addresses = addressesOf(page, path);
    const next = pageAt(addresses, targets);
    if (next === undefined) {
      const isThere = isContributed(site, addresses) || fileOf(site, page, path, targets.dir);
      return isThere ? "" : `No page or file of the site: ${quotedName(target)}`;
    }
    if (path === "") return `The page redirects to a place on itself: ${quotedName(target)}`;
    if (way.includes(next)) {
      const circle = [...way.slice(way.indexOf(next)), next].map(({ route }) => route.url);
      return way.length === 1
        ? "The page redirects to itself"
        : `The pages redirect to each other in a circle: ${circle.map(quotedName).join(" → ")}`;
    }
    way.push(next);
    page = next;
  }
}

/** What is wrong with the redirect of a page, at the line that has it. */
function redirectFindings(site: SiteContext, page: ParsedPage, targets: Targets): Diagnostic[] {
  const target = redirectOf(page);
  if (target === undefined) return [];
  const place = fieldPlace(page, "redirect");
  const destination = redirected(site, page, targets);
  if (destination === "") return [];
  if (typeof destination === "string") return [diagnostic("redirect-broken", destination, place)];
  const reference = { kind: "link", target, place } as const;
  return anchorFindings(destination, splitHash(target)[1], reference, targets);
}

/** What is wrong with the fragment of an address that leads to a page. */
function anchorFindings(
  destination: ParsedPage,
  hash: string,
  reference: Reference,
  targets: Targets,
  mayCompare: (count: number) => boolean = () => true,
): Diagnostic[] {
  // A browser goes to the top for these, whatever the page has.
  if (hash === "" || hash.toLowerCase() === "top") return [];
  const ids = targets.idsOf(destination);
  // Partials and layouts are parts of pages.
  const isThere = ids.includes(hash) || targets.layoutIdsOf(destination).includes(hash) ||
    destination.file.kind !== "page" &&
      targets.pages.values().some((each) => targets.idsOf(each.page).includes(hash));
  if (isThere) return [];
  const holder = reference.target.startsWith("#")
    ? "The page"
    : quotedName(destination.file.displayPath);
  const message = `${holder} has no heading ${quotedName(`#${hash}`)}`;
  const finding = diagnostic("anchor-broken", message, reference.place);
  return [
    mayCompare(ids.length) ? withAnchor(finding, destination, hash, ids, reference) : finding,
  ];
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
  const names = listFolder(examples).filter((entry) => entry.isDirectory).map(({ name }) => name);
  const message = `The examples folder has no folder ${quotedName(target)}.`;
  return [diagnostic("sandbox-missing", sentences(message, suggestion(target, names)), place)];
}

/** The build does not rewrite addresses, so a link to a Markdown file is broken. */
function markdownLink(
  { file: { relative } }: Placed,
  path: string,
  { pages }: Targets,
  { place, written }: Reference,
): Diagnostic {
  const file = path.startsWith("/") ? path : posix.join("/", posix.dirname(relative), path);
  const match = [...pages].find(([, { page }]) =>
    page.file.displayPath.endsWith(posix.normalize(file))
  );
  const hint = match === undefined
    ? ""
    : `; on the site that page is ${quotedName(match[0] || "/")}`;
  return withFix(
    diagnostic("link-broken", `The link leads to a Markdown file${hint}`, place),
    pathOf(written),
    // Certain: it is the address of the file that is linked.
    match && (match[0] || "/"),
  );
}

/** Adds the id that was meant. */
function withAnchor(
  finding: Diagnostic,
  { facts: { headings } }: ParsedPage,
  hash: string,
  ids: readonly string[],
  { written }: Reference,
): Diagnostic {
  // Compares letters and digits only.
  const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const shortened = headings.find(({ text, id }) =>
    bare(text) === bare(hash) && bare(id) !== bare(hash) || shownId(text) === hash
  );
  const message = sentences(
    `${finding.message}.`,
    shortened === undefined ? suggestion(hash, ids) : idOf(shortened, hash),
  );
  const same = [...new Set(ids.filter((id) => bare(id) === bare(hash) && !/[()\s]/.test(id)))];
  return withFix(
    { ...finding, message },
    written && hashOf(written),
    // Certain: but for punctuation and capital letters, it is the id of one element.
    same.length === 1 ? same[0] : undefined,
  );
}

/** Says which id a heading has whose text is linked. */
function idOf({ id, line, text, hasOwnId }: Heading, hash: string): string {
  if (hasOwnId) return `The heading on line ${line} has the id ${quotedName(id)}`;
  if (shownId(text) === hash) {
    return `The heading on line ${line} shows {#${hash}} as text: write {% #${hash} %}`;
  }
  const has = id === "" ? "no id" : `the id ${quotedName(id)}`;
  const explicitId = hash.replace(/[^\p{L}\p{N}_-]/gu, "");
  return `The heading on line ${line} has ${has}, because ids leave out code, links and emphasis: ` +
    `write {% #${explicitId} %} after it${id === "" ? "" : ", or link to that"}`;
}

/** The id at the end of a heading, as in `## Text {#id}`, that is shown as text. */
function shownId(text: string): string | undefined {
  return /\{:?\s*#([^\s{}]+)[^{}]*\}$/.exec(text)?.[1];
}

/** Where the fragment of an address is written. */
function hashOf(
  { text, place: { line, column } }: NonNullable<Reference["written"]>,
): Omit<Edit, "text"> {
  const start = text.indexOf("#") + 1;
  const [hash = ""] = text.slice(start).split(":~:");
  return { line, column: column + start, length: hash.length };
}

/** Splits an address at its fragment, which is decoded and without a text to scroll to. */
function splitHash(target: string): [path: string, hash: string] {
  const at = target.indexOf("#");
  if (at === -1) return [target, ""];
  const [hash = ""] = target.slice(at + 1).split(":~:");
  return [target.slice(0, at), decoded(hash, decodeURIComponent)];
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
  const namesIn = (folder: string) => new Set(listFolder(folder).map(({ name }) => plain(name)));
  return (file) => {
    const folder = dirname(file);
    return folders.getOrInsertComputed(folder, namesIn).has(plain(basename(file))) && exists(file);
  };
}

/** Whether hooks make pages at one of the addresses, as far as the config tells. */
export function isContributed(site: SiteContext, addresses: readonly string[]): boolean {
  const routes = site.memo([site, "routes"], () => routesByLength(site));
  return addresses.some((address) => {
    const parts = address.split("/");
    const alike = routes.get(parts.length) ?? [];
    return alike.some((route) =>
      route.every((part, index) => part === parts[index] || part.includes("{"))
    );
  });
}

/** The addresses of entities by how many parts they have. */
function routesByLength({ site: { raw } }: SiteContext): Map<number, string[][]> {
  const routes = Array.isArray(raw["entityRoutes"]) ? raw["entityRoutes"] : [];
  const parts = routes.flatMap((route) => textOf(asObject(route)["url"]) ?? [])
    .map((url) => addressOf(url).split("/"));
  return Map.groupBy(parts, ({ length }) => length);
}

/** Findings about partials that include each other, by the path of the including file. */
export function partialCycles(all: readonly ParsedPage[]): ReadonlyMap<string, Diagnostic[]> {
  const partials = new Map(
    all.filter(({ file }) => file.kind === "partial")
      .map((page) => [partialName(page.file), page]),
  );
  const includes = (page: ParsedPage | undefined) =>
    page?.facts.references.filter(({ kind }) => kind === "partial") ?? [];
  /** Partials that lead to no cycle. */
  const harmless = new Set<string>();
  /** Returns the cycle that a partial leads into. */
  const cycleFrom = (name: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (harmless.has(name)) return undefined;
    for (const { target } of includes(partials.get(name))) {
      const cycle = cycleFrom(target, [...way, name]);
      if (cycle !== undefined) return cycle;
    }
    harmless.add(name);
    return undefined;
  };
  const findings = new Map<string, Diagnostic[]>();
  for (const page of all) {
    for (const { target, place } of includes(page)) {
      const cycle = cycleFrom(target, [])?.map(quotedName).join(" → ");
      if (cycle === undefined) continue;
      const message = `The partials include each other in a cycle: ${cycle}`;
      findings.getOrInsertComputed(page.file.path, () => [])
        .push(diagnostic("partial-cycle", message, place));
    }
  }
  return findings;
}
