/** Plans the move of a page: its new path, and every edit that keeps links working. */

import { quotedName } from "../../../../src/plain_text.ts";
import { basename, dirname, join, posix, resolve } from "node:path";
import { RefraktError } from "../../../../src/errors.ts";
import { statIfExists } from "../../../../src/io/files.ts";
import { isInside, shownPath } from "../../../../src/io/paths.ts";
import { newPath, writeFolder } from "../../../../src/io/write_folder.ts";
import { turnTaker } from "../../../../src/io/turns.ts";
import type { CallContext } from "../../../../src/plugin/context.ts";
import { addressOf, isContributed } from "../pages/check/addresses.ts";
import { redirectOf } from "../pages/check/links.ts";
import { type Move, movedText } from "../pages/check/moved_targets.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import {
  type ContentFile,
  fileAt,
  findFile,
  LAYOUT,
  PARTIALS,
  pathsFor,
} from "../pages/read/content_files.ts";
import { openPages } from "../pages/transform/site_pages.ts";
import type { SiteContext } from "../upstream/site.ts";
import { layoutName, titleOf } from "./page_tables.ts";

interface PlaceInFile {
  /** Relative to the project. */
  readonly path: string;
  readonly line: number;
}

/** @param to The new path; a folder keeps the name. */
export async function movePage(
  site: SiteContext,
  { path, to }: { readonly path: string; readonly to: string },
  call: CallContext,
) {
  const pages = await openPages(site);
  const { content } = pages;
  const file = findFile(site, content, path);
  if (file.kind !== "page") {
    const message = `${quotedName(file.displayPath)} is a ${file.kind}, not a page`;
    throw new RefraktError("INVALID_ARGS", message, {
      hint: "Only pages are moved: a layout belongs to its folder, a partial to those that use it.",
    });
  }
  const target = newFile(site, content.dir, file, to);
  const unread: string[] = [];
  const turn = turnTaker(call.signal);
  const all = await pages.all(turn, ({ displayPath }) => unread.push(displayPath));
  const page = all.find((each) => each.file.path === file.path) ?? pages.page(file);
  const moved = pages.draft(target, page.source);
  const [old, now] = [page.route.url, moved.route.url];
  const others = all.filter((each) => each.file.kind === "page" && each !== page);
  const occupant = others.find(({ route, file }) =>
    addressOf(route.url) === addressOf(now) && file.path !== target.path
  );
  // The stub that an earlier move left at the new path is replaced.
  const stub = others.find(({ file }) => file.path === target.path);
  const redirect = stub && redirectOf(stub);
  const isStub = stub?.content.trim() === "" && redirect !== undefined &&
    addressOf(redirect) === addressOf(old);
  if (stub !== undefined && !isStub) {
    const message = `There already is a page ${quotedName(target.displayPath)}`;
    throw new RefraktError("CONFLICT", message, {
      hint: "Nothing was moved. Choose another path, or merge the pages by hand.",
    });
  }
  if (occupant !== undefined || addressOf(old) !== addressOf(now) && isContributed(site, [now])) {
    const page = occupant && quotedName(occupant.file.displayPath);
    const message = `${quotedName(target.displayPath)} would have the address of ${
      page ?? "a page of the config's entityRoutes"
    }: ${quotedName(now)}`;
    throw new RefraktError("CONFLICT", message, {
      hint: "Nothing was moved. Choose another path.",
    });
  }
  const move: Move = {
    site,
    module: pages.module,
    dir: content.dir,
    from: page,
    to: moved,
    title: titleOf(page) ?? basename(now),
    addresses: new Set([page, ...others].map(({ route }) => addressOf(route.url))),
  };
  /** The files that change; their texts have no byte order mark. */
  const files = [];
  const left: PlaceInFile[] = [];
  const mentions: PlaceInFile[] = [];
  const mention = mentionOf(old);
  for (const each of all) {
    await turn();
    if (isStub && each === stub) continue;
    const { text, edits, left: lines } = movedText(move, each);
    const { path, displayPath } = each.file;
    left.push(...lines.map((line) => ({ path: displayPath, line })));
    if (edits.length > 0 || each === page) {
      files.push({ path, displayPath, source: each.source, text, edits });
    }
    if (addressOf(old) === addressOf(now)) continue;
    text.split("\n").forEach((line, at) => {
      if (mention.test(line)) mentions.push({ path: displayPath, line: at + 1 });
    });
  }
  const { configPath } = site.project.site!;
  const entry = JSON.stringify(old.slice(1));
  const at = site.project.config?.text.split("\n").findIndex((line) => line.includes(entry)) ?? -1;
  if (at !== -1 && old !== "/" && old !== now) {
    mentions.push({ path: shownPath(site.project.cwd, configPath), line: at + 1 });
  }
  const [before, after] = [layoutName(site, page), layoutName(site, moved)];
  const warnings = unread.map((displayPath) =>
    `${quotedName(displayPath)} cannot be read: its links were not looked at`
  );
  if (before !== after) {
    const names = `from ${quotedName(String(before))} to ${quotedName(String(after))}`;
    warnings.push(`The layout changes ${names}`);
  }
  if (pageFolder(page) !== pageFolder(moved) && hasLayouts(all, page, moved)) {
    warnings.push("Other _layout.md files apply: `view preview` shows the page with them");
  }
  return {
    contentDir: content.dir,
    file,
    target,
    files,
    replaces: isStub ? stub.source : undefined,
    url: { old, now },
    redirectsTo: redirectOf(page),
    left,
    mentions,
    warnings: [...warnings, ...pages.problems],
  };
}

/** Resolves the new path in the content folder, relative to that or to the project. */
function newFile(site: SiteContext, dir: string, file: ContentFile, to: string): ContentFile {
  const { cwd } = site.project;
  const fail = (message: string) =>
    new RefraktError("INVALID_ARGS", message, {
      hint: `Give a path below ${quotedName(`${shownPath(cwd, dir)}/`)}, such as new.md there.`,
    });
  const [inProject = dir, inContent = inProject] = pathsFor(cwd, dir, to, '"to"');
  // A link may lead out of the content folder, so the path as written tells what it is relative to.
  const name = resolve(cwd, to.replaceAll("\\", "/"));
  const contentName = resolve(cwd, String(site.site.raw["contentDir"]));
  const isOfProject = isInside(dir, inProject) || isInside(dir, name) ||
    isInside(contentName, name);
  const place = isOfProject ? inProject : inContent;
  const isFolder = /[/\\]$/.test(to) || statIfExists(place)?.isDirectory === true;
  // For a move that changes only case, the name is the written one, not that on the disk.
  const base = isFolder ? basename(file.path) : posix.basename(to.replaceAll("\\", "/"));
  const path = join(isFolder ? place : dirname(place), base.endsWith(".md") ? base : `${base}.md`);
  const relative = shownPath(dir, path);
  if (!isInside(dir, path)) throw fail(`"to" is outside the content folder: ${quotedName(to)}`);
  const isListed = relative.split("/").every((part) => part !== PARTIALS && !part.startsWith("."));
  if (!isListed || basename(path) === LAYOUT) {
    throw fail(`No page can have this path: ${quotedName(to)}`);
  }
  if (path === file.path) throw fail(`${quotedName(file.displayPath)} is there already`);
  newPath(writeFolder(cwd, dir), path);
  return fileAt(cwd, dir, relative);
}

/** Finds the old address in a line, not as a part of another one. */
function mentionOf(url: string): RegExp {
  const address = addressOf(url);
  return address === ""
    ? /(?!)/
    : new RegExp(`(?<![\\w/-])${RegExp.escape(address)}(?![\\w/-]|\\.\\w)`);
}

function pageFolder({ file }: ParsedPage): string {
  return posix.dirname(file.relative);
}

/** Whether a layout file applies to only one of two pages. */
function hasLayouts(all: readonly ParsedPage[], a: ParsedPage, b: ParsedPage): boolean {
  const applies = (layout: ParsedPage, page: ParsedPage) =>
    pageFolder(layout) === "." || `${pageFolder(page)}/`.startsWith(`${pageFolder(layout)}/`);
  return all.some((each) => each.file.kind === "layout" && applies(each, a) !== applies(each, b));
}
