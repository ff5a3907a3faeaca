/**
 * Where the links and images of a page lead: to a page, to a file, or nowhere.
 *
 * @module
 */

import { join, posix } from "node:path";
import { suggestion } from "../../../errors.ts";
import { asObject } from "../../../io/json.ts";
import { statIfExists } from "../../../io/files.ts";
import { isInside } from "../../../io/paths.ts";
import type { SiteContext } from "../site.ts";
import { type Diagnostic, diagnostic } from "./diagnostics.ts";
import type { Reference } from "./page_facts.ts";

/** What a link can lead to. */
export interface Targets {
  /** The pages by their address, without a slash at the end. */
  readonly pages: ReadonlyMap<string, { readonly ids: readonly string[]; readonly shown: string }>;
  /** The content folder: absolute. */
  readonly dir: string;
}

/** Folders that the adapters copy into the site as they are. */
const STATIC_FOLDERS = ["static", "public"];

/** The address as it is compared: decoded, without query and slash at the end. */
export function addressOf(url: string): string {
  const path = url.replace(/[?#].*$/s, "");
  let decoded = path;
  try {
    decoded = decodeURI(path);
  } catch {
    // Not an encoded address: it is compared as it is.
  }
  return decoded.replace(/\/+$/, "");
}

/**
 * Checks the links and images of a page.
 *
 * @param site The site.
 * @param page The page's address, its path relative to the content folder, and its own ids.
 * @param references What it leads to.
 * @param targets What there is.
 */
export function checkLinks(
  site: SiteContext,
  page: { readonly url: string; readonly relative: string; readonly ids: readonly string[] },
  references: readonly Reference[],
  targets: Targets,
): Diagnostic[] {
  return references.flatMap((reference): Diagnostic[] => {
    const { target, kind, place } = reference;
    if (isForeign(site, target)) return [];
    if (kind === "image") {
      if (target !== "" && isFile(site, page, target, targets)) return [];
      return [diagnostic("image-missing", `No such image: ${JSON.stringify(target)}`, place)];
    }
    if (target === "") return [diagnostic("link-broken", "The link has no address", place)];
    const [path, hash] = splitHash(target);
    if (path === "") {
      if (hash === "" || hasId(page.ids, hash)) return [];
      return [anchorBroken(`The page has no heading "#${hash}"`, hash, page.ids, place)];
    }
    for (const address of addressesOf(page, path)) {
      const found = targets.pages.get(address);
      if (found !== undefined) {
        if (hash === "" || hasId(found.ids, hash)) return [];
        return [anchorBroken(`${found.shown} has no heading "#${hash}"`, hash, found.ids, place)];
      }
    }
    if (isFile(site, page, path, targets)) {
      return path.replace(/[?].*$/s, "").endsWith(".md")
        ? markdownLink(page, path, targets, place)
        : [];
    }
    if (isContributed(site, addressesOf(page, path))) return [];
    const guess = suggestion(addressOf(path) || "/", [...targets.pages.keys()].filter(Boolean));
    return [diagnostic(
      "link-broken",
      [`No page or file of the site: ${JSON.stringify(target)}.`, guess].filter(Boolean).join(" ")
        .replace(/\.$/, ""),
      place,
    )];
  });
}

/** The build leaves addresses as they are, so a link to a Markdown file leads nowhere. */
function markdownLink(
  page: { readonly relative: string },
  path: string,
  targets: Targets,
  place: Reference["place"],
): Diagnostic[] {
  const file = posix.join(
    "/",
    path.startsWith("/") ? path : posix.join(posix.dirname(page.relative), path),
  );
  const found = [...targets.pages].find(([, { shown }]) => shown.endsWith(file));
  const hint = found === undefined ? "" : `; on the site that page is ${found[0] || "/"}`;
  return [diagnostic("link-broken", `The link leads to a Markdown file${hint}`, place)];
}

function anchorBroken(
  message: string,
  hash: string,
  ids: readonly string[],
  place: Reference["place"],
): Diagnostic {
  const guess = suggestion(hash, ids);
  return diagnostic("anchor-broken", guess === "" ? message : `${message}. ${guess}`, place);
}

function splitHash(target: string): [string, string] {
  const at = target.indexOf("#");
  if (at === -1) return [target, ""];
  let hash = target.slice(at + 1);
  try {
    hash = decodeURIComponent(hash);
  } catch {
    // Compared as it is written.
  }
  return [target.slice(0, at), hash];
}

/** Runes put a prefix before the ids that they are given. */
function hasId(ids: readonly string[], hash: string): boolean {
  return ids.some((id) => id === hash || hash.endsWith(`-${id}`));
}

function isForeign(site: SiteContext, target: string): boolean {
  if (target.startsWith("//")) return true;
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(target)?.[1];
  return scheme !== undefined || target.startsWith("$") ||
    site.upstream.runes.hasImageScheme?.(target.split(":")[0]!) === true && target.includes(":");
}

/** A page is served with and without a slash at its end, which changes what a relative link means. */
function addressesOf(
  page: { readonly url: string; readonly relative: string },
  path: string,
): string[] {
  if (path.startsWith("/")) return [addressOf(path)];
  const bases = [posix.dirname(page.url), page.url, posix.join("/", posix.dirname(page.relative))];
  return bases.map((base) => addressOf(posix.join("/", base, path)));
}

function isFile(
  site: SiteContext,
  page: { readonly url: string; readonly relative: string },
  target: string,
  { dir }: Targets,
): boolean {
  const { cwd } = site.project;
  const path = addressOf(target);
  const inContent = path.startsWith("/")
    ? [path]
    : [posix.join("/", posix.dirname(page.relative), path), ...addressesOf(page, path)];
  const folders = [
    dir,
    ...STATIC_FOLDERS.flatMap((name) => [join(cwd, name), join(dir, "..", name)]),
  ];
  return folders.some((folder) =>
    inContent.some((way) => {
      const file = join(folder, way);
      return isInside(cwd, file) && exists(file);
    })
  );
}

function exists(file: string): boolean {
  try {
    return statIfExists(file)?.isFile === true;
  } catch {
    // Outside of what may be read.
    return false;
  }
}

/** Pages that the build makes of entities have addresses by a pattern. */
function isContributed(site: SiteContext, addresses: readonly string[]): boolean {
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
