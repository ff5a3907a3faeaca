/** Reads which files a configuration of git includes, as git reads it. */

/** A value of `path` below `[include]`, or below `[includeIf]` with a condition. */
export interface Include {
  readonly path: string;
  readonly isConditional: boolean;
}

const ESCAPES: Readonly<Record<string, string>> = {
  t: "\t",
  n: "\n",
  b: "\b",
  '"': '"',
  "\\": "\\",
};
const SECTION = /\[[ \t]*([\w.-]*)[ \t]*("(?:\\.|[^"\\\n])*"[ \t]*)?\]/y;
const KEY = /([A-Za-z][\w-]*)[ \t]*(=?)/y;

/** Returns the includes up to where git finds a mistake, which ends it. */
export function includesIn(text: string): Include[] {
  const found: Include[] = [];
  const source = `${text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n")}\n`;
  let section = "";
  for (let at = 0; at < source.length;) {
    const char = source[at]!;
    if (/\s/.test(char)) at++;
    else if (char === "#" || char === ";") at = source.indexOf("\n", at);
    else {
      const pattern = char === "[" ? SECTION : KEY;
      pattern.lastIndex = at;
      const [all, name = "", rest] = pattern.exec(source) ?? [];
      if (all === undefined) break;
      at += all.length;
      if (char === "[") {
        section = `${name.toLowerCase()}${rest === undefined ? "" : " "}`;
        continue;
      }
      const [value, end] = rest === "=" ? readValue(source, at) : ["", at];
      at = end;
      const isConditional = section === "includeif ";
      if (name.toLowerCase() !== "path" || section !== "include" && !isConditional) continue;
      found.push({ path: value, isConditional });
    }
  }
  return found;
}

function readValue(source: string, start: number): [value: string, end: number] {
  let [value, spaces, isQuoted] = ["", "", false];
  let at = start;
  for (; source[at] !== "\n"; at++) {
    let char = source[at]!;
    if (!isQuoted && (char === "#" || char === ";")) {
      at = source.indexOf("\n", at);
      break;
    }
    if (!isQuoted && /\s/.test(char)) {
      if (value !== "") spaces += char;
      continue;
    }
    if (char === '"') {
      isQuoted = !isQuoted;
      continue;
    }
    if (char === "\\") {
      char = source[++at] === "\n" ? "" : ESCAPES[source[at] ?? ""] ?? "";
      if (char === "") continue;
    }
    value += spaces + char;
    spaces = "";
  }
  return [value, at];
}
