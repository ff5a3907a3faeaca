/**
 * Which selectors a style sheet has, and where. A scanner rather than a parser:
 * it knows rules, nesting, strings and comments, and reads nothing else.
 *
 * @module
 */

/** A selector of a style sheet. */
export interface StyledSelector {
  /** A class (`.rf-hint--note`) or a data attribute (`[data-rune="hint"]`). */
  readonly selector: string;
  /** The file's name. */
  readonly file: string;
  /** The line on which its rule begins. */
  readonly line: number;
}

/** The BEM classes and data attributes that the rules of a style sheet name. */
export function selectorsOf(text: string, file: string, prefix: string): StyledSelector[] {
  const classes = new RegExp(`\\.${prefix.replace(/[^\w-]/g, "\\$&")}-[\\w-]+`, "g");
  const data = /\[data-[\w-]+(?:="[^"]*")?\]/g;
  const found: StyledSelector[] = [];
  for (const { prelude, line } of rulesOf(text)) {
    for (const pattern of [classes, data]) {
      for (const match of prelude.matchAll(pattern)) found.push({ selector: match[0], file, line });
    }
  }
  return found;
}

/** The rules of a style sheet, at any depth: what stands before the brace, and its line. */
function* rulesOf(text: string): Iterable<{ prelude: string; line: number }> {
  let line = 1;
  let prelude = "";
  let startLine = 1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (text.startsWith("/*", at)) {
      const end = text.indexOf("*/", at + 2);
      const comment = text.slice(at, end === -1 ? text.length : end + 2);
      line += countLines(comment);
      at += comment.length - 1;
    } else if (char === '"' || char === "'" || /^url\(\s*[^"'\s]/i.test(text.slice(at, at + 16))) {
      const whole = char === '"' || char === "'"
        ? quotedAt(text, at)
        : text.slice(at, endOf(text, ")", at));
      if (prelude === "") startLine = line;
      prelude += whole;
      line += countLines(whole);
      at += whole.length - 1;
    } else if (char === "{") {
      if (prelude !== "" && !prelude.startsWith("@")) yield { prelude, line: startLine };
      prelude = "";
    } else if (char === "}" || char === ";") {
      prelude = "";
    } else {
      if (prelude !== "" || !/\s/.test(char)) {
        if (prelude === "") startLine = line;
        prelude += char;
      }
      if (char === "\n") line++;
    }
  }
}

function quotedAt(text: string, start: number): string {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === text[start]) return text.slice(start, at + 1);
  }
  return text.slice(start);
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + 1;
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}
