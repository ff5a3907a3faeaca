/** `refrakt_query`: one read-only SQL statement over the plan, its history and the pages. */

import * as z from "zod";
import { withText } from "../../src/plugin/result.ts";
import { defineTool, type Tool } from "../../src/plugin/tool.ts";
import { fittingRows, lineOf } from "./format.ts";
import { QuerySession } from "./query_session.ts";

/** The default number of rows, and the most. */
const [ROWS, MOST_ROWS] = [100, 1000];

/** The longest answer, in characters. */
const MOST_TEXT = 12_000;

const PLAN_TABLES = `\
entities(id,type,title,status,finished,offered,priority,severity,complexity,milestone,assignee,\
source,open,done,items,items_done,path,created,modified) attributes(id,name,value) criteria(id,n,text,checked,\
section,line) sections(id,heading,level,line,text) refs(id,to_id,kind,line) events(id,date,hash,\
author,message,kind,field,old,new) commits(n,hash,date,author,message,plan) commit_entities(hash,id,\
changes,names) durations(id,created,started,finished,days) elsewhere(id,branch,worktree,remote,\
clone,status,assignee,date)
`;

const PLAN_MEANINGS = "open, done: numbers of criteria; offered by plan_next; dates like " +
  "2026-01-31T09:00:00Z; attributes.name='tag'; refs.kind depends, source, mentions";

const PAGE_TABLES = `\
pages(path,url,title,kind,description,layout,draft,words,redirect,in_nav,front) runes(name,package,aliases,\
parent,description) uses(path,line,rune,written,attributes,parent) links(path,line,kind,target,text,to_path) \
headings(path,line,level,text,rune) findings(path,line,severity,code,message,text) images(path,line,target,\
alt) nav(layout,line,entry,path) attribute_values(rune,attribute,value,uses,known)
`;

const PAGE_MEANINGS = "those of pages and lines have site; " +
  "front->>'x', uses.attributes->>'x'; to_path null: no page here";

/** Describes the tables of a subject. */
function describe(subject: string, tables: string, ofLines = ""): string {
  return `Read-only SQL over ${subject}.\n${tables}lines(path,n,text,in_code)${ofLines}`;
}

/** Describes the statement, as clients cut long descriptions of tools. */
const STATEMENT = "One SELECT (SQLite with JSON, REGEXP, median). " +
  "tables(name,column,meaning) explains every column. " +
  `Plan: ${PLAN_MEANINGS}. Pages: ${PAGE_MEANINGS}.`;

/** The structured content of an answer. */
export const QUERY_RESULT = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  total: z.int(),
  notes: z.array(z.string()).optional(),
});

export const queryTool: Tool = defineTool({
  name: "refrakt_query",
  title: "Query everything",
  description: describe("plan, git history and pages", PLAN_TABLES + PAGE_TABLES, " of both"),
  input: z.strictObject({
    sql: z.string().describe(STATEMENT),
    limit: z.int().min(1).max(MOST_ROWS).optional().describe(`Rows; default ${ROWS}`),
  }),
  output: QUERY_RESULT,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  listed: {
    rank: 6,
    with: ["plan", "pages"],
    alone: {
      plan: describe("the plan and its git history", PLAN_TABLES),
      pages: describe("the pages", PAGE_TABLES),
    },
  },
  run: async ({ sql, limit }, context) => {
    // Without a budget, such as on the command line, all rows are printed.
    const isWhole = context.budget === Infinity;
    const [most, text] = isWhole ? [limit ?? Infinity, Infinity] : [limit ?? ROWS, MOST_TEXT];
    const session = context.project.memo("query session", () => new QuerySession());
    const answer = await session.run(sql, context, most, text);
    const { columns, rows, total, isEndless } = answer;
    const notes = [...answer.notes];
    if (isEndless) {
      notes.unshift(
        `More than ${total} rows: the statement was stopped, and the rest not counted.`,
      );
    }
    const fitting = fittingRows(columns, rows, text);
    const lines = [columns, ...fitting].map(lineOf);
    if (total === 0) lines.push("(0 rows)");
    else if (fitting.length < total) {
      lines.push(`(${fitting.length} of ${total} rows: aggregate, LIMIT and OFFSET)`);
    }
    lines.push(...notes.map((note) => `Note: ${note}`));
    const data = { columns, rows: fitting, total, notes: notes.length > 0 ? notes : undefined };
    return withText(lines.join("\n"), data);
  },
});
