/** Renames a rune, an attribute or a value in pages, and compares the rendered pages. */

import { linesOf, linesWithoutCode } from "../../../../src/markdoc/lines.ts";
import { createLocator } from "../../../../src/markdoc/locate.ts";
import type { MarkdocNode } from "../../../../src/markdoc/node.ts";
import { rewrite, treeText, usesOf } from "../../../../src/markdoc/rewrite.ts";
import { shortList, sizesOf } from "../../../../src/plugin/counted.ts";
import { quoted, quotedName, textFrom } from "../../../../src/plain_text.ts";
import { didYouMean, RefraktError } from "../../../../src/errors.ts";
import { type Turn, turnTaker } from "../../../../src/io/turns.ts";
import type { CallContext } from "../../../../src/plugin/context.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import type { Finding } from "../pages/read/diagnostics.ts";
import { openPages } from "../pages/transform/site_pages.ts";
import { parseContent, shownTree } from "../runes/example_page.ts";
import { visibleText } from "../runes/outline.ts";
import { ownTheme } from "../theme/theme.ts";
import { findRune, type SiteContext } from "../upstream/site.ts";
import { openBuiltSite, type PageResult } from "./built_site.ts";
import { chosenFiles, pageFindings } from "./check_pages.ts";
import { newFindings } from "./since.ts";
import { type OpenedSite, withTexts } from "./other_texts.ts";

/** How much of a line is repeated before the first character that differs. */
const CONTEXT = 15;

interface RenameInput {
  readonly kind: "rune" | "attribute" | "value";
  readonly from: string;
  readonly to: string;
  /** The rune whose tags are changed; all by default. */
  readonly rune?: string | undefined;
  /** The attribute whose values are changed. */
  readonly attribute?: string | undefined;
  /** A page or a folder. */
  readonly path?: string | undefined;
  readonly except?: readonly string[] | undefined;
}

export async function renameUses(site: SiteContext, input: RenameInput, call: CallContext) {
  const { kind, from, to, path, except = [] } = input;
  if (from === to) throw invalid(`${quotedName(from)} has this name already`, "Pass another to.");
  if (kind !== "value" && !/^[a-z][\w-]*$/i.test(to)) {
    throw invalid(`No ${kind} can have this name: ${quotedName(to)}`, "Use letters, digits and -.");
  }
  const { isMeant, attributes } = meaning(site, input);
  const pages = await openPages(site);
  const turn = turnTaker(call.signal);
  const unread: string[] = [];
  const parsed = await pages.all(turn, ({ displayPath }) => unread.push(displayPath));
  const chosen = new Set(chosenFiles(site, pages, path).map(({ displayPath }) => displayPath));
  for (const each of except) {
    for (const { displayPath } of chosenFiles(site, pages, each)) chosen.delete(displayPath);
  }
  const files = [];
  for (const page of parsed.filter(({ file }) => chosen.has(file.displayPath))) {
    await turn();
    const { text, names } = renamedPage(site, page, input, isMeant);
    if (names.length > 0) files.push({ ...page.file, source: page.source, text, names });
  }
  if (files.length === 0 && kind !== "rune") requireKnown(input, attributes);
  const opened = { site, pages, parsed };
  const texts = new Map(files.map(({ displayPath, text }) => [displayPath, text]));
  const renamed = withTexts(opened, texts);
  const names = files.flatMap((file) => file.names);
  return {
    contentDir: pages.content.dir,
    files,
    uses: names.length,
    names: sizesOf(Map.groupBy(names, (name) => name)),
    ...await compareRendered(opened, renamed, input, turn),
    unread,
  };
}

/** The text of a page with the new name, and what was written instead. */
function renamedPage(
  site: SiteContext,
  { source, content, offset, file: { displayPath } }: ParsedPage,
  { kind, to }: RenameInput,
  isMeant: ReturnType<typeof meaning>["isMeant"],
) {
  const ast = parseContent(site, content);
  const locator = createLocator(linesWithoutCode(source, ast, offset).join("\n"), offset);
  const wanted = { kind: kind === "rune" ? "tag" : kind, to } as const;
  const { uses, renamed } = usesOf(ast, locator, wanted, isMeant);
  const before = source.slice(0, source.length - content.length);
  const tree = treeText(ast, renamed);
  const isRenamed = (text: string) =>
    text.startsWith(before) && treeText(parseContent(site, text.slice(before.length))) === tree;
  const edits = uses.flatMap((use) => use.edits);
  const { text, edits: certain } = rewrite(source, edits, isRenamed);
  const lost = uses.find((use) => use.edits.length === 0);
  if (lost === undefined && certain.length === edits.length) {
    return { text, names: uses.map(({ written }) => written) };
  }
  const { line } = lost ?? uses[0]!;
  const name = quotedName(displayPath);
  throw invalid(
    `${name} line ${line} cannot be renamed with certainty, so nothing was changed`,
    `Change this line by hand, or leave the page out: "except": [${name}].`,
  );
}

/** Renders the pages that change, and those that include them, before and after. */
async function compareRendered(
  opened: OpenedSite,
  renamed: OpenedSite,
  { from, to }: RenameInput,
  turn: Turn,
) {
  const { site, parsed } = opened;
  const { config: theme } = await ownTheme(site);
  const before = await openBuiltSite(site, opened.pages, parsed, theme, turn);
  const after = await openBuiltSite(site, renamed.pages, renamed.parsed, theme, turn);
  const old = new Map(parsed.map((page) => [page.file.path, page]));
  const textOf = ({ finished }: PageResult) =>
    finished && visibleText(shownTree(site, theme, finished.page.renderable));
  // Findings are compared with the old name replaced by the new one; those of other tags keep it.
  const withNewName = (finding: Finding) => {
    const message = finding.message.replaceAll(quotedName(from), () => quotedName(to));
    return { ...finding, message };
  };
  const findings: Record<"before" | "after", Finding[]> = { before: [], after: [] };
  const differ: string[] = [];
  let equal = 0;
  for (const page of renamed.parsed) {
    const oldPage = old.get(page.file.path)!;
    if (oldPage === page) continue;
    await turn();
    const [was, is] = [before.result(oldPage), after.result(page)];
    findings.before.push(...pageFindings(was).map(withNewName));
    findings.after.push(...pageFindings(is).map(withNewName));
    const [oldText, newText] = [textOf(was), textOf(is)];
    if (oldText === newText) equal++;
    else differ.push(`${page.file.displayPath}: ${firstDifference(oldText, newText)}`);
  }
  const { added } = newFindings(
    { findings: findings.after, parsed },
    { findings: findings.before, parsed },
  );
  const counts = { before: findings.before.length, after: findings.after.length };
  return { equal, differ, findings: counts, added };
}

const invalid = (message: string, hint: string) =>
  new RefraktError("INVALID_ARGS", message, { hint });

/** Requires a name that tags have, or may have. */
function requireKnown({ kind, from, attribute }: RenameInput, attributes: Attributes): void {
  const requireOne = (noun: string, name: string, names: readonly string[]) => {
    if (names.includes(name)) return;
    throw new RefraktError("NOT_FOUND", `Unknown ${noun} ${quotedName(name)}`, {
      hint: didYouMean(name, names) ||
        `These tags have ${shortList(names.map(quotedName), 10) || "none"}.`,
    });
  };
  const wanted = kind === "attribute" ? from : attribute;
  if (wanted !== undefined) requireOne("attribute", wanted, [...attributes.keys()]);
  if (kind === "attribute") return;
  const values = attribute === undefined ? [...attributes.values()] : [attributes.get(attribute)!];
  requireOne("value", from, values.flatMap((texts) => [...texts]));
}

/** The values of attributes that tags have, or may have. */
type Attributes = Map<string, Set<string>>;

/** Tells which tags are meant, and which of their attributes. */
function meaning(site: SiteContext, { kind, from, to, rune, attribute }: RenameInput) {
  const named = kind === "rune" ? from : rune;
  // An alias stands for itself; the name of a rune for its aliases, too.
  const runeName = named === undefined || Object.hasOwn(site.tags, named) && !site.names.has(named)
    ? named
    : findRune(site, named).name;
  const isTag = ({ tag = "" }: MarkdocNode) =>
    named === undefined ||
    (named === runeName ? (site.names.get(tag) ?? tag) === runeName : tag === named);
  const attributes: Attributes = new Map();
  const add = (name: string, values: readonly unknown[]) => {
    const texts = attributes.getOrInsert(name, new Set());
    for (const value of values) if (typeof value !== "object") texts.add(String(value));
  };
  for (const tag of runeName === undefined ? Object.keys(site.tags) : [runeName]) {
    for (const [name, { matches }] of Object.entries(site.tags[tag]?.attributes ?? {})) {
      add(name, Array.isArray(matches) ? matches : []);
    }
  }
  const isMeant = (node: MarkdocNode, name: string) => {
    if (!isTag(node)) return false;
    if (kind === "rune") return node.tag !== to;
    const value = node.attributes[name];
    add(name, [value]);
    const isNamed = kind === "attribute"
      ? name === from
      : typeof value !== "object" && String(value) === from;
    return isNamed && (attribute === undefined || name === attribute);
  };
  return { isMeant, attributes };
}

/** Where the first line differs. */
function firstDifference(before: string | undefined, after: string | undefined): string {
  if (after === undefined) return "it cannot be rendered any more";
  const [was, is] = [linesOf(before ?? ""), linesOf(after)];
  const changed = was.findIndex((line, index) => line !== is[index]);
  const at = changed === -1 ? was.length : changed;
  const [old, line] = [was[at] ?? "", is[at] ?? ""];
  let equal = 0;
  while (equal < old.length && old[equal] === line[equal]) equal++;
  const start = Math.max(0, equal - CONTEXT);
  return `${quoted(textFrom(old, start))} becomes ${quoted(textFrom(line, start))}`;
}
