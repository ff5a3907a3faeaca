/**
 * Output of one-shot commands: texts, JSON, colours, tables and results. Hidden characters are shown as
 * escapes: a terminal would execute some of them.
 */

import { orElse } from "../errors.ts";
import { asObject, isObject } from "../io/json.ts";
import { writeStderr, writeStdout } from "../io/pipes.ts";
import { shortText, shownData, withEscapes } from "../plain_text.ts";
import type { Paint } from "../plugin/plugin.ts";

/** The line width in a pipe, or if the terminal reports 0 columns. */
const DEFAULT_WIDTH = 100;

/** The minimum width for a table. */
const LEAST_WIDTH = 40;

type OutputStream = Pick<typeof Deno.stdout, "isTerminal">;

export function lineWidth(stream: OutputStream = Deno.stdout): number {
  if (!stream.isTerminal()) return DEFAULT_WIDTH;
  const { columns } = orElse(() => Deno.consoleSize(), { columns: 0 });
  return columns > 0 ? Math.max(LEAST_WIDTH, columns) : DEFAULT_WIDTH;
}

/** A random mark in sequences of {@linkcode Paint}, which no text of the repository contains. */
const OURS = crypto.randomUUID();

/** The escape sequences of {@linkcode Paint}, captured for `split`. */
const PAINTED_MARKS = new RegExp(String.raw`(\x1b\[\d+m)${OURS}`);

/** The colours for a stream: off unless it is a terminal, and off if `NO_COLOR` is set. */
export function paintFor(stream: OutputStream): Paint {
  const coloured = stream.isTerminal() && !Deno.noColor;
  const code = (number: number) => (text: string) =>
    coloured && text !== "" ? `\x1b[${number}m${OURS}${text}\x1b[0m${OURS}` : text;
  return { bold: code(1), dim: code(2), green: code(32), yellow: code(33), red: code(31) };
}

/** Prints text to stdout, with no control sequences but those of `Paint`. */
export function print(text: string): void {
  writeStdout(withMarksOnly(text));
}

export function printJson(value: unknown): void {
  writeStdout(`${JSON.stringify(shownData(value), null, 2)}\n`);
}

export function printNote(text: string): void {
  writeStderr(withMarksOnly(text));
}

function withMarksOnly(text: string): string {
  return text.split(PAINTED_MARKS).map((part, at) => at % 2 === 1 ? part : withEscapes(part)).join(
    "",
  );
}

/** The maximum width of the first column; longer names get their own line. */
const MAX_NAME = 40;

/** The minimum width of the last column. */
const MIN_TEXT = 24;

const GAP = "  ";

interface TableOptions {
  readonly indent?: string;
  readonly width?: number;
  /** Shortens words that are too long for the last column; by default they stay whole. */
  readonly shortens?: boolean;
  /** Styles the first column. */
  readonly paint?: (name: string) => string;
}

/** Formats rows of cells, the last of which is wrapped to the remaining width. */
export function table(
  rows: readonly (readonly string[])[],
  { indent = GAP, width = lineWidth(), shortens, paint = (name) => name }: TableOptions = {},
): string {
  const sizes = columnSizes(rows).slice(0, -1);
  const widest = Math.max(8, width - indent.length - GAP.length - MIN_TEXT);
  if (sizes.length > 0) sizes[0] = Math.min(sizes[0]!, MAX_NAME, widest);
  const others = sizes.reduce((sum, size) => sum + size + GAP.length, 0);
  const room = Math.max(MIN_TEXT, width - indent.length - others);
  const blank = sizes.map((size) => " ".repeat(size));
  return rows.flatMap((row) => {
    const lines = wrap(row[sizes.length] ?? "", room).map((line, number) => {
      const cells = number > 0 ? blank : sizes.map((size, at) => (row[at] ?? "").padEnd(size));
      return [...cells, shortens ? shortText(line, room) : line];
    });
    const [name = ""] = row;
    if (sizes.length > 0 && name.length > sizes[0]!) {
      lines[0]![0] = blank[0]!;
      lines.unshift([name]);
    }
    if (sizes.length > 0) lines[0]![0] = lines[0]![0]!.replace(name, () => paint(name));
    return lines;
  }).map((cells) => `${indent}${cells.join(GAP)}`.trimEnd() + "\n").join("");
}

function columnSizes(rows: readonly (readonly string[])[]): number[] {
  const count = Math.max(0, ...rows.map(({ length }) => length));
  return Array.from(
    { length: count },
    (_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
}

/** Breaks a text at spaces; longer words stay whole. */
function wrap(text: string, width: number): string[] {
  const line = new RegExp(`\\S.{0,${width - 1}}(?= |$)|\\S+`, "g");
  return text.replace(/\s+/g, " ").trim().match(line) ?? [""];
}

/** The maximum number of rows; `--json` prints all. */
const MOST_ROWS = 200;

/** The minimum width of a sentence in a table; else its row gets lines of its own. */
const LEAST_SENTENCE = 32;

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
    const plain = isPlain(value) ? cellText(value) : undefined;
    if (plain !== undefined && !plain.includes("\n")) beside.push([wordsOf(name), plain]);
    else {
      const text = (plain ?? blockText(value, width - 2, paint)).trimEnd();
      below.push(`${paint.bold(wordsOf(name))}\n${text.replace(/^(?=.)/gm, "  ")}`);
    }
  }
  const facts = table(beside, { indent: "", width, paint: paint.bold }).trimEnd();
  return `${[facts, ...below].filter((part) => part !== "").join("\n\n")}\n`;
}

function blockText(value: unknown, width: number, paint: Paint): string {
  if (!Array.isArray(value)) return resultText(asObject(value), width, paint);
  if (value.length === 0) return "none";
  const rows = value.slice(0, MOST_ROWS);
  const text = rows.every(isObject)
    ? rowsText(rows.map(cellsOf), width, paint)
    : rows.map((row) => wrap(cellText(row), width).join("\n")).join("\n");
  const more = value.length - rows.length;
  return more === 0 ? text : `${text}\n… and ${more} more; --json prints all`;
}

type Cells = ReadonlyMap<string, string>;

/** Rows as a table, without columns that do not fit; if it does not fit at all, a value a line. */
function rowsText(rows: readonly Cells[], width: number, paint: Paint): string {
  const names = new Set(rows.flatMap((row) => [...row.keys()]));
  const text = TEXTS.find((name) => names.delete(name));
  if (text !== undefined) names.add(text);
  const rowLines = () => rows.map((row) => [...names].map((name) => row.get(name) ?? ""));
  const header = () => [...names].map(wordsOf);
  const excess = () =>
    columnSizes([header(), ...rowLines()]).reduce((sum, size) => sum + size + 2, -2 - width);
  const omitted = LAST.filter((name) => excess() > 0 && names.size > 1 && names.delete(name));
  const textWidth = Math.max(...rows.map((row) => row.get(text ?? "")?.length ?? 0));
  const options = { indent: "", width, shortens: true };
  if (excess() > 0 && textWidth - excess() < LEAST_SENTENCE) {
    return rows.map((row) => {
      const cells = [...row].filter(([name]) => !LAST.includes(name));
      return table(cells.map(([name, cell]) => [wordsOf(name), cell]), options).trimEnd();
    }).join("\n\n");
  }
  const [first, ...others] = table([header(), ...rowLines()], options).split("\n");
  const note = omitted.length === 0 ? "" : `(--json also prints ${omitted.join(", ")})`;
  return [paint.dim(first!), ...others.slice(0, -1), paint.dim(note)].join("\n");
}

/** The values of a row, in one line each. The `{id}` of messages is filled in or removed. */
function cellsOf(row: Fields): Cells {
  const ids = Array.isArray(row["ids"]) ? row["ids"] : [];
  const unnamed = Number(row["count"] ?? 0) - ids.length;
  const cells = Object.entries(row).map(([name, value]): [string, string] => {
    const more = name === "ids" && unnamed > 0 ? ` and ${unnamed} more` : "";
    const text = cellText(value).replaceAll(/\s+/g, " ") + more;
    const fill = (id: string) => ids.length === 1 ? id.replace("{id}", () => String(ids[0])) : "";
    return [name, text.replaceAll(/\{id\} ?/g, (id) => fill(id)).trim()];
  });
  return new Map(cells.filter(([, cell]) => cell !== ""));
}

/** A key in words, such as `blocked by` for `blockedBy`. */
function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) {
    return value.some(isObject) ? `${value.length}` : value.map(cellText).join(", ");
  }
  if (!isObject(value)) return String(value);
  // Counts by status are labelled by the statuses.
  return Object.entries(value)
    .map(([name, entry]) =>
      isObject(entry) ? cellText(entry) : `${wordsOf(name)} ${cellText(entry)}`
    )
    .filter((text) => text !== "").join(", ");
}

/** Whether a value fits beside its name. */
function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) {
    return value.length > 0 && !value.some(isObject) && cellText(value).length <= LONG_LIST;
  }
  if (!isObject(value)) return true;
  const isCount = (item: unknown) => typeof item === "number" || typeof item === "boolean";
  const items = Object.values(value).flatMap((item) =>
    isObject(item) ? Object.values(item) : [item]
  );
  return isCount(Object.values(value)[0]) && items.every(isCount);
}
