/** `query`: runs one SQL statement over the plan, its history and the pages. */

import { csvOf } from "../../../plugins/query/format.ts";
import { writeStdout } from "../../io/pipes.ts";
import { QUERY_RESULT } from "../../../plugins/query/tool.ts";
import { callTool } from "../../host/call.ts";
import { isTextResult } from "../../plugin/result.ts";
import { print, printJson, printNote } from "../print.ts";
import { resultText } from "../result_text.ts";
import { loadTool, whileLoading } from "./context.ts";
import type { Command } from "./command.ts";

export const query: Command = {
  name: "query",
  usage: 'query "<select …>"',
  help:
    "Run one SQL statement over the plan, its history and the pages; prints JSON or --csv, or " +
    "a table on a terminal. select * from tables lists the tables",
  needs: [1, 'a statement, such as "select * from tables"'],
  mostArgs: 1,
  run: async ({ open, args: [sql = ""], flags: { values } }) => {
    const { tool, context } = await loadTool(await open(), "refrakt_query");
    const answer = await whileLoading(
      callTool(tool!, { sql }, context),
      "The tables are being filled",
    );
    if (!isTextResult(answer)) throw new TypeError("refrakt_query returns a text");
    const { columns, rows, notes = [] } = QUERY_RESULT.parse(answer.data);
    for (const note of notes) printNote(`${note}\n`);
    const names = distinct(columns);
    const objects = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
    const csv = values["csv"] === true ? csvOf(columns, rows) : undefined;
    // A pipe receives the bytes of the files.
    if (csv !== undefined) Deno.stdout.isTerminal() ? print(csv) : writeStdout(csv);
    else if (values["json"] === true || !Deno.stdout.isTerminal()) printJson(objects);
    else if (rows.length === 0) printNote("0 rows\n");
    else print(resultText({ rows: objects }));
    return 0;
  },
};

/** Columns of a join may share a name. */
function distinct(columns: readonly string[]): string[] {
  return columns.map((name, at) => {
    const before = columns.slice(0, at).filter((other) => other === name).length;
    return before === 0 ? name : `${name}_${before + 1}`;
  });
}
