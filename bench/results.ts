/**
 * `bench/RESULTS.md`: each benchmark writes its own section and leaves the others.
 */

import { fileURLToPath } from "node:url";

const PATH = fileURLToPath(new URL("./RESULTS.md", import.meta.url));
const HEAD = `# Results

Written by \`deno task bench\`; each section says when and on what. Compare columns, not machines.
`;

/** Replaces one section, or adds it at the end. */
export async function writeSection(title: string, text: string): Promise<void> {
  let before = HEAD;
  try {
    before = await Deno.readTextFile(PATH);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const section = `## ${title}\n\n${text.trim()}\n`;
  const parts = before.trimEnd().split(/^(?=## )/m).map((part) => part.trimEnd());
  const index = parts.findIndex((part) => part.startsWith(`## ${title}\n`));
  if (index === -1) parts.push(section.trimEnd());
  else parts[index] = section.trimEnd();
  await Deno.writeTextFile(PATH, `${parts.join("\n\n")}\n`);
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

/** When and on which machine a benchmark ran. */
export function circumstances(): string {
  const date = new Date().toISOString().slice(0, 10);
  const load = Deno.build.os === "windows" ? "" : `, load ${Deno.loadavg()[0]!.toFixed(1)}`;
  return `${date}, Deno ${Deno.version.deno}, ${navigator.hardwareConcurrency} cores${load}.`;
}
