/** Checks the links, images and sandboxes of a page. */

import type { Place } from "../../../../../src/markdoc/edits.ts";
import { join, posix } from "node:path";
import { quotedName } from "../../../../../src/plain_text.ts";
import { orElse, suggestion } from "../../../../../src/errors.ts";
import { listFolder, statIfExists } from "../../../../../src/io/files.ts";
import { textOf } from "../../../../../src/io/json.ts";
import { isInside } from "../../../../../src/io/paths.ts";
import { lettersAndDigits } from "../../upstream/elements.ts";
import type { SiteContext } from "../../upstream/site.ts";
import { type Diagnostic, diagnostic, sentences, withFix } from "../read/diagnostics.ts";
import { fieldPlace } from "../read/front_matter.ts";
import type { Heading, Reference } from "../read/page_facts.ts";
import {
  addressesOf,
  addressOf,
  decoded,
  fileCheck,
  fileOf,
  isContributed,
  isForeign,
  type Placed,
  splitHash,
  type Targets,
} from "./addresses.ts";
import type { ParsedPage } from "./parse_page.ts";

/** How many addresses and headings are compared to find suggestions for the links of a page. */
const MOST_COMPARED = 100_000;

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
    const [path] = splitHash(target);
    const addresses = addressesOf(page, path);
    const linked = path === "" ? page : pageAt(addresses, targets);
    if (linked !== undefined) {
      const destination = path === "" ? page : redirected(site, linked, targets);
      // The page with the redirect has the finding about it.
      return typeof destination === "string"
        ? []
        : anchorFindings(destination, reference, targets, mayCompare);
    }
    const other = addresses.map((address) => targets.otherFiles.get(address)).find((each) => each);
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
      // Certain: it is the address of one page, except for capital letters.
      path.startsWith("/") ? targets.spellings.get(wanted.toLowerCase()) : undefined,
    )];
  });
  return [...linkFindings, ...redirectFindings(site, page, targets)];
}

/** Where the path of an address is written, without its fragment. */
function pathOf(written: Reference["written"]) {
  return written && { ...written.place, length: splitHash(written.text)[0].length };
}

function pageAt(addresses: readonly string[], { pages }: Targets): ParsedPage | undefined {
  return addresses.map((address) => pages.get(address)?.page).find((each) => each !== undefined);
}

/** The address that the front matter of a page redirects to. */
export function redirectOf({ frontmatter }: ParsedPage): string | undefined {
  return textOf(frontmatter["redirect"]) || undefined;
}

/**
 * Follows the redirects of a page to the one that is shown in the end.
 *
 * @returns A text instead says why they fail; it is empty if they leave the site.
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

/** The finding about a broken redirect of a page, at its line in the front matter. */
function redirectFindings(site: SiteContext, page: ParsedPage, targets: Targets): Diagnostic[] {
  const target = redirectOf(page);
  if (target === undefined) return [];
  const place = fieldPlace(page, "redirect");
  const destination = redirected(site, page, targets);
  if (destination === "") return [];
  if (typeof destination === "string") return [diagnostic("redirect-broken", destination, place)];
  const reference = { kind: "link", target, place } as const;
  return anchorFindings(destination, reference, targets);
}

/** The finding about the fragment of an address that leads to a page. */
function anchorFindings(
  destination: ParsedPage,
  { target, place, written }: Reference,
  targets: Targets,
  mayCompare: (count: number) => boolean = () => true,
): Diagnostic[] {
  const hash = decoded(splitHash(target)[1], decodeURIComponent);
  // A browser goes to the top for these, whatever the page has.
  if (hash === "" || hash.toLowerCase() === "top") return [];
  const { file, facts: { headings } } = destination;
  const ids = targets.idsOf(destination);
  // Partials and layouts are parts of pages.
  const isThere = ids.includes(hash) || targets.layoutIdsOf(destination).includes(hash) ||
    file.kind !== "page" &&
      targets.pages.values().some((each) => targets.idsOf(each.page).includes(hash));
  if (isThere) return [];
  const holder = target.startsWith("#") ? "The page" : quotedName(file.displayPath);
  const message = `${holder} has no heading ${quotedName(`#${hash}`)}`;
  if (!mayCompare(ids.length)) return [diagnostic("anchor-broken", message, place)];
  const bareHash = lettersAndDigits(hash);
  const isAlike = (text: string) => lettersAndDigits(text) === bareHash;
  const heading = headings.find(({ text, id }) =>
    isAlike(text) && !isAlike(id) || shownId(text) === hash
  );
  const advice = heading === undefined ? suggestion(hash, ids) : headingAdvice(heading, hash);
  const same = [...new Set(ids.filter((id) => isAlike(id) && !/[()\s]/.test(id)))];
  return [withFix(
    diagnostic("anchor-broken", sentences(`${message}.`, advice), place),
    hashOf(written),
    // Certain: it is the id of one element, except for punctuation and capital letters.
    same.length === 1 ? same[0] : undefined,
  )];
}

/** Where the fragment of an address is written. */
function hashOf(written: Reference["written"]) {
  if (written === undefined) return undefined;
  const { text, place: { line, column } } = written;
  const [path, hash] = splitHash(text);
  return { line, column: column + path.length + 1, length: hash.length };
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

/** Says which id a heading has whose text is linked. */
function headingAdvice({ id, line, text, hasOwnId }: Heading, hash: string): string {
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
