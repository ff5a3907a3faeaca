/** Gives a rune, an attribute or a value another name in the pages of a site, and proves what changes. */

import { linesWithoutCode } from "../../../../src/markdoc/code.ts";
import { linesOf } from "../../../../src/markdoc/lines.ts";
import { createLocator } from "../../../../src/markdoc/locate.ts";
import type { MarkdocNode } from "../../../../src/markdoc/node.ts";
import { rewrite, treeText, usesOf } from "../../../../src/markdoc/rewrite.ts";
import { sizesOf } from "../../../../src/plugin/counted.ts";
import { quotedName } from "../../../../src/plain_text.ts";
import { RefraktError } from "../../../../src/errors.ts";
import { turnTaker } from "../../../../src/io/turns.ts";
import type { EngineCall } from "../engine_call.ts";
import { openPages } from "../pages/transform/site_pages.ts";
import { parseContent, shownTree } from "../runes/example_page.ts";
import { visibleText } from "../runes/outline.ts";
import { ownTheme } from "../theme/theme.ts";
import { findRune, type SiteContext } from "../upstream/site.ts";
import { type BuiltSite, openBuiltSite } from "./built_site.ts";
import { chosenFiles, pageFindings } from "./check_pages.ts";
import { newFindings } from "./since.ts";
import { withTexts } from "./other_texts.ts";

export interface RenameInput {
  readonly kind: "rune" | "attribute" | "value";
  readonly from: string;
  readonly to: string;
  /** Only in its tags. */
  readonly rune?: string | undefined;
  /** Only its values. */
  readonly attribute?: string | undefined;
  /** A page or a folder. */
  readonly path?: string | undefined;
  readonly except?: readonly string[] | undefined;
}

export async function renameUses(site: SiteContext, input: RenameInput, call: EngineCall) {
  const { kind, from, to, path, except = [] } = input;
  if (from === to) throw invalid(`${quotedName(from)} has this name already`, "Pass another to.");
  if (kind !== "value" && !/^[a-z][\w-]*$/i.test(to)) {
    throw invalid(`No ${kind} can have this name: ${quotedName(to)}`, "Use letters, digits and -.");
  }
  const isMeant = meaning(site, input);
  const pages = await openPages(site);
  const turn = turnTaker(call.signal);
  const unread: string[] = [];
  const parsed = await pages.all(turn, ({ shown }) => unread.push(shown));
  const chosen = new Set(chosenFiles(site, pages, path).map(({ shown }) => shown));
  for (const each of except) {
    for (const { shown } of chosenFiles(site, pages, each)) chosen.delete(shown);
  }
  const files = [];
  const names: string[] = [];
  for (const page of parsed) {
    await turn();
    if (!chosen.has(page.file.shown)) continue;
    const { source, content, offset, file } = page;
    const ast = parseContent(site, content);
    const locator = createLocator(linesWithoutCode(source, ast, offset).join("\n"), offset);
    const { uses, renamed } = usesOf(
      ast,
      locator,
      { kind: kind === "rune" ? "tag" : kind, to },
      isMeant,
    );
    if (uses.length === 0) continue;
    const before = source.slice(0, source.length - content.length);
    const wanted = treeText(ast, renamed);
    const edits = uses.flatMap((use) => use.edits);
    const { text } = rewrite(
      source,
      edits,
      (text) =>
        text.startsWith(before) &&
        treeText(parseContent(site, text.slice(before.length))) === wanted,
    );
    const lost = uses.find((use) => use.edits.length === 0) ?? uses[0]!;
    if (edits.length === 0 || treeText(parseContent(site, text.slice(before.length))) !== wanted) {
      const place = `${quotedName(file.shown)} line ${lost.line}`;
      throw invalid(
        `${place} cannot be renamed with certainty, so nothing was changed`,
        `Change this line by hand, or leave the page out: "except": [${quotedName(file.shown)}].`,
      );
    }
    names.push(...uses.map(({ written }) => written));
    files.push({ path: file.path, shown: file.shown, source, text });
  }
  const opened = { site, pages, parsed };
  const renamed = withTexts(opened, new Map(files.map(({ shown, text }) => [shown, text])));
  const { config: theme } = await ownTheme(site);
  const texts = [];
  for (const { pages, parsed } of [opened, renamed]) {
    texts.push(await openBuiltSite(site, pages, parsed, theme, turn));
  }
  const [before, after] = texts as [BuiltSite, BuiltSite];
  const old = new Map(parsed.map((page) => [page.file.path, page]));
  const findings = { before: [], after: [] } as Record<
    "before" | "after",
    ReturnType<typeof pageFindings>
  >;
  const differ: string[] = [];
  let equal = 0;
  for (const page of renamed.parsed) {
    const own = old.get(page.file.path)!;
    if (own === page) continue;
    await turn();
    const [was, is] = [before.result(own), after.result(page)];
    findings.before.push(...pageFindings(was));
    findings.after.push(...pageFindings(is));
    const [shown, now] = [was, is].map(({ finished }) =>
      finished && visibleText(shownTree(site, theme, finished.page.renderable))
    );
    if (shown === now) equal++;
    else differ.push(`${page.file.shown}: ${difference(shown, now)}`);
  }
  // What was said of the old name is said of the new one.
  const said = findings.before.map((each) => ({
    ...each,
    message: each.message.split(quotedName(from)).join(quotedName(to)),
  }));
  const { added } = newFindings({ findings: findings.after, parsed }, { findings: said, parsed });
  return {
    contentDir: pages.content.dir,
    files,
    uses: names.length,
    names: sizesOf(Map.groupBy(names, (name) => name)),
    equal,
    differ,
    findings: { before: findings.before.length, after: findings.after.length },
    added,
    unread,
  };
}

const invalid = (message: string, hint: string) =>
  new RefraktError("INVALID_ARGS", message, { hint });

/** Tells which tags are meant, and which of their attributes. */
function meaning(site: SiteContext, { kind, from, rune, attribute }: RenameInput) {
  const named = kind === "rune" ? from : rune;
  // An alias stands for itself; the name of a rune for its aliases, too.
  const own = named === undefined || Object.hasOwn(site.tags, named) && !site.names.has(named)
    ? named
    : findRune(site, named).name;
  const isTag = ({ tag = "" }: MarkdocNode) =>
    named === undefined || (named === own ? (site.names.get(tag) ?? tag) === own : tag === named);
  const isValue = (value: unknown) => typeof value !== "object" && String(value) === from;
  return (node: MarkdocNode, name: string) =>
    isTag(node) && (kind === "rune" ||
      (kind === "attribute" ? name === from : isValue(node.attributes[name])) &&
        (attribute === undefined || name === attribute));
}

/** The first line that differs. */
function difference(before: string | undefined, after: string | undefined): string {
  if (after === undefined) return "it cannot be rendered any more";
  const [was, is] = [linesOf(before ?? ""), linesOf(after)];
  const at = was.findIndex((line, index) => line !== is[index]);
  return `${quotedName(was[at] ?? "")} becomes ${
    quotedName(is[at === -1 ? was.length : at] ?? "")
  }`;
}
