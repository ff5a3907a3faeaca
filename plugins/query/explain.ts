/** Errors of statements and tables: what is wrong, and the names that the statement may have meant. */

import { quotedName } from "../../src/plain_text.ts";
import { didYouMean, nearestNames, rawMessage, RefraktError } from "../../src/errors.ts";
import type { CallContext } from "../../src/plugin/context.ts";

/** The declaration of a table in the database. */
export interface TableSchema {
  readonly name: string;
  readonly columns: readonly string[];
  readonly numbers: ReadonlySet<string>;
  readonly keys: readonly string[];
}

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

export function notLoaded(name: string, error: unknown, mostMb: number): RefraktError {
  const reason = rawMessage(error).replace(/^.*sqlite3? result code \d+: /i, "");
  const message = `The table ${quotedName(name)} cannot be loaded: ${reason}`;
  return new RefraktError("TOOL_FAILED", message, {
    hint: `All tables together may take ${mostMb} MB. Ask another table, or the tool that ` +
      "searches, such as plan_list with text.",
  });
}

export function invalid(message: string): RefraktError {
  return new RefraktError("INVALID_ARGS", message, {
    hint: "Pass one SELECT statement (WITH is allowed).",
  });
}

export function tooLong(milliseconds: number): RefraktError {
  const message = `Stopped: it takes longer than ${milliseconds / 1000} seconds`;
  return new RefraktError("TIMEOUT", message, {
    hint: "Filter before joining, join on id or path, and replace long patterns by LIKE or GLOB.",
  });
}

/**
 * Rejects a column's name in double quotes to the right of a comparison: `status = "done"` was meant
 * as a text, and compares with the column `done`.
 */
export function rejectQuotedColumns(sql: string, tables: readonly TableSchema[]): void {
  const compared =
    /(?:[=<>]|\b(?:is(?:\s+not)?|like|glob|regexp)\b|\bin\s*\((?:[^()]*,)?)\s*"([^"]+)"(?!\s*\.)/gi;
  for (const [, name = ""] of withoutTexts(sql).matchAll(compared)) {
    if (!tables.some(({ columns }) => columns.includes(name.toLowerCase()))) continue;
    const message = `${quotedName(name)} in double quotes is a column, not a text`;
    throw new RefraktError("INVALID_ARGS", message, {
      hint: `Write '${name}' for the text, or ${name} without quotes for the column.`,
    });
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
  const hints = [
    column === undefined ? "" : guessOf(column, used, tables),
    message.startsWith("no such function: ")
      ? "The functions are SQLite's, with JSON, mathematics, median, percentile and REGEXP."
      : "",
    listed && `The tables used: ${listed}.`,
  ];
  return hints.filter((hint) => hint !== "").join(" ") ||
    "The dialect is SQLite's; select * from tables lists the tables.";
}

/** The nearest column of the tables used, else tables that have the column. */
function guessOf(
  column: string,
  used: readonly TableSchema[],
  tables: readonly TableSchema[],
): string {
  const columns = used.flatMap((table) => table.columns);
  if (columns.includes(column)) return "";
  if (nearestNames(column, columns, 2).length > 0) return didYouMean(column, columns);
  const others = tables.filter((table) => table.columns.includes(column)).map(({ name }) => name);
  if (others.length === 0) return "";
  return `${others.join(" and ")} ${others.length === 1 ? "has" : "have"} the column ${column}.`;
}
