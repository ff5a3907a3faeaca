/** The tables of headings as rendered, and of attribute values in use. */

import { textOf } from "../../../../src/io/json.ts";
import type { CallContext, Row } from "../../../../src/plugin/context.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import { ownTheme } from "../theme/theme.ts";
import { isElement, lettersAndDigits, textIn } from "../upstream/elements.ts";
import { isUniversal, variantsOf } from "../runes/edit_example.ts";
import type { SiteContext } from "../upstream/site.ts";
import { type BuiltSite, openBuiltSite } from "./built_site.ts";
import { openSite, type SiteRows } from "./page_tables.ts";

/** Headings as pages show them; of layouts and partials, as they are written. */
export async function headingRows(site: SiteContext, _input: object, call: CallContext) {
  const { config } = await ownTheme(site);
  const { pages, all, notes, turn } = await openSite(site, call);
  const { build } = await openBuiltSite(site, pages, all, config, turn);
  const rows: Row[] = [];
  for (const page of all) {
    await turn();
    rows.push(...rowsOf(page, shownHeadings(site, build, page)));
  }
  return { rows: rows.map((row) => ({ ...row, site: site.site.name })), notes };
}

interface ShownHeading {
  readonly level: number;
  readonly text: string;
  /** The rune that it stands in. */
  readonly rune: string | null;
}

/** The headings of a built page; `undefined` if it is not one, or cannot be built. */
function shownHeadings(site: SiteContext, build: BuiltSite["build"], page: ParsedPage) {
  if (page.file.kind !== "page") return undefined;
  try {
    const built = build.finish(page).page;
    return site.memo([built, "headings"], () => headingsIn(built.renderable));
  } catch {
    return undefined;
  }
}

function headingsIn(tree: unknown): ShownHeading[] {
  const headings: ShownHeading[] = [];
  const visit = (node: unknown, rune: string | null): void => {
    if (Array.isArray(node)) return node.forEach((child) => visit(child, rune));
    if (!isElement(node)) return;
    const level = /^h([1-6])$/.exec(node.name)?.[1];
    if (level !== undefined) headings.push({ level: Number(level), text: textIn(node), rune });
    visit(node.children, textOf(node.attributes["data-rune"]) ?? rune);
  };
  visit(tree, null);
  return headings;
}

function rowsOf({ file, facts }: ParsedPage, headings: readonly ShownHeading[] | undefined): Row[] {
  const path = file.displayPath;
  if (headings === undefined) {
    return facts.headings.map(({ text, rune = null, level, line }) => {
      return { path, line, level, text: text || null, rune };
    });
  }
  const written = facts.headings.map(({ text, line }) => ({ text: lettersAndDigits(text), line }));
  return headings.map(({ level, text, rune }) => {
    // Headings of partials, and those that runes add, have no line in this file.
    const wanted = lettersAndDigits(text);
    const at = written.findIndex((heading) => heading.text === wanted);
    const line = at === -1 ? null : written.splice(at, 1)[0]!.line;
    return { path, line, level, text: text.trim() || null, rune };
  });
}

/** The values of attributes on a site, and others that its runes list for their own. */
export async function attributeTable(
  site: SiteContext,
  _input: object,
  call: CallContext,
): Promise<SiteRows> {
  const { all, notes } = await openSite(site, call);
  const rows = () => {
    const counts = new Map<string, Row & { uses: number }>();
    const rowFor = (rune: string, attribute: string, value: string, known: number | null) => {
      const newRow = () => ({ site: site.site.name, rune, attribute, value, uses: 0, known });
      return counts.getOrInsertComputed(JSON.stringify([rune, attribute, value]), newRow);
    };
    const knownBy = new Map<string, ReadonlyMap<string, readonly string[]>>();
    const knownOf = (rune: string) =>
      knownBy.getOrInsertComputed(rune, () => knownValues(site, rune));
    for (const { rune, attributes } of all.flatMap(({ facts }) => facts.uses)) {
      for (const [name, value] of Object.entries(JSON.parse(attributes))) {
        const text = typeof value === "string" ? value : JSON.stringify(value);
        const values = knownOf(rune).get(name);
        const known = values === undefined ? null : Number(values.includes(text));
        rowFor(rune, name, text, known).uses++;
      }
    }
    for (const rune of Object.keys(site.runes)) {
      for (const [name, values] of knownOf(rune)) {
        if (isUniversal(site, name)) continue;
        for (const value of values) rowFor(rune, name, value, 1);
      }
    }
    return [...counts.values()];
  };
  return { state: all, notes, parts: () => [{ key: all, rows }] };
}

/** The values that a rune lists for its attributes. */
function knownValues(site: SiteContext, rune: string): Map<string, readonly string[]> {
  const tag = Object.hasOwn(site.tags, rune) ? site.tags[rune] : undefined;
  const schema = Object.hasOwn(site.runes, rune) ? site.runes[rune]!.schema : tag;
  return new Map(Object.entries(schema === undefined ? {} : variantsOf(schema)));
}
