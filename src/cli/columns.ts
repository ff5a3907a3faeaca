/**
 * Text in two columns for a terminal.
 *
 * @module
 */

/** How wide a line is where the terminal does not say. */
const WIDTH = 100;

/** Rows of a name and a text; long texts go on under themselves. */
export function columns(rows: readonly (readonly string[])[], indent = "  "): string {
  const width = Math.min(40, Math.max(0, ...rows.map(([name]) => name!.length)));
  const room = Math.max(24, terminalWidth() - indent.length - width - 2);
  return rows.map(([name, text]) => {
    const [first = "", ...more] = wrap(text ?? "", room);
    const head = name!.length > width
      ? `${indent}${name}\n${indent}${" ".repeat(width)}  ${first}`
      : `${indent}${name!.padEnd(width)}  ${first}`;
    const rest = more.map((line) => `\n${indent}${" ".repeat(width)}  ${line}`).join("");
    return `${head.trimEnd()}${rest}\n`;
  }).join("");
}

/** Breaks a text at spaces. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

function terminalWidth(): number {
  try {
    return Deno.stdout.isTerminal() ? Deno.consoleSize().columns : WIDTH;
  } catch {
    return WIDTH;
  }
}
