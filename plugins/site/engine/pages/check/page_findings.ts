/** The findings about a page that need no build: its own, its links and its address. */

import type { Edit } from "../../../../../src/markdoc/edits.ts";
import { byPlace, type Diagnostic, diagnostic, editsOf } from "../read/diagnostics.ts";
import { quotedName } from "../../../../../src/plain_text.ts";
import type { SiteContext } from "../../upstream/site.ts";
import { addressOf, checkLinks, type Targets } from "./links.ts";
import type { ParsedPage } from "./parse_page.ts";
import { linesOf } from "../../../../../src/markdoc/lines.ts";

/** Every finding about a page except the build's messages. */
export function diagnosticsOf(
  site: SiteContext,
  page: ParsedPage,
  targets: Targets,
): Diagnostic[] {
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
    return {
      ...finding,
      ...fix && { fix: filled(fix) },
      ...edits && { edits: edits.map(filled) },
    };
  });
}

/** The findings that code may explain that was not loaded, such as a package that is not trusted. */
const EXPLAINED: ReadonlySet<string> = new Set([
  "rune-unknown",
  "attribute-unknown",
  "icon-unknown",
  "background-unknown",
]);

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
  const other = pages.get(addressOf(url))?.files.find((displayPath) =>
    displayPath !== file.displayPath
  );
  if (other === undefined) return [];
  return [
    diagnostic("route-duplicate", `${quotedName(other)} has the same address: ${quotedName(url)}`),
  ];
}
