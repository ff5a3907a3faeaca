/** `query`: runs one SQL statement over the plan, its history and the pages. */

import type { PluginCommandInput } from "../../src/plugin/plugin.ts";
import { isTextResult } from "../../src/plugin/result.ts";
import { csvOf } from "./format.ts";
import { QUERY_RESULT, queryTool } from "./tool.ts";

export async function query(
  { args: [sql = ""], values, terminal, open, call }: PluginCommandInput,
): Promise<number> {
  const answer = await call(queryTool, { sql }, await open());
  if (!isTextResult(answer)) throw new TypeError("A query returns a text");
  const { columns, rows, notes = [] } = QUERY_RESULT.parse(answer.data);
  for (const note of notes) terminal.note(`${note}\n`);
  if (values["csv"] === true) {
    const csv = csvOf(columns, rows);
    // A pipe receives the bytes of the files.
    if (terminal.isTerminal) terminal.print(csv);
    else terminal.write(csv);
    return 0;
  }
  const names = distinct(columns);
  const objects = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
  if (values["json"] === true || !terminal.isTerminal) terminal.json(objects);
  else if (rows.length === 0) terminal.note("0 rows\n");
  else terminal.result({ rows: objects });
  return 0;
}

/** Columns of a join may share a name. */
function distinct(columns: readonly string[]): string[] {
  return columns.map((name, at) => {
    const before = columns.slice(0, at).filter((other) => other === name).length;
    return before === 0 ? name : `${name}_${before + 1}`;
  });
}
