/** Findings for a terminal: grouped by file, with severity, source line and a caret. */

import { orElse } from "../errors.ts";
import { withoutMark } from "../io/decode.ts";
import { resolveInside } from "../io/paths.ts";
import { readIfExists } from "../io/read.ts";
import { shown } from "../plain_text.ts";
import type { Finding } from "../../plugins/site/engine/methods/check_pages.ts";
import { table } from "./table.ts";
import type { Paint } from "./terminal.ts";
import { linesOf } from "../../plugins/site/engine/pages/read/lines.ts";

/** What is shown before the column in a longer line. */
const BEFORE = 20;

export function findingsText(
  cwd: string,
  findings: readonly Finding[],
  width: number,
  paint: Paint,
): string {
  const groups = Map.groupBy(findings, ({ path }) => path);
  return [...groups].map(([path, found]) => {
    const lines = sourceLines(cwd, path);
    const texts = found.map((finding) => findingText(finding, lines, width, paint));
    return `${paint.bold(path)}\n${texts.join("")}`;
  }).join("\n");
}

function findingText(
  { line, column = 1, severity, code, message, fix }: Finding,
  lines: readonly string[],
  width: number,
  paint: Paint,
): string {
  const colour = { error: paint.red, warning: paint.yellow, hint: paint.dim }[severity];
  const place = line === undefined ? "" : `${line}:${column}`;
  const indent = " ".repeat(place.length + 4);
  const text = `${severity} ${message} (${code})`;
  const rows = place === "" ? [[text]] : [[place, text]];
  const head = table(rows, { width, paint: place === "" ? undefined : paint.dim })
    .replace(severity, (name) => colour(name));
  const source = lines[(line ?? 0) - 1];
  if (source === undefined) return head;
  const gutter = `${line} | `;
  const under = `${" ".repeat(gutter.length - 2)}| `;
  const room = width - indent.length - gutter.length;
  const from = column + BEFORE > room ? Math.max(0, column - BEFORE) : 0;
  const shownPart = (start: number, end: number) =>
    shown(source.slice(start, end)).replaceAll("\t", " ");
  const marked = fix?.line === line && fix?.column === column && fix.length > 0
    ? fix.length
    : /^[\w.-]*/.exec(source.slice(column - 1))![0].length;
  const at = column - 1;
  const size = Math.max(1, shownPart(at, Math.min(at + marked, from + room)).length);
  const caret = " ".repeat(shownPart(from, at).length) + colour("^".repeat(size));
  return `${head}${indent}${paint.dim(gutter)}${shownPart(from, from + room)}
${indent}${paint.dim(under)}${caret}
`;
}

/** The lines of a page; none if it is not in the project or gone. */
function sourceLines(cwd: string, path: string): string[] {
  const read = () => readIfExists(cwd, resolveInside(cwd, path, "The page", path), "page");
  return linesOf(withoutMark(orElse(read, null) ?? "")).map((line) => line.trimEnd());
}
