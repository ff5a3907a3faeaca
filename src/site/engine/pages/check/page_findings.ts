/** The findings about a page that need no build: its own, its links and its address. */

import type { SiteContext } from "../../upstream/site.ts";
import { byPlace, type Diagnostic, diagnostic } from "../read/diagnostics.ts";
import { addressOf, checkLinks, type Targets } from "./links.ts";
import type { ParsedPage } from "./parse_page.ts";

/** Every finding about a page except the build's messages. */
export function diagnosticsOf(
  site: SiteContext,
  page: ParsedPage,
  targets: Targets,
): Diagnostic[] {
  return [
    ...page.diagnostics.map((each) => explained(site, each)),
    ...sameAddress(page, targets),
    ...checkLinks(site, page, targets),
  ].sort(byPlace);
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
  const other = pages.get(addressOf(url))?.files.find((shown) => shown !== file.shown);
  if (other === undefined) return [];
  return [diagnostic("route-duplicate", `${other} has the same address: ${url}`)];
}
