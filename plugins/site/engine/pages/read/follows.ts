/** Which findings follow from another one, such as text that is lost inside an unclosed rune. */

import type { Diagnostic } from "./diagnostics.ts";
import { linesOf } from "../../../../../src/markdoc/lines.ts";

/** The findings that may follow from a rune that is not read as it was meant. */
const CONSEQUENCES: ReadonlySet<string> = new Set([
  "text-lost",
  "content-missing",
  "content-ignored",
  "rune-placement",
]);

/** How many findings of a page explain others: each is compared with all. */
const MOST_CAUSES = 100;

/** The findings after which packages fail, the most likely first. */
const FATAL = ["attribute-missing", "attribute-type", "attribute-value", "syntax", "rune-unclosed"];

/** Adds the line of the first finding to those that follow from it. */
export function withFollows(
  findings: readonly Diagnostic[],
  { content, offset }: { readonly content: string; readonly offset: number },
): Diagnostic[] {
  const lines = [...Array<string>(offset).fill(""), ...linesOf(content)];
  const placed = findings.filter(({ line }) => line !== undefined);
  // What a package cannot render has most likely a mistake that is found, too.
  const fatal = FATAL.flatMap((wanted) => placed.filter(({ code }) => code === wanted))[0];
  const explanations = placed.flatMap((each) => {
    const explains = explanationOf(each, lines);
    return explains === undefined ? [] : { each, explains };
  }).slice(0, MOST_CAUSES);
  const causeOf = (finding: Diagnostic) =>
    finding.code === "render-failed"
      ? fatal
      // The innermost one: what it contains is lost by it.
      : explanations.findLast(({ each, explains }) => each !== finding && explains(finding))?.each;
  return findings.map((each) => {
    let first = each;
    // No kind of finding follows from one that follows from it.
    for (let cause = causeOf(each); cause !== undefined; cause = causeOf(cause)) first = cause;
    return first === each ? each : { ...each, follows: first.line! };
  });
}

/** Tells which other findings a finding explains; `undefined` for none. */
function explanationOf(
  { code, message, line = 0, column = 1 }: Diagnostic,
  lines: readonly string[],
): ((other: Diagnostic) => boolean) | undefined {
  const next = (text: RegExp) =>
    1 + lines.findIndex((each, at) => at >= line - 1 && text.test(each));
  const closingOf = (name: string) => next(new RegExp(`\\{%\\s*/${RegExp.escape(name)}\\s*%\\}`));
  const isWithin = (other: Diagnostic, end: number) =>
    CONSEQUENCES.has(other.code) && other.line! >= line && other.line! <= (end || line);
  const [quoted = ""] = names(message);
  switch (code) {
    case "attribute-unknown":
      return (other) =>
        other.code === "attribute-missing" && other.line === line &&
        message.endsWith(`Did you mean "${names(other.message)[1]}"?`);
    case "rune-unclosed":
      // It takes the rest of the page, whose runes it does not change.
      return (other) =>
        message.includes("is not closed") && CONSEQUENCES.has(other.code) &&
        (other.line! > line ? !/-missing|-placement/.test(other.code) : other.line === line);
    case "rune-unknown": {
      const end = closingOf(quoted);
      return (other) => isWithin(other, end);
    }
    case "content-ignored":
    case "content-missing": {
      const end = code === "content-missing" ? closingOf(quoted) || line : line;
      return (other) =>
        other.code === "text-lost" && names(other.message)[0] === quoted && isWithin(other, end);
    }
    case "syntax": {
      const text = lines[line - 1] ?? "";
      const start = text.lastIndexOf("{%", column - 1);
      const [, slash, name = ""] = /^\{%\s*(\/?)\s*([\w-]*)/.exec(text.slice(start)) ?? [];
      // It takes all up to the end of a tag, maybe of the next one.
      const end = next(/%\}/) || line;
      const taken = lines.slice(line - 1, end).join("\n");
      const closes = slash === "/";
      const last = closes ? end : closingOf(name) || end;
      return (other) => {
        if (isWithin(other, last)) return true;
        const [lone = ""] = names(other.message);
        if (other.code !== "rune-unclosed") return false;
        if (other.line! < line) return closes && lone === name;
        return other.message.includes("not opened") &&
          new RegExp(`\\{%\\s*${RegExp.escape(lone)}\\b`).test(taken);
      };
    }
    default:
      return undefined;
  }
}

/** What a message has in quotes. */
function names(message: string): string[] {
  return [...message.matchAll(/["'`]([\w-]+)["'`]/g)].map(([, name]) => name!);
}

/** Findings without those that follow from others, whose messages count them. */
export function folded<Each extends Diagnostic & { readonly path?: string }>(
  findings: readonly Each[],
): Each[] {
  const placeOf = ({ path }: Each, line: number | undefined) => `${path}\0${line}`;
  const following = Map.groupBy(
    findings.filter(({ follows }) => follows !== undefined),
    (each) => placeOf(each, each.follows),
  );
  const seen = new Set<string>();
  return findings.filter(({ follows }) => follows === undefined).map((each) => {
    const place = placeOf(each, each.line);
    const count = following.get(place)?.length ?? 0;
    if (count === 0 || seen.has(place)) return each;
    seen.add(place);
    const verb = count === 1 ? "finding follows" : "findings follow";
    return { ...each, message: `${each.message} (${count} ${verb} from it)` };
  });
}
