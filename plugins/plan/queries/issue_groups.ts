/** Groups the problems of a plan by kind: one message, a count and some ids. */

import type { Issue } from "../store/problems.ts";

/** The file is that of a single problem. */
type IssueGroup = Omit<Issue, "source" | "target"> & {
  readonly count: number;
  readonly ids: string[];
};

/** Up to this many different messages of one kind are all listed. */
const MAX_MESSAGES = 3;

/** @param most How many ids a group lists. */
export function groupIssues(issues: readonly Issue[], most: number): IssueGroup[] {
  // Each correction is a separate call, except that plan_update takes several ids.
  const kinds = Map.groupBy(
    issues,
    ({ type, severity, fix, source }) =>
      `${severity ?? ""}:${type}:${fix && fix.tool !== "plan_update" && source}`,
  );
  return [...kinds.values()].map((group): IssueGroup => {
    const { type, severity, file, branch, fix } = group[0]!;
    return {
      type,
      severity,
      count: group.length,
      message: combinedMessage(group),
      file: group.length > 1 ? undefined : file,
      ids: [...new Set(group.map(({ source }) => source))].slice(0, most),
      branch,
      fix: fix?.tool === "plan_update" && group.length > 1 ? fixForAll(fix, group) : fix,
    };
  });
}

/** How many entities a call changes at most. */
const MOST_CHANGED = 100;

/** The correction of a group, for all of its entities at once. */
function fixForAll(
  { tool, arguments: { id: _id, ...same } }: NonNullable<Issue["fix"]>,
  group: readonly Issue[],
): IssueGroup["fix"] {
  const ids = [...new Set(group.map(({ source }) => source))].slice(0, MOST_CHANGED);
  return { tool, arguments: { ids, ...same } };
}

/** Combines messages of one kind; placeholders replace the ids that differ. */
function combinedMessage(issues: readonly Issue[]): string {
  if (issues.length === 1) return issues[0]!.message;
  const templates = Map.groupBy(issues, messageTemplate);
  if (templates.size === 1) return [...templates.keys()][0]!;
  if (templates.size > MAX_MESSAGES) return `For example: ${issues[0]!.message}`;
  return [...templates].map(([template, group]) => `${template} (${group.length})`).join("; ");
}

function messageTemplate({ message, source, target = "" }: Issue): string {
  // A target may be called "id".
  const marked = replaceName(message, source, "\0");
  return replaceName(marked, target, "{target}").replaceAll("\0", "{id}");
}

const ENDS_IN_WORD = /[\p{L}\p{N}_-]$/u;
const BEGINS_IN_WORD = /^[\p{L}\p{N}_-]/u;

/** Replaces a name where it is no part of a word, as the milestone "m" is of "milestone". */
function replaceName(text: string, name: string, by: string): string {
  if (name === "") return text;
  // A pattern of each name would take a millisecond to compile.
  return text.replaceAll(name, (_, at: number) => {
    const isPart = ENDS_IN_WORD.test(text.slice(0, at)) ||
      BEGINS_IN_WORD.test(text.slice(at + name.length));
    return isPart ? name : by;
  });
}
