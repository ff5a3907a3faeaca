/** The text of an answer: a line of column names, and a line a row. */

import { shortText } from "../../src/plain_text.ts";
import type { Cell } from "../../src/plugin/context.ts";

const SEPARATOR = " | ";

/** The least that a cell keeps if even the first row is too long, in characters. */
const LEAST_CELL = 200;

/** A line of text. */
export function lineOf(cells: readonly Cell[]): string {
  return cells.map(cellText).join(SEPARATOR);
}

/**
 * A cell. A text that is empty, reads `null`, or contains the separator, quotes at its start or line
 * breaks is a JSON string, so that every line can be split again.
 */
function cellText(cell: Cell): string {
  if (typeof cell !== "string") return String(cell);
  const needsQuotes = cell === "" || cell === "null" || /[|\n\r]|^"|^\s|\s$/.test(cell);
  return needsQuotes ? JSON.stringify(cell) : cell;
}

/** Returns the first rows whose lines fit; the first row is shortened if it does not. */
export function fittingRows(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  most: number,
): (readonly Cell[])[] {
  let left = most - lineOf(columns).length;
  const fitting: (readonly Cell[])[] = [];
  for (const row of rows) {
    left -= lineOf(row).length + 1;
    if (left < 0) return fitting.length > 0 ? fitting : [shortened(row, most)];
    fitting.push(row);
  }
  return fitting;
}

function shortened(row: readonly Cell[], most: number): Cell[] {
  const share = Math.max(LEAST_CELL, Math.floor(most / row.length) - SEPARATOR.length);
  return row.map((cell) => {
    if (typeof cell !== "string" || cell.length <= share) return cell;
    const end = share - 40;
    return `${shortText(cell, end + 1)} (${cell.length - end} more characters: substr)`;
  });
}

/** Rows as comma-separated values; null is an empty field, an empty text `""`. */
export function csvOf(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const field = (cell: Cell) => {
    const text = cell === null ? "" : String(cell);
    return /[",\n\r]/.test(text) || cell === "" ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => `${row.map(field).join(",")}\n`).join("");
}
