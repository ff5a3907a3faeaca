/** The findings about a page that need no build, and which findings follow from others. */

import type { Edit } from "../../../../../src/markdoc/edits.ts";
import { byPlace, type Diagnostic, diagnostic, editsOf } from "../read/diagnostics.ts";
import { quotedName } from "../../../../../src/plain_text.ts";
import type { SiteContext } from "../../upstream/site.ts";
import { partialName } from "../read/content_files.ts";
import { addressOf, type Targets } from "./addresses.ts";
import { checkLinks } from "./links.ts";
import type { ParsedPage } from "./parse_page.ts";
import { linesOf } from "../../../../../src/markdoc/lines.ts";

/** Every finding about a page except the build's messages. */
export function diagnosticsOf(site: SiteContext, page: ParsedPage, targets: Targets): Diagnostic[] {
  return withOld(page, [
    ...page.diagnostics.map((each) => explained(site, each)),
    ...sameAddress(page, targets),
    ...checkLinks(site, page, targets),
  ]).sort(byPlace);
}

/**
 * Adds the texts that corrections replace. In a line whose quotes are corrected, other columns are
 * not those of the file: their corrections wait for the next check.
 */
function withOld({ source }: ParsedPage, findings: readonly Diagnostic[]): Diagnostic[] {
  if (findings.every((each) => editsOf(each).length === 0)) return [...findings];
  const lines = linesOf(source);
  const isQuote = ({ code, fix }: Diagnostic) => code === "syntax" && fix !== undefined;
  const requoted = new Set(findings.filter(isQuote).map(({ line }) => line));
  const filled = (edit: Edit): Edit => {
    const { line, column, length } = edit;
    return { ...edit, old: lines[line - 1]?.slice(column - 1, column - 1 + length) ?? "" };
  };
  return findings.map((each) => {
    const { fix, edits, ...finding } = each;
    if (!isQuote(each) && editsOf(each).some(({ line }) => requoted.has(line))) return finding;
    if (fix !== undefined) return { ...finding, fix: filled(fix) };
    return edits === undefined ? finding : { ...finding, edits: edits.map(filled) };
  });
}

/** The codes of findings that skipped code may explain, such as a package that is not trusted. */
const EXPLAINED: ReadonlySet<string> = new Set(
  ["rune-unknown", "attribute-unknown", "icon-unknown", "background-unknown"],
);

/** A quoted path below a file root, such as `acme:intro.md`: packages declare these, too. */
const IN_FILE_ROOT = /"[\w-]+:[^"/][^"]*"/;

/** A finding that a skipped package may explain is a hint, and not corrected. */
export function explained({ failures }: SiteContext, finding: Diagnostic): Diagnostic {
  const { code, message } = finding;
  const isExplained = EXPLAINED.has(code) ||
    (code === "partial-missing" || code === "build-message") && IN_FILE_ROOT.test(message);
  if (failures.length === 0 || !isExplained) return finding;
  const { fix: _, edits: __, ...rest } = finding;
  return { ...rest, severity: "hint" };
}

function sameAddress({ file, route: { url } }: ParsedPage, { pages }: Targets): Diagnostic[] {
  if (file.kind !== "page") return [];
  const other = pages.get(addressOf(url))?.files.find((path) => path !== file.displayPath);
  if (other === undefined) return [];
  const message = `${quotedName(other)} has the same address: ${quotedName(url)}`;
  return [diagnostic("route-duplicate", message)];
}

/** Findings about partials that include each other, by the path of the including file. */
export function partialCycles(all: readonly ParsedPage[]): ReadonlyMap<string, Diagnostic[]> {
  const partials = new Map(
    all.filter(({ file }) => file.kind === "partial")
      .map((page) => [partialName(page.file), page]),
  );
  const includes = (page: ParsedPage | undefined) =>
    page?.facts.references.filter(({ kind }) => kind === "partial") ?? [];
  /** Partials that lead to no cycle. */
  const harmless = new Set<string>();
  /** Returns the cycle that a partial leads into. */
  const cycleFrom = (name: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (harmless.has(name)) return undefined;
    for (const { target } of includes(partials.get(name))) {
      const cycle = cycleFrom(target, [...way, name]);
      if (cycle !== undefined) return cycle;
    }
    harmless.add(name);
    return undefined;
  };
  const findings = new Map<string, Diagnostic[]>();
  for (const page of all) {
    const cyclic = includes(page).flatMap(({ target, place }) => {
      const cycle = cycleFrom(target, [])?.map(quotedName).join(" → ");
      const message = `The partials include each other in a cycle: ${cycle}`;
      return cycle === undefined ? [] : [diagnostic("partial-cycle", message, place)];
    });
    if (cyclic.length > 0) findings.set(page.file.path, cyclic);
  }
  return findings;
}

/** The codes of findings that may follow from a rune that was not read as intended. */
const CONSEQUENCES: ReadonlySet<string> = new Set(
  ["text-lost", "content-missing", "content-ignored", "rune-placement"],
);

/** How many findings of a page may explain others: each is compared with all. */
const MOST_CAUSES = 100;

/** The codes of findings that make packages fail, the most likely first. */
const FATAL = ["attribute-missing", "attribute-type", "attribute-value", "syntax", "rune-unclosed"];

/** Adds the line of the first finding to those that follow from it. */
export function withFollows(findings: readonly Diagnostic[], { source }: ParsedPage): Diagnostic[] {
  const lines = linesOf(source);
  const placed = findings.filter(({ line }) => line !== undefined);
  // If a package fails to render a page, another finding is most likely the reason.
  const fatal = FATAL.flatMap((wanted) => placed.filter(({ code }) => code === wanted))[0];
  const explanations = placed.flatMap((each) => {
    const explains = explanationOf(each, lines);
    return explains === undefined ? [] : { each, explains };
  }).slice(0, MOST_CAUSES);
  const causeOf = (finding: Diagnostic) =>
    finding.code === "render-failed"
      ? fatal
      // The innermost one, which loses its content.
      : explanations.findLast(({ each, explains }) => each !== finding && explains(finding))?.each;
  return findings.map((each) => {
    let first = each;
    // This ends, because no finding follows from its own consequences.
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
  const [quoted = ""] = namesIn(message);
  switch (code) {
    case "attribute-unknown":
      return (other) =>
        other.code === "attribute-missing" && other.line === line &&
        message.endsWith(`Did you mean "${namesIn(other.message)[1]}"?`);
    case "rune-unclosed":
      // The rune takes the rest of the page as content, and leaves the runes in it as they are.
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
        other.code === "text-lost" && namesIn(other.message)[0] === quoted && isWithin(other, end);
    }
    case "syntax": {
      const text = lines[line - 1] ?? "";
      const start = text.lastIndexOf("{%", column - 1);
      const [, slash, name = ""] = /^\{%\s*(\/?)\s*([\w-]*)/.exec(text.slice(start)) ?? [];
      // An open quote takes the text up to the end of a tag, maybe of the next one.
      const end = next(/%\}/) || line;
      const swallowed = lines.slice(line - 1, end).join("\n");
      const closes = slash === "/";
      const last = closes ? end : closingOf(name) || end;
      return (other) => {
        if (isWithin(other, last)) return true;
        const [lone = ""] = namesIn(other.message);
        if (other.code !== "rune-unclosed") return false;
        if (other.line! < line) return closes && lone === name;
        return other.message.includes("not opened") &&
          new RegExp(`\\{%\\s*${RegExp.escape(lone)}\\b`).test(swallowed);
      };
    }
    default:
      return undefined;
  }
}

function namesIn(message: string): string[] {
  return [...message.matchAll(/["'`]([\w-]+)["'`]/g)].map(([, name]) => name!);
}
