/** Adds to SQLite's errors the names that the statement may have meant. */

import { quotedName } from "../../src/plain_text.ts";
import { didYouMean, nearest, RefraktError } from "../../src/errors.ts";
import type { CallContext } from "../../src/plugin/context.ts";
import type { TableSchema } from "./database.ts";

/** The prefix of errors that SQLite reports. */
const BY_SQLITE = "SQLite: ";

export function explained(
  error: RefraktError,
  sql: string,
  tables: readonly TableSchema[],
  project: CallContext["project"],
): RefraktError {
  if (!error.message.startsWith(BY_SQLITE)) return error;
  const message = error.message.slice(BY_SQLITE.length);
  return new RefraktError(error.code, message.charAt(0).toUpperCase() + message.slice(1), {
    hint: hintFor(message, sql, tables, project),
  });
}

/**
 * Rejects a column's name in double quotes to the right of a comparison: `status = "done"` was meant
 * as a text, and compares with the column `done`.
 */
export function rejectQuotedColumns(sql: string, tables: readonly TableSchema[]): void {
  const columns = new Set(tables.flatMap((table) => table.columns));
  const compared =
    /(?:[=<>]|\b(?:is(?:\s+not)?|like|glob|regexp)\b|\bin\s*\((?:[^()]*,)?)\s*"([^"]+)"(?!\s*\.)/gi;
  for (const [, name] of withoutTexts(sql).matchAll(compared)) {
    if (!columns.has(name!.toLowerCase())) continue;
    throw new RefraktError(
      "INVALID_ARGS",
      `${quotedName(name!)} in double quotes is a column, not a text`,
      {
        hint: `Write '${name}' for the text, or ${name} without quotes for the column.`,
      },
    );
  }
}

/** A statement without the contents of its texts and comments. */
function withoutTexts(sql: string): string {
  return sql.replace(
    /('(?:[^']|'')*')|("[^"]*")|--[^\n]*|\/\*[^]*?(?:\*\/|$)/g,
    (_, text, name) => text === undefined ? name ?? " " : "''",
  );
}

function hintFor(
  message: string,
  sql: string,
  tables: readonly TableSchema[],
  { plan, site }: CallContext["project"],
): string {
  const names = tables.map(({ name }) => name);
  const [, table] = /^no such table: (?:\w+\.)?(.+)$/.exec(message) ?? [];
  if (table !== undefined) {
    const missing = plan === null
      ? " The project has no plan, so the plan's tables are missing."
      : site === null
      ? " The project has no site, so the tables of pages are missing."
      : "";
    return `${didYouMean(table, names)} The tables are ${names.join(", ")}.${missing}`.trim();
  }
  if (/too (?:big|complex|deep|many|large)/.test(message)) {
    return "Values have at most 8 MB: aggregate, take parts with substr, or ask in several statements.";
  }
  const words = new Set(sql.toLowerCase().match(/\w+/g));
  const used = tables.filter(({ name }) => words.has(name));
  const listed = used.map(({ name, columns }) => `${name}(${columns.join(", ")})`).join("; ");
  const [, column] = /^(?:no such column: |ambiguous column name: )(?:\w+\.)?"?([^"\s]+)/
    .exec(message) ?? [];
  const guesses = column === undefined ? "" : guessOf(column, used, tables);
  const [, called] = /^no such function: (.+)$/.exec(message) ?? [];
  const functions = called === undefined
    ? ""
    : "The functions are SQLite's, with JSON, mathematics, median, percentile and REGEXP.";
  return [guesses, functions, listed && `The tables used: ${listed}.`]
    .filter((part) => part !== "").join(" ") ||
    "The dialect is SQLite's; select * from tables lists the tables.";
}

/** The nearest column of the tables used, else tables that have the column. */
function guessOf(
  column: string,
  used: readonly TableSchema[],
  tables: readonly TableSchema[],
): string {
  const others = tables.filter(({ columns }) => columns.includes(column)).map(({ name }) => name);
  const ownColumns = used.flatMap(({ columns }) => columns);
  if (ownColumns.includes(column)) return "";
  const near = nearest(column, ownColumns, 2);
  if (near.length > 0) return didYouMean(column, ownColumns);
  return others.length === 0
    ? ""
    : `${others.join(" and ")} ${others.length === 1 ? "has" : "have"} the column ${column}.`;
}
