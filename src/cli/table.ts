/** A tool result for a terminal: fields with their values, and lists of objects as tables. */

import { asObject, isObject } from "../io/json.ts";
import { columns, type Paint, wrap } from "./terminal.ts";

/** The maximum number of rows; `--json` prints all. */
const MOST_ROWS = 200;

/** The minimum width of a truncated column; narrower columns are omitted. */
const LEAST_COLUMN = 16;

/** The width above which a cell needs its own line. */
const LONG_TEXT = 48;

/** The maximum number of lines per text in a list. */
const MOST_LINES = 3;

/** The most important columns, in order; they are truncated and omitted last. */
const FIRST = ["id", "title", "name", "status", "severity", "message", "text"];

/** Values that need no label. */
const UNLABELLED = [...FIRST, "type", "code", "namespace", "packageName"];

/** Columns that no table omits: where they do not fit, each row has lines of its own. */
const KEPT = ["status", "severity", "blockedBy"];

/** The colours of values. */
const COLOURS: Readonly<Record<string, keyof Paint>> = {
  ...{ error: "red", critical: "red", blocked: "red", conflict: "red" },
  ...{ warning: "yellow", high: "yellow", "in-progress": "yellow", review: "yellow" },
  ...{ done: "green", fixed: "green", complete: "green", active: "green" },
};

/** Text columns may be truncated to `LEAST_TEXT` before other columns are omitted. */
const TEXTS = ["title", "message", "text"];
const LEAST_TEXT = 32;

/** Columns that are truncated and omitted first. */
const LAST = [
  ...["ids", "attributes", "references", "uri", "refs"],
  ...["path", "file", "fixture", "origin"],
];

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
  if (!Array.isArray(value)) {
    const entries = Object.entries(asObject(value));
    return entries.length > 0 && entries.every(([, entry]) => isCounts(entry))
      ? columns(entries.map(([name, entry]) => [name, show(entry)]), { indent: "", width })
      : resultText(asObject(value), width, paint);
  }
  if (value.length === 0) return "none";
  const rows = value.slice(0, MOST_ROWS);
  const left = value.length - rows.length;
  const more = left === 0 ? "" : `\n… and ${left} more; --json prints all`;
  const text = !rows.every(isObject)
    ? rows.map((row) => wrap(show(row), width).join("\n")).join("\n")
    : rows.some(needsLines)
    ? rows.map((row) => entry(row, width, paint)).join("\n")
    : table(rows, width, paint);
  return text + more;
}

function table(rows: readonly Fields[], width: number, paint: Paint): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
    .filter((name) => rows.some((row) => cellOf(row, name) !== ""));
  const longest = (name: string) =>
    Math.max(wordsOf(name).length, ...rows.map((row) => cellOf(row, name).length));
  const widths = new Map(names.map((name) => [name, longest(name)]));
  const excess = () => [...widths.values()].reduce((sum, size) => sum + size + 2, -2) - width;
  const shrink = (name: string, least: number) =>
    widths.set(name, Math.max(Math.min(least, widths.get(name)!), widths.get(name)! - excess()));
  for (const name of names.toReversed().toSorted((a, b) => importance(b) - importance(a))) {
    // Before omitting an important column, truncate the texts.
    if (importance(name) <= FIRST.length) {
      for (const text of TEXTS) if (excess() > 0 && widths.has(text)) shrink(text, LEAST_TEXT);
    }
    if (excess() <= 0) break;
    const left = widths.get(name)! - excess();
    if (left >= LEAST_COLUMN || widths.size === 1) widths.set(name, left);
    else widths.delete(name);
  }
  // Omitted columns may leave space for the texts.
  for (const text of TEXTS) {
    if (widths.has(text)) widths.set(text, Math.min(longest(text), widths.get(text)! - excess()));
  }
  const out = names.filter((name) => !widths.has(name));
  if (out.some((name) => KEPT.includes(name))) {
    return rows.map((row) => entry(row, width, paint)).join("\n");
  }
  const line = (cells: (name: string) => string, mark = coloured(paint)) =>
    [...widths].map(([name, size]) => mark(shortened(cells(name), size).padEnd(size))).join("  ")
      .trimEnd();
  const note = shortened(`(--json also prints ${out.join(", ")})`, width);
  return [
    line(wordsOf, paint.dim),
    ...rows.map((row) => line((name) => cellOf(row, name))),
    ...(out.length === 0 ? [] : [paint.dim(note)]),
  ].join("\n");
}

/** A row with several texts: short values in one line, texts below. */
function entry(row: Fields, width: number, paint: Paint): string {
  const long = Object.keys(row).filter((name) => isLong(row, name));
  const short = Object.keys(row).flatMap((name) => {
    const cell = cellOf(row, name);
    if (cell === "" || long.includes(name) || importance(name) > FIRST.length) return [];
    return UNLABELLED.includes(name) ? [cell] : [`${wordsOf(name)} ${cell}`];
  });
  const lines = long.flatMap((name) => {
    const value = row[name];
    const isList = Array.isArray(value) && value.some((one) => String(one).includes(" "));
    const texts = isList ? value.map(show) : [cellOf(row, name)];
    return texts.flatMap((text) => clamp(text, width - 2)).map((line) => `  ${line}`);
  });
  const [first = "", ...rest] = short;
  const heads = [first];
  for (const cell of rest) {
    const line = `${heads.at(-1)}  ${cell}`;
    if (line.length <= width) heads.splice(-1, 1, line);
    else heads.push(`  ${cell}`);
  }
  const [top = "", ...others] = heads.map((head) => shortened(head, width));
  return [paint.bold(top), ...others, ...lines].join("\n");
}

function clamp(text: string, width: number): string[] {
  const lines = wrap(text.replaceAll(/\s+/g, " "), width).map((line) => shortened(line, width));
  const rest = lines.splice(MOST_LINES - 1).join(" ");
  return rest === "" ? lines : [...lines, shortened(rest, width)];
}

/** Whether a row has several texts, or a list of them, and so does not fit a table. */
function needsLines(row: Fields): boolean {
  const long = Object.keys(row).filter((name) => isLong(row, name));
  return long.length > 1 || long.some((name) => Array.isArray(row[name]) && name !== "ids");
}

/** Whether a value needs its own line; URIs and paths do not. */
function isLong(row: Fields, name: string): boolean {
  return name === "ids" ||
    importance(name) <= FIRST.length && !isObject(row[name]) &&
      cellOf(row, name).length > LONG_TEXT;
}

/** A lower number is more important. */
function importance(name: string): number {
  if (FIRST.includes(name)) return FIRST.indexOf(name);
  return FIRST.length + (LAST.includes(name) ? 1 : 0);
}

/** A value in one line. The `{id}` of messages about several entities is filled in or removed. */
function cellOf(row: Fields, name: string): string {
  const { count } = row;
  const unnamed = name === "ids" && typeof count === "number" && Array.isArray(row["ids"])
    ? count - row["ids"].length
    : 0;
  const text = show(row[name]).replaceAll(/\s+/g, " ") +
    (unnamed > 0 ? ` and ${unnamed} more` : "");
  const [id, ...others] = Array.isArray(row["ids"]) ? row["ids"].map(String) : [];
  const isOne = id !== undefined && others.length === 0;
  return (isOne ? text.replaceAll("{id}", () => id) : text.replaceAll(/\{id\} ?/g, "")).trim();
}

/** Colours a cell by its value. */
function coloured(paint: Paint): (cell: string) => string {
  return (cell) => {
    const colour = COLOURS[cell.trimEnd()];
    return colour === undefined ? cell : paint[colour](cell);
  };
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
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) {
    return value.every((entry) => !isObject(entry))
      ? value.map(show).join(", ")
      : `${value.length}`;
  }
  if (!isObject(value)) return String(value);
  // Nested counts, such as counts by status, are labelled by their inner names.
  return Object.entries(value)
    .map(([name, entry]) => isObject(entry) ? show(entry) : `${name} ${show(entry)}`)
    .filter((text) => text !== "").join(", ");
}

/** Whether a value is an object of scalars, or of such objects. */
function isCounts(value: unknown, depth = 2): boolean {
  return isObject(value) &&
    Object.values(value).every((entry) =>
      isObject(entry) ? depth > 1 && isCounts(entry, depth - 1) : !Array.isArray(entry)
    );
}

/** Whether a value fits beside its name. */
function isPlain(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length > 0 && !value.some(isObject) && show(value).length <= 4 * LONG_TEXT
    : !isObject(value);
}
