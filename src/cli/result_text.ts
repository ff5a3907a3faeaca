/** A tool result for a terminal: fields with their values, and lists of objects as tables. */

import { asObject, isObject } from "../io/json.ts";
import { columnSizes, table, wrap } from "./table.ts";
import { lineWidth, type Paint, paintFor } from "./terminal.ts";

/** The maximum number of rows; `--json` prints all. */
const MOST_ROWS = 200;

/** The minimum width of a sentence in a table; else its row gets lines of its own. */
const MIN_TEXT = 32;

/** The longest list of values that stands beside its name. */
const LONG_LIST = 192;

/** Columns of sentences, which may be wrapped. */
const TEXTS = ["title", "message", "text"];

/** Columns that are omitted first. */
const LAST = ["attributes", "references", "uri", "refs", "path", "file", "fixture", "origin"];

type Fields = Readonly<Record<string, unknown>>;

export function resultText(
  result: Fields,
  width: number = lineWidth(),
  paint: Paint = paintFor(Deno.stdout),
): string {
  const beside: [string, string][] = [];
  const below: string[] = [];
  for (const [name, value] of Object.entries(result)) {
    if (value === undefined || value === null) continue;
    const plain = isPlain(value) ? show(value) : undefined;
    if (plain !== undefined && !plain.includes("\n")) beside.push([wordsOf(name), plain]);
    else {
      const text = (plain ?? block(value, width - 2, paint)).trimEnd();
      below.push(`${paint.bold(wordsOf(name))}\n${text.replace(/^(?=.)/gm, "  ")}`);
    }
  }
  const facts = table(beside, { indent: "", width, paint: paint.bold }).trimEnd();
  return `${[facts, ...below].filter((part) => part !== "").join("\n\n")}\n`;
}

function block(value: unknown, width: number, paint: Paint): string {
  if (!Array.isArray(value)) return resultText(asObject(value), width, paint);
  if (value.length === 0) return "none";
  const rows = value.slice(0, MOST_ROWS);
  const left = value.length - rows.length;
  const more = left === 0 ? "" : `\n… and ${left} more; --json prints all`;
  const text = !rows.every(isObject)
    ? rows.map((row) => wrap(show(row), width).join("\n")).join("\n")
    : rowsText(rows, width, paint) ?? rows.map((row) => entry(row, width)).join("\n\n");
  return text + more;
}

/** Rows as a table; `undefined` if it does not fit. */
function rowsText(rows: readonly Fields[], width: number, paint: Paint): string | undefined {
  const cells = rows.map(cellsOf);
  const names = [...new Set(cells.flatMap((row) => [...row.keys()]))];
  const header = names.map(wordsOf);
  const sizes = columnSizes([
    header,
    ...cells.map((row) => names.map((name) => row.get(name) ?? "")),
  ]);
  const widths = new Map(names.map((name, at) => [name, sizes[at]!]));
  const excess = () => [...widths.values()].reduce((sum, size) => sum + size + 2, -2) - width;
  const omitted = LAST.filter((name) => excess() > 0 && widths.size > 1 && widths.delete(name));
  const text = TEXTS.find((name) => widths.has(name)) ?? "";
  if (excess() > 0 && (widths.get(text) ?? 0) - excess() < MIN_TEXT) return undefined;
  const kept = [...widths.keys()];
  const note = `(--json also prints ${omitted.join(", ")})`;
  return table(cells.map((row) => kept.map((name) => row.get(name) ?? "")), {
    indent: "",
    width,
    header: kept.map(wordsOf),
    ...(kept.includes(text) ? { wrapped: kept.indexOf(text) } : {}),
    shortens: true,
    paintHeader: (line) => `${paint.dim(line.trimEnd())}\n`,
  }) + (omitted.length === 0 ? "" : paint.dim(note));
}

/** A row that does not fit a table: a value a line, without the columns that are omitted first. */
function entry(row: Fields, width: number): string {
  const cells = [...cellsOf(row)].filter(([name]) => !LAST.includes(name));
  const rows = cells.map(([name, cell]) => [wordsOf(name), cell]);
  return table(rows, { indent: "", width, shortens: true }).trimEnd();
}

/** The values of a row, in one line each. The `{id}` of messages is filled in or removed. */
function cellsOf(row: Fields): Map<string, string> {
  const ids = Array.isArray(row["ids"]) ? row["ids"] : [];
  const unnamed = Number(row["count"] ?? 0) - ids.length;
  const cells = Object.entries(row).map(([name, value]): [string, string] => {
    const more = name === "ids" && unnamed > 0 ? ` and ${unnamed} more` : "";
    const text = show(value).replaceAll(/\s+/g, " ") + more;
    const filled = text.replaceAll(
      /\{id\} ?/g,
      (id) => ids.length === 1 ? id.replace("{id}", () => String(ids[0])) : "",
    );
    return [name, filled.trim()];
  });
  return new Map(cells.filter(([, cell]) => cell !== ""));
}

/** A key in words, such as `blocked by` for `blockedBy`. */
function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function show(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) {
    return value.some(isObject) ? `${value.length}` : value.map(show).join(", ");
  }
  if (!isObject(value)) return String(value);
  // Counts by status are labelled by the statuses.
  return Object.entries(value)
    .map(([name, entry]) => isObject(entry) ? show(entry) : `${wordsOf(name)} ${show(entry)}`)
    .filter((text) => text !== "").join(", ");
}

/** Whether a value fits beside its name. */
function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) {
    return value.length > 0 && !value.some(isObject) && show(value).length <= LONG_LIST;
  }
  if (!isObject(value)) return true;
  const [first, ...others] = Object.values(value);
  const isCount = (item: unknown) => typeof item === "number" || typeof item === "boolean";
  return isCount(first) &&
    others.every((other) => isObject(other) ? Object.values(other).every(isCount) : isCount(other));
}
