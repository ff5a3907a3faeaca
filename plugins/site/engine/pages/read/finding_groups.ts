/** Lists the findings of a site: without those that follow from others, and by what is wrong. */

import { quotedIfSpaced } from "../../../../../src/plain_text.ts";
import { type Diagnostic, type Finding, SEVERITIES } from "./diagnostics.ts";

/** Findings that say the same: those of one file, or of many. */
interface Entry {
  readonly message: string;
  readonly findings: readonly Finding[];
  /** How many of their places are not listed. */
  readonly more: number;
}

/** On how many lines of a page something is: it is no other mistake on another page. */
const LINES = / on \d+ lines(?=:)/;

/** How many places of equal findings are listed. */
const MOST_PLACES = 3;

/** Findings without those that follow from others, whose messages count them. */
export function folded<Each extends Diagnostic & { readonly path?: string }>(
  findings: readonly Each[],
): Each[] {
  const keyOf = ({ path }: Each, line: number | undefined) => `${path}\0${line}`;
  const consequences = findings.filter(({ follows }) => follows !== undefined);
  const byCause = Map.groupBy(consequences, (finding) => keyOf(finding, finding.follows));
  return findings.filter(({ follows }) => follows === undefined).map((finding) => {
    const key = keyOf(finding, finding.line);
    const count = byCause.get(key)?.length;
    // The first finding of the line counts them.
    if (count === undefined || !byCause.delete(key)) return finding;
    const verb = count === 1 ? "finding follows" : "findings follow";
    return { ...finding, message: `${finding.message} (${count} ${verb} from it)` };
  });
}

/** Errors and large groups come first. */
export function groupsOf(findings: readonly Finding[]) {
  const byCode = Map.groupBy(findings, ({ code, severity }) => `${severity}:${code}`);
  const groups = [...byCode.values()].map((group) => ({
    code: group[0]!.code,
    severity: group[0]!.severity,
    count: group.length,
    files: new Set(group.map(({ path }) => path)).size,
    entries: entriesOf(group),
  }));
  // A skipped package explains others, so it comes first.
  const isSkipped = ({ code }: { readonly code: string }) => Number(code === "package-skipped");
  return groups.sort((a, b) =>
    isSkipped(b) - isSkipped(a) ||
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    b.count - a.count || a.code.localeCompare(b.code)
  );
}

function entriesOf(group: readonly Finding[]): Entry[] {
  const byMessage = Map.groupBy(group, ({ message }) => message.replace(LINES, ""));
  return [...byMessage].flatMap(([message, findings]): Entry[] => {
    const more = findings.length - MOST_PLACES;
    if (more > 0) return [{ message, findings, more }];
    const byFile = Map.groupBy(findings, ({ path }) => path);
    return [...byFile.values()].map((some) => ({
      message: some[0]!.message,
      findings: some,
      more: 0,
    }));
  });
}

/** Formats findings that say the same as a line: `path:1:2,3:4 message`. */
export function entryLine({ message, findings, more }: Entry): string {
  if (more === 0) {
    const [first, ...others] = findings;
    const places = others.map(({ line = 1, column = 1 }) => `${line}:${column}`);
    return `${[placeOf(first!), ...places].join(",")} ${message}`;
  }
  const places = findings.slice(0, MOST_PLACES).map(placeOf).join(", ");
  return `${findings.length} × ${message}: ${places} and ${more} more`;
}

/** Formats a place as linters do: `path:line:column`. */
export function placeOf({ path, line, column }: Pick<Finding, "path" | "line" | "column">): string {
  return `${quotedIfSpaced(path)}:${line ?? 1}:${column ?? 1}`;
}
