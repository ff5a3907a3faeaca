/**
 * A tool's result as a person reads it on a terminal: values beside their names,
 * lists of objects as tables.
 *
 * @module
 */

import { asObject, isObject } from "../io/json.ts";
import type { Paint } from "./terminal.ts";

/** The most columns of a table; more do not fit on a screen. */
const MOST_COLUMNS = 8;

/** Lists longer than this are cut, because `--json` prints them whole. */
const MOST_ROWS = 200;

/** The narrowest that a column gets. */
const LEAST_COLUMN = 8;

type Fields = Readonly<Record<string, unknown>>;

/** Lays a result out. */
export function resultText(result: Fields, width: number, paint: Paint): string {
  const entries = Object.entries(result).filter(([, value]) => value !== undefined);
  const plain = entries.filter(([, value]) => isPlain(value));
  const longest = Math.max(0, ...plain.map(([name]) => name.length));
  const lines = plain.map(([name, value]) => {
    const text = show(value);
    const head = `${paint.bold(name)}${" ".repeat(longest - name.length)}  `;
    return text.includes("\n")
      ? `${paint.bold(name)}\n${text.trimEnd().replace(/^/gm, "  ")}`
      : `${head}${text}`.trimEnd();
  });
  const blocks = entries.filter(([, value]) => !isPlain(value)).map(([name, value]) =>
    `${paint.bold(name)}\n${block(value, width - 2, paint).trimEnd().replace(/^(?=.)/gm, "  ")}`
  );
  return `${[...(lines.length === 0 ? [] : [lines.join("\n")]), ...blocks].join("\n\n")}\n`;
}

function block(value: unknown, width: number, paint: Paint): string {
  if (!Array.isArray(value)) return resultText(asObject(value), width, paint);
  if (value.length === 0) return "none";
  const rows = value.slice(0, MOST_ROWS);
  const left = value.length - rows.length;
  const more = left === 0 ? "" : `\n… and ${left} more; --json prints all`;
  return (rows.every(isObject) ? table(rows, width, paint) : rows.map(show).join("\n")) + more;
}

/** Rows of objects under the names of their fields, as wide as the content and the line allow. */
function table(rows: readonly Fields[], width: number, paint: Paint): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, MOST_COLUMNS);
  const cells = rows.map((row) => names.map((name) => show(row[name]).replaceAll(/\s+/g, " ")));
  const widths = names.map((name, index) =>
    Math.max(name.length, ...cells.map((row) => row[index]!.length))
  );
  const space = () => widths.reduce((sum, size) => sum + size, 0) + 2 * (widths.length - 1);
  // The widest column gives way first.
  while (space() > width) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! <= LEAST_COLUMN) break;
    const size = Math.max(LEAST_COLUMN, widths[widest]! - (space() - width));
    const second = Math.max(LEAST_COLUMN, ...widths.filter((_, index) => index !== widest));
    widths[widest] = Math.min(widths[widest]! - 1, Math.max(size, second));
  }
  const line = (row: readonly string[], mark = (text: string) => text) =>
    row.map((cell, index) => {
      const text = shortened(cell, widths[index]!);
      return `${mark(text)}${" ".repeat(widths[index]! - text.length)}`;
    }).join("  ").trimEnd();
  return [line(names, paint.dim), ...cells.map((row) => line(row))].join("\n");
}

function shortened(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

/** A value in one cell or after its name. */
function show(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    return value.every((entry) => !isObject(entry))
      ? value.map(show).join(", ")
      : `${value.length}`;
  }
  if (!isObject(value)) return String(value);
  return Object.entries(value).map(([name, entry]) =>
    `${name} ${isObject(entry) ? "…" : show(entry)}`
  ).join(", ");
}

/** Whether a value stands beside its name: no object, and no list of objects. */
function isPlain(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length > 0 && !value.some(isObject) && value.length <= 12
    : !isObject(value);
}
