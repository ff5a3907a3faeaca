/**
 * Reads the lines of the YAML that package managers write: maps of maps, two blanks a
 * level, plain or quoted keys. Each line is looked at once, whatever is in it; a whole
 * YAML parser takes seconds for a large lock file.
 *
 * @module
 */

/** One line with a key or an item. */
export interface YamlLine {
  /** The blanks before it. */
  readonly indent: number;
  /** The key before the colon, unquoted; `-` for an item of a list. */
  readonly key: string;
  /** What comes after, unquoted; empty where the lines below belong to it. */
  readonly value: string;
}

/** The lines of a text, without comments and blank ones. */
export function* yamlLines(text: string): Generator<YamlLine> {
  for (let start = 0; start < text.length;) {
    let end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    let indent = 0;
    while (text[start + indent] === " ") indent++;
    const line = text.slice(start + indent, end).trimEnd();
    start = end + 1;
    if (line === "" || line.startsWith("#")) continue;
    if (line.startsWith("- ")) {
      yield { indent, key: "-", value: unquoted(line.slice(2).trim()) };
      continue;
    }
    const [key, rest] = splitKey(line);
    yield { indent, key, value: unquoted(rest) };
  }
}

/** A key ends at its closing quote, or at the first colon before a blank or the line's end. */
function splitKey(line: string): [string, string] {
  const quote = line[0];
  if (quote === '"' || quote === "'") {
    const close = line.indexOf(quote, 1);
    if (close > 0) {
      const rest = line.slice(close + 1).trimStart();
      return [line.slice(1, close), rest.startsWith(":") ? rest.slice(1).trim() : rest];
    }
  }
  for (let at = line.indexOf(":"); at >= 0; at = line.indexOf(":", at + 1)) {
    if (at === line.length - 1 || line[at + 1] === " ") {
      return [line.slice(0, at), line.slice(at + 1).trim()];
    }
  }
  // Yarn's first format writes `version "1.0.0"`.
  const blank = line.indexOf(" ");
  return blank < 0 ? [line, ""] : [line.slice(0, blank), line.slice(blank + 1).trim()];
}

function unquoted(value: string): string {
  const quote = value[0];
  if (quote === '"' || quote === "'") {
    const close = value.indexOf(quote, 1);
    if (close > 0) return value.slice(1, close);
  }
  const comment = value.indexOf(" #");
  return comment < 0 ? value : value.slice(0, comment).trimEnd();
}
