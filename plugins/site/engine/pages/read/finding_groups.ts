/** Groups the findings of a site by code and by what is wrong, for long lists. */

import { quotedIfSpaced } from "../../../../../src/plain_text.ts";
import { type Finding, SEVERITIES } from "./diagnostics.ts";

/** The findings with one code and severity. */
export interface FindingGroup<Each extends Finding = Finding> {
  readonly code: Each["code"];
  readonly severity: Each["severity"];
  readonly count: number;
  readonly files: number;
  readonly entries: readonly Entry<Each>[];
}

/** Findings that say the same: those of one file, or of many. */
export interface Entry<Each extends Finding = Finding> {
  readonly message: string;
  readonly findings: readonly Each[];
  /** How many of their places are not listed. */
  readonly more: number;
}

/** On how many lines of a page something is: it is no other mistake on another page. */
const LINES = / on \d+ lines(?=:)/;

/** How many places of equal findings are listed. */
const MOST_PLACES = 3;

/** Errors and large groups come first. */
export function groupsOf<Each extends Finding>(findings: readonly Each[]): FindingGroup<Each>[] {
  const byCode = Map.groupBy(findings, ({ code, severity }) => `${severity}:${code}`);
  const groups = [...byCode.values()].map((group): FindingGroup<Each> => ({
    code: group[0]!.code,
    severity: group[0]!.severity,
    count: group.length,
    files: new Set(group.map(({ path }) => path)).size,
    entries: entriesOf(group),
  }));
  // A skipped package explains others, so it comes first.
  const isSkipped = ({ code }: FindingGroup<Each>) => Number(code === "package-skipped");
  return groups.sort((a, b) =>
    isSkipped(b) - isSkipped(a) ||
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    b.count - a.count || a.code.localeCompare(b.code)
  );
}

function entriesOf<Each extends Finding>(group: readonly Each[]): Entry<Each>[] {
  const byMessage = Map.groupBy(group, ({ message }) => message.replace(LINES, ""));
  return [...byMessage].flatMap(([message, equal]): Entry<Each>[] => {
    if (equal.length > MOST_PLACES) {
      return [{ message, findings: equal, more: equal.length - MOST_PLACES }];
    }
    const byFile = Map.groupBy(equal, ({ path }) => path);
    return [...byFile.values()].map((findings) => ({
      message: findings[0]!.message,
      findings,
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
