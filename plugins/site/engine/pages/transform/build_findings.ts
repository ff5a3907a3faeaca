/** The findings of a build: its messages, and text that it loses, with places in the page. */

import type { Place } from "../../../../../src/markdoc/edits.ts";
import { quotedName, shortText } from "../../../../../src/plain_text.ts";
import { shownTree } from "../../runes/example_page.ts";
import type { ThemeConfig } from "../../upstream/shapes.ts";
import { visitElements } from "../../upstream/elements.ts";
import type { SiteContext } from "../../upstream/site.ts";
import { acceptedForm } from "../check/content_model.ts";
import { explained } from "../check/page_findings.ts";
import type { ParsedPage } from "../check/parse_page.ts";
import { type Diagnostic, diagnostic } from "../read/diagnostics.ts";
import type { BuildMessage, FinishedPage } from "./build.ts";
import { type LostText, lostTexts } from "./lost_text.ts";
import { linesOf } from "../../../../../src/markdoc/lines.ts";

/**
 * Converts the build's messages about a page. A message that quotes nothing of the page has no
 * place and is listed once.
 */
export function buildFindings(
  site: SiteContext,
  page: ParsedPage,
  messages: readonly BuildMessage[],
): Diagnostic[] {
  const { file: { kind }, route } = page;
  const counts = new Map<string, number>();
  return messages.flatMap(({ severity, url, message }) => {
    if (severity === "info" || url !== route.url) return [];
    // A layout has no address of its own, so messages about its address are meaningless.
    if (kind === "layout" && message.includes(route.url)) return [];
    const text = inOneLine(message);
    const count = counts.get(text) ?? 0;
    counts.set(text, count + 1);
    const place = quotedPlace(page, text, count);
    if (place === undefined && count > 0) return [];
    const finding = diagnostic("build-message", text, place);
    return explained(site, { ...finding, severity: severity === "error" ? "error" : "warning" });
  });
}

/** The first line of a message, with the names that it suggests below. */
function inOneLine(message: string): string {
  const [first, , ...more] = message.split("\n");
  const names = more.flatMap((line) => /^ *- (\S+)$/.exec(line)?.[1] ?? []);
  return names.length === 0 ? first! : `${first} Did you mean ${names.join(" or ")}?`;
}

/** Code blocks and code in a line. */
const CODE = /^ *(```+|~~~+)[^]*?^ *\1|`[^`\n]*`/gm;

/** Finds the `count`th place of the text that a message quotes. */
function quotedPlace(
  { content, offset }: ParsedPage,
  message: string,
  count: number,
): Place | undefined {
  const [, quoted] = /["'`]([^"'`]+)["'`]/.exec(message) ?? [];
  if (quoted === undefined) return undefined;
  const name = RegExp.escape(quoted);
  const prose = content.replace(CODE, (code) => code.replace(/[^\n]/g, " "));
  // Text and code may contain the same words as the tag.
  const places = [`(?<=["'])${name}(?=["'])`, `(?<![\\w/-])${name}(?![\\w/-])`, name]
    .map((pattern) => {
      const [first, all] = [prose, content].map((text) =>
        [...text.matchAll(new RegExp(pattern, "g"))].map(({ index }) => index)
      );
      return [...new Set([...first!, ...all!])];
    }).find(({ length }) => length > 0);
  const at = places?.[count];
  if (at === undefined) return undefined;
  const before = linesOf(content.slice(0, at));
  return { line: before.length + offset, column: before.at(-1)!.length + 1 };
}

/** How much of a lost text a message quotes, in characters. */
const QUOTED = 80;

/** The facts of a rendered page: its ids, with the prefixes of runes, and the text that it lost. */
export function shownFacts(
  site: SiteContext,
  { texts, page: { renderable } }: FinishedPage,
  config: ThemeConfig,
) {
  const collect = () => {
    const tree = shownTree(site, config, renderable);
    return { ids: idsIn(tree), lost: lostTexts(site, texts, tree) };
  };
  return site.memo([Object(renderable), config, "shown facts"], collect);
}

export function idsIn(tree: unknown): string[] {
  const ids: string[] = [];
  visitElements(tree, ({ attributes: { id } }) => {
    if (typeof id === "string") ids.push(id);
  });
  return ids;
}

/** Describes lost text; `offset` is the number of lines before the content. */
export function lostTextFindings(
  site: SiteContext,
  { content, offset }: Pick<ParsedPage, "content" | "offset">,
  losses: readonly LostText[],
): Diagnostic[] {
  const lines = linesOf(content);
  return losses.map(({ words, line, tags }) => {
    const rune = tags.findLast((tag) => Object.hasOwn(site.tags, tag));
    const place = placeOfText(lines, line, words);
    const form = rune && acceptedForm(site, rune, lines[place.line - 1]!);
    const loser = rune === undefined ? "The page" : `Rune ${quotedName(rune)}`;
    const message = `${loser} loses the text ${JSON.stringify(shortText(words, QUOTED))}`;
    const advice = form === undefined ? "" : `. ${form}`;
    return diagnostic("text-lost", message + advice, { ...place, line: place.line + offset });
  });
}

/** Finds where a text begins, from the first line of its block. */
function placeOfText(lines: readonly string[], from: number, text: string): Place {
  const [first = ""] = /[\p{L}\p{N}]+/u.exec(text) ?? [];
  for (let index = from; index < lines.length; index++) {
    const column = lines[index]!.toLowerCase().indexOf(first.toLowerCase());
    if (column !== -1) return { line: index + 1, column: column + 1 };
  }
  return { line: from + 1, column: 1 };
}
