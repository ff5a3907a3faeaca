/**
 * Numbered statements of `requirements.md`: what is defined, and what is wrong with it.
 *
 * @module
 */

import { markdownLines } from "../markdown.ts";
import type { Finding } from "./finding.ts";

/** A statement with a number. */
export interface Statement {
  /** `US-1`, `AC-1.1`, `FR-1` or `NFR-1`. */
  readonly id: string;
  /** The line, from one. */
  readonly line: number;
  /** The whole line. */
  readonly text: string;
}

const DEFINITION =
  /^\s*(?:\||[-*+]\s+(?:\[[ xX]\]\s*)?|#{1,6}\s+|\d+\.\s+)?\s*\**((?:US|FR|NFR)-\d+|AC-\d+(?:\.\d+)*)\b/;
const VAGUE =
  /\b(?:fast|quick(?:ly)?|easy|easily|simple|robust|user-friendly|intuitive|efficient(?:ly)?|seamless(?:ly)?|appropriate(?:ly)?|as needed|etc)\b/i;

/** The statements that a text defines: those whose number begins a line, row or heading. */
export function statementsOf(text: string): Statement[] {
  const { lines, kinds } = markdownLines(text);
  return lines.flatMap((line, index) => {
    const id = kinds[index] === "prose" ? DEFINITION.exec(line)?.[1] : undefined;
    return id === undefined ? [] : [{ id, line: index + 1, text: line }];
  });
}

/** What is wrong with the statements. */
export function lintRequirements(file: string, statements: readonly Statement[]): Finding[] {
  const findings: Finding[] = [];
  const say = (line: number, severity: Finding["severity"], rule: string, message: string) =>
    findings.push({ file, line, severity, rule, message });
  const seen = new Map<string, number>();
  for (const { id, line, text } of statements) {
    const first = seen.get(id);
    if (first !== undefined) {
      say(line, "error", "duplicate-id", `${id} is defined twice, first in line ${first}`);
    } else seen.set(id, line);
    const vague = VAGUE.exec(text.slice(text.indexOf(id) + id.length))?.[0];
    if (vague !== undefined && /^(?:AC|N?FR)-/.test(id) && !/\d/.test(textAfter(text, id))) {
      say(line, "warning", "vague-wording", `${id} says "${vague}" without a number or an example`);
    }
  }
  for (const { id, line } of statements) {
    const story = /^AC-(\d+)/.exec(id)?.[1];
    if (story !== undefined && !seen.has(`US-${story}`)) {
      say(
        line,
        "warning",
        "orphan-criterion",
        `${id} belongs to US-${story}, which is not defined`,
      );
    }
  }
  const judged = new Set([...seen.keys()].map((id) => /^AC-(\d+)\./.exec(id)?.[1]));
  for (const [id, line] of seen) {
    const story = /^US-(\d+)$/.exec(id)?.[1];
    if (story === undefined || judged.has(story)) continue;
    say(line, "warning", "story-without-criteria", `${id} has no acceptance criteria`);
  }
  return findings;
}

function textAfter(text: string, id: string): string {
  return text.slice(text.indexOf(id) + id.length).replace(/\b(?:US|AC|N?FR)-[\d.]+/g, "");
}
