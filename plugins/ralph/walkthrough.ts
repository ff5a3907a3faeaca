/**
 * A finished document in a few numbers, for the user who is to approve it.
 *
 * @module
 */

import { markdownLines } from "./markdown.ts";
import { brief } from "./failures.ts";
import { statementsOf } from "./lint/requirements.ts";
import { parseTasks } from "./tasks.ts";

/** The numbers; only what the document has is there. */
export interface Walkthrough {
  /** How many stories, criteria, requirements and tasks, each with its noun. */
  readonly counts: readonly (readonly [number: number, noun: string])[];
  /** What the document leaves open. */
  readonly openQuestions: readonly string[];
}

/** How many questions are shown. */
const MAX_QUESTIONS = 8;

/** Counts what a document holds. */
export function walkthroughOf(text: string): Walkthrough {
  const ids = [...new Set(statementsOf(text).map((statement) => statement.id))];
  const counts: [number, string][] = [
    [ids.filter((id) => /^US-/.test(id)).length, "story"],
    [ids.filter((id) => /^AC-/.test(id)).length, "criterion"],
    [ids.filter((id) => /^N?FR-/.test(id)).length, "requirement"],
    [parseTasks(text).tasks.length, "task"],
  ];
  return {
    counts: counts.filter(([number]) => number > 0),
    openQuestions: questionsOf(text),
  };
}

function questionsOf(text: string): string[] {
  const { lines } = markdownLines(text);
  const at = lines.findIndex((line) => /^#{2,3} (?:Open|Unresolved) Questions\s*$/i.test(line));
  if (at < 0) return [];
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => /^#{1,3} /.test(line));
  return (end < 0 ? rest : rest.slice(0, end))
    .map((line) => /^[-*+]\s+(?:\[[ xX]\]\s*)?(.+)$/.exec(line)?.[1]?.trim() ?? "")
    .filter((line) => line !== "" && !/^(?:none|n\/a|question)\b/i.test(line))
    .slice(0, MAX_QUESTIONS)
    .map((line) => brief(line, 200));
}
