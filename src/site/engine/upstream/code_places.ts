/** Tells code of a JavaScript or TypeScript module from its strings, comments and expressions. */

/** After these, a slash begins a regular expression. */
const BEFORE_REGEX =
  /(?:^|[([{,;=:!&|?+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else|void|yield|await|delete|new|instanceof|throw))$/;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y;
/** A comment, or a string with what may end it. */
const OTHER = /\/\/.*|\/\*[^]*?(?:\*\/|$)|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?/y;
const TEMPLATE = /(?:\\[^]|\$(?!\{)|[^`\\$])*(?:`|\$\{|$)/y;

/** Returns whether a place of the text is code; text of templates is not, what they insert is. */
export function codePlaces(text: string): (index: number) => boolean {
  const isOther = new Uint8Array(text.length + 1);
  /** For each open template: the depth of braces at which its text goes on. */
  const open: number[] = [];
  let [depth, at, before] = [0, 0, ""];
  const skip = (pattern: RegExp, from: number): string | undefined => {
    pattern.lastIndex = from;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return undefined;
    isOther.fill(1, at, from + found.length);
    at = from + found.length;
    return found;
  };
  const template = () => {
    if (skip(TEMPLATE, at + 1)?.endsWith("${")) [before] = ["{", open.push(depth++)];
    else before = "x";
  };
  while (at < text.length) {
    const char = text[at]!;
    if (char === "`") template();
    else if (char === "}" && open.at(-1) === depth - 1) {
      open.pop();
      depth--;
      template();
    } else if (`"'/`.includes(char)) {
      const other = skip(OTHER, at) ??
        (BEFORE_REGEX.test(before.trimEnd()) ? skip(REGEX, at) : undefined);
      if (other === undefined) [before] = [text[at++]!];
      else if (!/^\/[/*]/.test(other)) before = "x";
    } else {
      if (char === "{") depth++;
      if (char === "}") depth--;
      if (!/\s/.test(char)) before = (before + char).slice(-12);
      else if (!before.endsWith(" ")) before += " ";
      at++;
    }
  }
  return (index) => isOther[index] === 0;
}
