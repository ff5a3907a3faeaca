/** The tables about pages and runes for `refrakt_query`. */

import { quotedName } from "../../src/plain_text.ts";
import * as z from "zod";
import { messageOf, RefraktError } from "../../src/errors.ts";
import type { CallContext, Table } from "../../src/plugin/context.ts";
import type { PageTable, SiteRows } from "./engine/methods/page_tables.ts";
import { type SiteEngine, siteEngine } from "./engine/lazy.ts";
import { DIAGNOSTIC_CODES } from "./engine/pages/read/diagnostics.ts";
import { configKey } from "./sites.ts";
import { siteFindings } from "./tools/check.ts";

const PATH = "of the file, relative to the project";
const SITE_COLUMN = "the name of the site";

/** A table, without the column of the site. */
type Declaration = Omit<Table, "read">;

/** The tables with one part for each page. */
const OF_PAGES: readonly (Declaration & { readonly name: PageTable })[] = [
  {
    name: "pages",
    columns: {
      path: PATH,
      url: "null for layouts and partials",
      title: "of the front matter, else the first heading",
      kind: "page, layout, partial",
      description: "of the front matter",
      layout: "of the front matter, else of the site's route rules",
      draft: "1: a draft",
      words: "number of words",
      redirect: "where the page redirects to",
      in_nav: "how many layouts and partials list the page in a navigation; not by auto=true",
      front: "the front matter as JSON: front->>'date'",
    },
    numbers: ["draft", "words", "in_nav"],
    keys: ["path"],
  },
  {
    name: "uses",
    columns: {
      path: PATH,
      line: "in the file",
      rune: "the name, even if an alias is written; Markdoc's own tags too",
      written: "the name as written",
      attributes: "as written, as JSON: attributes->>'type'; primary: the value without a name",
      parent: "the rune that contains it directly",
    },
    numbers: ["line"],
    keys: ["path", "rune"],
  },
  {
    name: "links",
    columns: {
      path: PATH,
      line: "in the file",
      kind: "link, image, nav, redirect, expand, ref, partial, sandbox",
      target: "as written",
      text: "of a link, without markup; null for others",
      to_path: "the file of the page; null if there is no such page, as for other sites and files",
    },
    numbers: ["line"],
    keys: ["path", "to_path"],
  },
  {
    name: "images",
    columns: {
      path: PATH,
      line: "in the file",
      target: "as written",
      alt: "null without one",
    },
    numbers: ["line"],
    keys: ["path"],
  },
  {
    name: "nav",
    columns: {
      layout: "the file with the navigation, mostly a layout",
      line: "in the file",
      entry: "the path or address as written",
      path: "the file of the page; null if there is no such page",
    },
    numbers: ["line"],
    keys: ["layout", "path"],
  },
  {
    name: "lines",
    columns: { path: PATH, n: "from 1", text: "", in_code: "1: in a code block" },
    numbers: ["n", "in_code"],
    keys: ["path,n"],
  },
];

const HEADINGS: Declaration = {
  name: "headings",
  columns: {
    path: PATH,
    line: "in the file; null if a rune or a partial makes it",
    level: "1 to 6, as the page shows it",
    text: "without markup; null if variables make it",
    rune: "the rune that it stands in",
  },
  numbers: ["line", "level"],
  keys: ["path"],
};

/** The rows that are kept for the next start. */
const HEADING_ROWS = z.object({
  rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))),
  notes: z.array(z.string()),
});

const ATTRIBUTE_VALUES: Declaration = {
  name: "attribute_values",
  columns: {
    site: SITE_COLUMN,
    rune: "",
    attribute: "",
    value: "as written, or as the rune lists it",
    uses: "number of tags with it",
    known: "1: the rune lists it; 0: it lists others; null: any value will do",
  },
  numbers: ["uses", "known"],
  keys: ["rune,attribute"],
};

const RUNES: Declaration = {
  name: "runes",
  columns: {
    name: "",
    package: "the npm package, or local",
    aliases: "separated by commas",
    parent: "the runes that it belongs inside, often as their headings; separated by commas",
    description: "",
  },
  keys: ["name"],
};

const FINDINGS_TABLE: Declaration = {
  name: "findings",
  columns: {
    path: PATH,
    line: "in the file",
    severity: "error, warning, hint",
    code: Object.keys(DIAGNOSTIC_CODES).join(", "),
    message: "",
    text: "the line as written, at most 200 characters",
  },
  numbers: ["line"],
  keys: ["path"],
};

export const siteTables: readonly Table[] = [
  ...OF_PAGES.map((declared) =>
    tableOf(
      declared,
      (engine, site, call) => engine.pageTable({ site, table: declared.name }, call),
    )
  ),
  tableOf(HEADINGS, async (engine, site, call) => {
    const key = [...configKey(call.project), "headings", site];
    const make = () => engine.headingRows({ site }, call);
    const state = await call.project.memo(key, make, { keep: HEADING_ROWS });
    return { state, notes: state.notes, parts: () => [{ key: state, rows: () => state.rows }] };
  }),
  tableOf(ATTRIBUTE_VALUES, (engine, site, call) => engine.attributeTable({ site }, call)),
  tableOf(RUNES, (engine, site, call) => engine.runeTable({ site }, call)),
  tableOf(FINDINGS_TABLE, async (engine, site, call) => {
    return await engine.findingTable({ site, ...await siteFindings(site, call) }, call);
  }),
];

/** A table with the rows of every site; a site that cannot be loaded is a note, if others can. */
function tableOf(
  declared: Declaration,
  read: (engine: SiteEngine, site: string, call: CallContext) => Promise<SiteRows>,
): Table {
  return {
    ...declared,
    columns: { ...declared.columns, site: SITE_COLUMN },
    read: async (_columns, call) => {
      const engine = await siteEngine();
      const inputs: Record<string, unknown> = {};
      const notes: string[] = [];
      const sites: SiteRows[] = [];
      let failure: RefraktError | undefined;
      for (const name of call.project.site?.names ?? []) {
        try {
          const rows = await read(engine, name, call);
          inputs[name] = rows.state;
          notes.push(...rows.notes);
          sites.push(rows);
        } catch (error) {
          if (!(error instanceof RefraktError) || call.signal.aborted) throw error;
          failure ??= error;
          inputs[name] = error.message;
          notes.push(`Without the site ${quotedName(name)}: ${messageOf(error)}`);
        }
      }
      if (sites.length === 0 && failure !== undefined) throw failure;
      return { inputs, notes, parts: () => sites.flatMap(({ parts }) => parts()) };
    },
  };
}
