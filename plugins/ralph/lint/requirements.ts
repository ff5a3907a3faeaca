/** The numbered statements of `requirements.md`. */

import { markdownLines } from "../markdown.ts";
import { errorAt, type Found, warningAt } from "./finding.ts";

export interface Statement {
  /** `US-1`, `AC-1.1`, `FR-1` or `NFR-1`. */
  readonly id: string;
  /** The line, from 1. */
  readonly line: number;
  readonly text: string;
}

const DEFINITION =
  /^\s*(?:\||[-*+]\s+(?:\[[ xX]\]\s*)?|#{1,6}\s+|\d+\.\s+)?\s*\**((?:US|FR|NFR)-\d+|AC-\d+(?:\.\d+)*)\b/;
const VAGUE =
  /\b(?:fast|quick(?:ly)?|easy|easily|simple|robust|user-friendly|intuitive|efficient(?:ly)?|seamless(?:ly)?|appropriate(?:ly)?|as needed|etc)\b/i;

/** The statements of a text: lines, table rows and headings that begin with an id. */
export function statementsOf(text: string): Statement[] {
  const { lines, kinds } = markdownLines(text);
  return lines.flatMap((line, index) => {
    const id = kinds[index] === "prose" ? DEFINITION.exec(line)?.[1] : undefined;
    return id === undefined ? [] : [{ id, line: index + 1, text: line }];
  });
}

export function lintRequirements(statements: readonly Statement[]): Found[] {
  const findings: Found[] = [];
  const warn = (line: number, rule: string, message: string) =>
    findings.push(warningAt(line, rule, message));
  const first = new Map<string, number>();
  for (const { id, line, text } of statements) {
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, line);
    else {
      const message = `${id} is defined twice, first in line ${earlier}`;
      findings.push(errorAt(line, "duplicate-id", message));
    }
    const wording = text.slice(text.indexOf(id) + id.length)
      .replace(/\b(?:US|AC|N?FR)-[\d.]+/g, "");
    const vague = VAGUE.exec(wording)?.[0];
    if (vague !== undefined && !id.startsWith("US-") && !/\d/.test(wording)) {
      warn(line, "vague-wording", `${id} says "${vague}" without a number or an example`);
    }
  }
  const withCriteria = new Set<string>();
  for (const { id, line } of statements) {
    const story = /^AC-(\d+)/.exec(id)?.[1];
    if (story === undefined) continue;
    withCriteria.add(`US-${story}`);
    if (!first.has(`US-${story}`)) {
      warn(line, "orphan-criterion", `${id} belongs to US-${story}, which is not defined`);
    }
  }
  for (const [id, line] of first) {
    if (id.startsWith("US-") && !withCriteria.has(id)) {
      warn(line, "story-without-criteria", `${id} has no acceptance criteria`);
    }
  }
  return findings;
}
