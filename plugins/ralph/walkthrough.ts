/**
 * A finished document in a few numbers, for the user who is to approve it.
 *
 * @module
 */

import { statementsOf } from "./lint/requirements.ts";
import { parseTasks } from "./tasks.ts";

/** The numbers; only what the document has is there. */
export interface Walkthrough {
  /** US. */
  readonly stories?: number;
  /** AC. */
  readonly criteria?: number;
  /** FR and NFR. */
  readonly requirements?: number;
  /** Recognised tasks. */
  readonly tasks?: number;
  /** What the document leaves open. */
  readonly openQuestions: string[];
}

/** How many questions are shown, and how long each may be. */
const MAX_QUESTIONS = 8;
const MAX_QUESTION = 200;

/** Counts what a document holds. */
export function walkthroughOf(text: string): Walkthrough {
  const ids = new Set(statementsOf(text).map((statement) => statement.id));
  const count = (pattern: RegExp) => [...ids].filter((id) => pattern.test(id)).length;
  const numbers = {
    stories: count(/^US-/),
    criteria: count(/^AC-/),
    requirements: count(/^N?FR-/),
    tasks: parseTasks(text).tasks.length,
  };
  return {
    ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value > 0)),
    openQuestions: questionsOf(text),
  };
}

function questionsOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line) => /^#{2,3} (?:Open|Unresolved) Questions\s*$/i.test(line));
  if (at < 0) return [];
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => /^#{1,3} /.test(line));
  return (end < 0 ? rest : rest.slice(0, end))
    .map((line) => /^[-*+]\s+(?:\[[ xX]\]\s*)?(.+)$/.exec(line)?.[1]?.trim() ?? "")
    .filter((line) => line !== "" && !/^(?:none|n\/a|question)\b/i.test(line))
    .slice(0, MAX_QUESTIONS)
    .map((line) => line.slice(0, MAX_QUESTION));
}
