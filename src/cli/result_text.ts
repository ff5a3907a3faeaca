/** A tool result for a terminal: fields with their values, and lists of objects as tables. */

import { asObject, isObject } from "../io/json.ts";
import type { Paint } from "../plugin/plugin.ts";
import { columnSizes, lineWidth, paintFor, table, wrap } from "./terminal.ts";

/** The maximum number of rows; `--json` prints all. */
const MOST_ROWS = 200;

/** The minimum width of a sentence in a table; else its row gets lines of its own. */
const MIN_TEXT = 32;

/** The longest list of values that stands beside its name. */
const LONG_LIST = 192;

/** Columns of sentences, which come last and may be wrapped. */
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
  const text = rows.every(isObject)
    ? rowsText(rows.map(cellsOf), width, paint)
    : rows.map((row) => wrap(show(row), width).join("\n")).join("\n");
  const more = value.length - rows.length;
  return more === 0 ? text : `${text}\n… and ${more} more; --json prints all`;
}

type Cells = ReadonlyMap<string, string>;

/** Rows as a table, without columns that do not fit; if it does not fit at all, a value a line. */
function rowsText(rows: readonly Cells[], width: number, paint: Paint): string {
  const names = new Set(rows.flatMap((row) => [...row.keys()]));
  const text = TEXTS.find((name) => names.delete(name));
  if (text !== undefined) names.add(text);
  const linesOf = () => rows.map((row) => [...names].map((name) => row.get(name) ?? ""));
  const header = () => [...names].map(wordsOf);
  const excess = () =>
    columnSizes([header(), ...linesOf()]).reduce((sum, size) => sum + size + 2, -2 - width);
  const omitted = LAST.filter((name) => excess() > 0 && names.size > 1 && names.delete(name));
  const textWidth = Math.max(...rows.map((row) => row.get(text ?? "")?.length ?? 0));
  if (excess() > 0 && textWidth - excess() < MIN_TEXT) {
    return rows.map((row) => {
      const cells = [...row].filter(([name]) => !LAST.includes(name));
      const lines = cells.map(([name, cell]) => [wordsOf(name), cell]);
      return table(lines, { indent: "", width, shortens: true }).trimEnd();
    }).join("\n\n");
  }
  const options = { indent: "", width, shortens: true };
  const [first, ...others] = table([header(), ...linesOf()], options).split("\n");
  const note = omitted.length === 0 ? "" : `(--json also prints ${omitted.join(", ")})`;
  return [paint.dim(first!), ...others.slice(0, -1), paint.dim(note)].join("\n");
}

/** The values of a row, in one line each. The `{id}` of messages is filled in or removed. */
function cellsOf(row: Fields): Cells {
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
