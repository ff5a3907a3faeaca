/** Which findings follow from another one, such as text that is lost inside an unclosed rune. */

import type { Diagnostic } from "./diagnostics.ts";

/** The findings that may follow from a rune that is not read as it was meant. */
const CONSEQUENCES: ReadonlySet<string> = new Set([
  "text-lost",
  "content-missing",
  "content-ignored",
  "rune-placement",
]);

/** The findings after which packages fail, the most likely first. */
const FATAL = ["attribute-missing", "attribute-type", "attribute-value", "syntax", "rune-unclosed"];

/** Adds the line of the first finding to those that follow from it. */
export function withFollows(
  findings: readonly Diagnostic[],
  { content, offset }: { readonly content: string; readonly offset: number },
): Diagnostic[] {
  const lines = content.split("\n");
  const causes = findings.flatMap((each) => {
    const end = endOf(each, lines, offset);
    return each.line === undefined || end === undefined ? [] : [{ each, line: each.line, end }];
  });
  // What a package cannot render has most likely a mistake that is found, too.
  const fatal = FATAL.flatMap((wanted) => findings.filter(({ code }) => code === wanted))
    .find(({ line }) => line !== undefined);
  return findings.map((each) => {
    const { line = 0, code, message } = each;
    if (code === "render-failed" && fatal !== undefined) return { ...each, follows: fatal.line! };
    // A closing tag, whose opening one cannot be read.
    const [, closed] = /^"([^"]+)" is closed but not opened/.exec(message) ?? [];
    // The innermost one: what it contains is lost by it.
    const cause = causes.findLast((one) =>
      one.each !== each && one.line <= line && line <= one.end &&
      (CONSEQUENCES.has(code) || closed !== undefined && one.each.code === "syntax" &&
          lines[one.line - offset - 1]?.includes(closed))
    );
    return cause === undefined ? each : { ...each, follows: cause.line };
  });
}

/** The last line that a finding explains others in; `undefined` if it explains none. */
function endOf(
  { code, message, line = 0 }: Diagnostic,
  lines: readonly string[],
  offset: number,
): number | undefined {
  if (code === "syntax") return Infinity;
  if (code === "rune-unclosed") return message.includes("is not closed") ? Infinity : undefined;
  if (code !== "rune-unknown") return undefined;
  const [, name] = /["'`]([\w-]+)["'`]/.exec(message) ?? [];
  const closing = new RegExp(`\\{%\\s*/${RegExp.escape(name ?? "")}\\s*%\\}`);
  const at = lines.findIndex((one, index) => index >= line - offset - 1 && closing.test(one));
  return at === -1 ? line : at + 1 + offset;
}
