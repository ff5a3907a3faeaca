/** What each benchmark prints: its section of `bench/RESULTS.md`, which `bench/all.ts` writes. */

import { writeStdout } from "../src/io/pipes.ts";

export function printSection(title: string, text: string): void {
  writeStdout(`## ${title}\n\n${text.trim()}\n`);
}

/** A Markdown table, as wide as `deno fmt` formats it. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head, ...body] = rows as [readonly string[], ...string[][]];
  const widths = head.map((_, column) =>
    Math.max(3, ...rows.map((row) => [...(row[column] ?? "")].length))
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  return [
    line(head),
    `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`,
    ...body.map(line),
  ]
    .join("\n");
}
