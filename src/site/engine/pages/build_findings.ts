/**
 * What the build says about a page, as findings with a place.
 *
 * @module
 */

import type { BuildMessage } from "./build.ts";
import { type Diagnostic, diagnostic, type Place } from "./diagnostics.ts";
import type { ParsedPage } from "./read_page.ts";

/**
 * The messages of the build that are about a page; those that are no complaint are left out. A
 * message about what the page shows of another file has no place, and is listed once.
 */
export function buildFindings(page: ParsedPage, messages: readonly BuildMessage[]): Diagnostic[] {
  const { file: { kind }, route } = page;
  const own = messages.filter(({ severity, url, message }) =>
    severity !== "info" && url === route.url &&
    // The address of a layout is that of no page: what it gets automatically is up to its pages.
    !(kind === "layout" && message.includes(route.url))
  );
  const seen = new Map<string, number>();
  const findings: Diagnostic[] = [];
  for (const { severity, message } of own) {
    const text = message.split("\n")[0]!;
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    const place = quotedPlace(page, text, count);
    if (place === undefined && count > 0) continue;
    findings.push({
      ...diagnostic("build-message", text, place),
      severity: severity === "error" ? "error" : "warning",
    });
  }
  return findings;
}

/** Where the page has what the message quotes; a message said several times is about one after the other. */
function quotedPlace(
  { content, offset }: ParsedPage,
  message: string,
  count: number,
): Place | undefined {
  const [, quoted] = /["'`]([^"'`]+)["'`]/.exec(message) ?? [];
  if (quoted === undefined) return undefined;
  let at = content.indexOf(quoted);
  for (let skipped = 0; skipped < count && at !== -1; skipped++) {
    const next = content.indexOf(quoted, at + 1);
    if (next === -1) break;
    at = next;
  }
  if (at === -1) return undefined;
  const before = content.slice(0, at).split("\n");
  return { line: before.length + offset, column: before.at(-1)!.length + 1 };
}
