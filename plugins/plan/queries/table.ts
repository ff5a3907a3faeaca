/** Rows as a table: the names of columns once, and once what is equal in all rows. */

import { shortText } from "../../../src/plain_text.ts";

type Row = Readonly<Record<string, unknown>>;

/** The least that is shown of a title, in characters. */
const LEAST_TITLE = 20;

/**
 * Builds a table. Columns that are empty in more rows come later, so that rows can leave out empty
 * cells at their ends.
 *
 * @param most From how many characters on the longest titles are shortened.
 */
export function tableOf(rows: readonly Row[], most = Infinity) {
  const filled = new Map<string, number>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      if (hasValue(value)) filled.set(name, (filled.get(name) ?? 0) + 1);
    }
  }
  const names = [...filled.keys()].sort((a, b) => filled.get(b)! - filled.get(a)!);
  const [first] = rows.length > 1 ? rows : [];
  const same = names.filter((name) =>
    first !== undefined && name !== "id" &&
    rows.every((row) => JSON.stringify(row[name]) === JSON.stringify(first[name]))
  );
  const columns = names.filter((name) => !same.includes(name));
  const table = {
    columns,
    // What is equal in all rows, by the names of further columns.
    same: same.length === 0
      ? undefined
      : Object.fromEntries(same.map((name) => [name, first![name]])),
    rows: rows.map((row) => {
      const end = columns.findLastIndex((name) => hasValue(row[name])) + 1;
      return columns.slice(0, end).map((name) => row[name] ?? null);
    }),
  };
  const excess = JSON.stringify(table).length - most;
  if (excess > 0) shortenTitles(table.rows, columns.indexOf("title"), excess);
  return table;
}

const hasValue = (value: unknown) =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

/** Shortens the longest titles until so many characters are saved. */
function shortenTitles(rows: unknown[][], column: number, excess: number): void {
  const titles = rows.map((row) => String(row[column] ?? ""));
  const savedBy = (length: number) =>
    titles.reduce((sum, title) => sum + Math.max(0, title.length - length), 0);
  let length = Math.max(...titles.map((title) => title.length));
  while (length > LEAST_TITLE && savedBy(length) < excess) length--;
  for (const [at, title] of titles.entries()) {
    if (title.length > length) rows[at]![column] = shortText(title, length);
  }
}
