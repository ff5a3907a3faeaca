/** Changes addresses in the texts of pages when a page moves. */

import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import { rewrite } from "../../../../../src/markdoc/rewrite.ts";
import { join, posix, relative } from "node:path";
import { textOf } from "../../../../../src/io/json.ts";
import { isInside } from "../../../../../src/io/paths.ts";
import type { ContentModule } from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";
import { parseContent } from "../../runes/example_page.ts";
import { splitPage } from "../read/front_matter.ts";
import { navEntries, type NavEntry, type Reference } from "../read/page_facts.ts";
import { linesOf } from "../../../../../src/markdoc/lines.ts";
import { type WrittenTarget, writtenTargets } from "../read/link_places.ts";
import { addressOf, decoded, fileOf, isForeign, type Placed, staticFolders } from "./addresses.ts";
import type { ParsedPage } from "./parse_page.ts";

/** A page that moves, and the site around it. */
export interface Move {
  readonly site: SiteContext;
  readonly module: ContentModule;
  /** The content folder, absolute. */
  readonly dir: string;
  readonly from: Placed;
  readonly to: Placed;
  readonly title: string;
  /** The addresses of all pages before the move. */
  readonly addresses: ReadonlySet<string>;
}

/** The attributes and fields that hold an address relative to the page. */
const RELATIVE = new Set(["href", "src", "url", "link", "image", "poster", "cover", "icon"]);

/** Tags whose `src` or `file` names something else. */
const OTHER_ROOTS = new Set(["partial", "sandbox", "snippet"]);

/** Returns the new form of an address as written on a page; `undefined` if it stays. */
function movedTarget(
  move: Move,
  page: Placed,
  target: string,
  isImage = false,
): string | undefined {
  const { site, from, to, dir } = move;
  const base = textOf(site.site.raw["baseUrl"])?.replace(/\/+$/, "") ?? "";
  const isFull = base !== "" && target.startsWith(base) &&
    /^[/?#]|^$/.test(target.slice(base.length));
  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(
    isFull ? target.slice(base.length) : target,
  ) ?? [];
  if (!isFull && (path === "" || isForeign(site, target))) return undefined;
  const written = (address: string) => {
    const slash = path.length > 1 && path.endsWith("/") && !address.endsWith("/") ? "/" : "";
    const safe = /[\s()<>"]|%/.test(address + path) ? encoded(address) : address;
    return `${isFull ? base : ""}${safe}${slash}${rest}`;
  };
  const [old, now] = [addressOf(from.route.url), addressOf(to.route.url)];
  if (isFull || path.startsWith("/")) {
    const address = addressOf(path);
    const isMarkdown = address === `/${from.file.relative}`;
    if (isMarkdown) return written(`/${to.file.relative}`);
    return !isImage && address === old && old !== now ? written(now || "/") : undefined;
  }
  const isMoved = page.file.path === from.file.path;
  const place = isMoved ? to : page;
  const places = basesOf(page).map((base) => addressOf(posix.join(base, path)));
  const index = isImage ? -1 : places.findIndex((address) => move.addresses.has(address));
  const prefix = path.startsWith("./") ? "./" : "";
  const dotted = (way: string) => (way.startsWith(".") ? way : prefix + way) || ".";
  if (index !== -1) {
    const wanted = places[index] === old ? now : places[index]!;
    const isPage = (address: string) =>
      address === now || address !== old && move.addresses.has(address);
    const means = basesOf(place).map((base) => addressOf(posix.join(base, path))).find(isPage);
    if (means === wanted) return undefined;
    return written(dotted(posix.relative(basesOf(place)[index]!, wanted || "/")));
  }
  const file = fileOf(site, page, path, dir);
  if (file === undefined) return undefined;
  const goal = file === from.file.path ? to.file.path : file;
  const folder = join(dir, posix.dirname(place.file.relative));
  const nearest = join(folder, decoded(path));
  if (nearest === goal) return undefined;
  // The moved page does not exist at its new path yet.
  const isItself = nearest === to.file.path;
  if (goal === file && !isItself && fileOf(site, place, path, dir) === file) return undefined;
  if (!isInside(dir, goal)) {
    const root = staticFolders(site.project.cwd, dir).find((each) => isInside(each, goal));
    return root && written(`/${relative(root, goal).replaceAll("\\", "/")}`);
  }
  return written(dotted(relative(folder, goal).replaceAll("\\", "/")));
}

/** What relative addresses on a page may be relative to; its file's folder comes first. */
function basesOf({ route: { url }, file: { relative } }: Placed): string[] {
  return [posix.join("/", posix.dirname(relative)), posix.dirname(url), url];
}

function encoded(address: string): string {
  return encodeURI(address).replaceAll("(", "%28").replaceAll(")", "%29");
}

/** The new form of a navigation entry, which is a path below its file's folder, or a link. */
function movedEntry(move: Move, page: Placed, slug: string): string | undefined {
  const { from, to } = move;
  const isMoved = page.file.path === from.file.path;
  const [base] = basesOf(page);
  const address = addressOf(slug.startsWith("/") ? slug : posix.join(base!, slug));
  const now = addressOf(to.route.url);
  const wanted = address === addressOf(from.route.url) ? now : address;
  if (!move.addresses.has(address) || wanted === address && !isMoved) return undefined;
  if (slug.startsWith("/")) return wanted === address ? undefined : wanted;
  const way = posix.relative(basesOf(isMoved ? to : page)[0]!, wanted || "/");
  if (way === slug) return undefined;
  const isBelow = way !== "" && !way.startsWith("..") && /^[\w./-]+$/.test(way);
  if (isBelow) return way;
  const title = address === addressOf(from.route.url) ? move.title : slug.split("/").at(-1)!;
  return `[${title.replace(/[[\]\\]/g, "\\$&")}](${encoded(wanted || "/")})`;
}

/** The new form of an attribute or a field. */
function movedValue(
  move: Move,
  page: Placed,
  { target, name = "", tag = "" }: Pick<WrittenTarget, "target" | "name" | "tag">,
): string | undefined {
  const { from, to } = move;
  if (target === from.file.displayPath) return to.file.displayPath;
  if (name === "slug" || OTHER_ROOTS.has(tag)) return undefined;
  const isAddress = RELATIVE.has(name) || name === "redirect";
  // A lone slash may be anything.
  if (!isAddress && (!/^(?:\/|https?:)/.test(target) || addressOf(target) === "")) return undefined;
  return movedTarget(move, page, target);
}

/**
 * Writes the new addresses into the text of a page, and proves that nothing else has changed.
 *
 * @returns The text, its edits, and the lines with addresses that cannot be changed with certainty.
 */
export function movedText(move: Move, page: ParsedPage) {
  const { source, offset, facts: { references } } = page;
  const lines = linesOf(source);
  const edits = writtenTargets(lines, offset).flatMap((written) => {
    const { kind, target, line, column } = written;
    const text = kind === "link" || kind === "image"
      ? movedTarget(move, page, target, kind === "image")
      : movedValue(move, page, written);
    if (text === undefined || text === target) return [];
    return [{ line, column, length: target.length, text, old: target }];
  });
  const entries = references.filter(({ kind }) => kind === "nav");
  for (const { target, place: { line } } of entries) {
    const text = movedEntry(move, page, target);
    const column = lines[line - 1]!.indexOf(target) + 1;
    if (text === undefined || column === 0) continue;
    edits.push({ line, column, length: target.length, text, old: target });
  }
  const isMoved = ({ kind, target }: Reference) =>
    (kind === "link" || kind === "image") &&
    movedTarget(move, page, target, kind === "image") !== undefined;
  if (edits.length === 0 && !references.some(isMoved)) return { text: source, edits, left: [] };
  const before = meaningOf(move, page, source);
  const isSame = (text: string) => meaningOf(move, page, text).rest === before.rest;
  const { text, edits: safe } = rewrite(source, edits, isSame);
  const after = meaningOf(move, page, text).targets;
  const unchanged = before.targets.flatMap(({ moved, line }, at) =>
    moved === undefined || decoded(moved) === decoded(after[at]?.target ?? "") ? [] : line
  );
  return { text, edits: safe, left: unchanged };
}

/** The syntax tree of a text without its addresses, and the addresses, to compare two texts. */
function meaningOf(move: Move, page: ParsedPage, source: string) {
  const { site, module } = move;
  const { frontmatter, content, offset } = splitPage(module, source);
  const targets: { target: string; moved: string | undefined; line: number }[] = [];
  let line = 1;
  const note = (target: string, moved: string | undefined) => {
    targets.push({ target, moved, line });
    return "";
  };
  /** A replacer for JSON that collects the addresses. */
  const values = (tag?: string) => (key: string, value: unknown) => {
    if (typeof value !== "string") return value;
    const name = key === "primary" ? undefined : key;
    return note(value, movedValue(move, page, { target: value, tag, name }));
  };
  const fields = JSON.stringify(frontmatter, values());
  const entries = new Map<MarkdocNode, NavEntry>();
  const visit = (node: MarkdocNode): unknown => {
    const { type, tag, children } = node;
    line = (node.lines[0] ?? 0) + offset + 1;
    if (tag !== undefined && site.names.get(tag) === "nav") {
      for (const entry of navEntries(node)) entries.set(entry.inline, entry);
    }
    const entry = entries.get(node);
    if (entry !== undefined) {
      const { target, isLink } = entry;
      const text = isLink ? movedTarget(move, page, target) : movedEntry(move, page, target);
      note(target, isLink ? text : /\]\((.*)\)$/.exec(text ?? "")?.[1] ?? text);
      return children.filter((each) => each.type === "tag").map(visit);
    }
    const attributes = Object.entries(node.attributes).map(([name, value]) => {
      if (tag !== undefined) return JSON.stringify({ [name]: value }, values(tag));
      const isAddress = type === "link" && name === "href" || type === "image" && name === "src";
      return isAddress && typeof value === "string"
        ? note(value, movedTarget(move, page, value, type === "image"))
        : value;
    });
    return [type, tag, attributes, children.map(visit)];
  };
  const rest = JSON.stringify([fields, visit(parseContent(site, content))]);
  return { rest, targets };
}
