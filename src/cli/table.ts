/** A tool result for a terminal: fields with their values, and lists of objects as tables. */

import { asObject, isObject } from "../io/json.ts";
import { columns, type Paint, wrap } from "./terminal.ts";

/** The maximum number of rows; `--json` prints all. */
const MOST_ROWS = 200;

/** What a text is shortened to before its row gets lines of its own. */
const LEAST_TEXT = 32;

/** The longest list of values that stands beside its name. */
const LONG_LIST = 192;

/** Columns of sentences, which may be shortened. */
const TEXTS = ["title", "message", "text"];

/** Columns that are omitted first. */
const LAST = ["attributes", "references", "uri", "refs", "path", "file", "fixture", "origin"];

type Fields = Readonly<Record<string, unknown>>;

export function resultText(result: Fields, width: number, paint: Paint): string {
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
  const facts = columns(beside, { indent: "", width, paint: paint.bold }).trimEnd();
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
    : table(rows, width, paint) ?? rows.map((row) => entry(row, width)).join("\n\n");
  return text + more;
}

/** A table; `undefined` if it does not fit. */
function table(rows: readonly Fields[], width: number, paint: Paint): string | undefined {
  const cells = rows.map(cellsOf);
  const widths = new Map<string, number>();
  for (const [name, cell] of cells.flatMap((row) => [...row])) {
    widths.set(name, Math.max(widths.get(name) ?? wordsOf(name).length, cell.length));
  }
  const excess = () => [...widths.values()].reduce((sum, size) => sum + size + 2, -2) - width;
  const out = LAST.filter((name) => excess() > 0 && widths.size > 1 && widths.delete(name));
  const text = TEXTS.find((name) => widths.has(name)) ?? "";
  if (excess() > 0) {
    const left = (widths.get(text) ?? 0) - excess();
    if (left < LEAST_TEXT) return undefined;
    widths.set(text, left);
  }
  const line = (cellOf: (name: string) => string) =>
    [...widths].map(([name, size]) => shortened(cellOf(name), size).padEnd(size))
      .join("  ").trimEnd();
  return [
    paint.dim(line(wordsOf)),
    ...cells.map((row) => line((name) => row.get(name) ?? "")),
    ...out.length > 0
      ? [paint.dim(shortened(`(--json also prints ${out.join(", ")})`, width))]
      : [],
  ].join("\n");
}

/** A row that does not fit a table: a value a line, without the columns that are omitted first. */
function entry(row: Fields, width: number): string {
  const cells = [...cellsOf(row)].filter(([name]) => !LAST.includes(name));
  return columns(cells.map(([name, cell]) => [wordsOf(name), cell]), { indent: "", width })
    .trimEnd().split("\n").map((line) => shortened(line, width)).join("\n");
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

function shortened(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
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
  const isCount = (one: unknown) => typeof one === "number" || typeof one === "boolean";
  return isCount(first) &&
    others.every((one) => isObject(one) ? Object.values(one).every(isCount) : isCount(one));
}
