/** The numbered statements of `requirements.md`. */

import { markdownLines } from "../markdown.ts";
import { errorAt, type Found } from "./finding.ts";

export interface Statement {
  /** `US-1`, `AC-1.1`, `FR-1` or `NFR-1`. */
  readonly id: string;
  /** The line, from 1. */
  readonly line: number;
  /** The whole line. */
  readonly text: string;
}

const DEFINITION =
  /^\s*(?:\||[-*+]\s+(?:\[[ xX]\]\s*)?|#{1,6}\s+|\d+\.\s+)?\s*\**((?:US|FR|NFR)-\d+|AC-\d+(?:\.\d+)*)\b/;

/** The statements of a text: lines, table rows and headings that begin with an id. */
export function statementsOf(text: string): Statement[] {
  const { lines, isProse } = markdownLines(text);
  return lines.flatMap((line, index) => {
    const id = isProse[index] ? DEFINITION.exec(line)?.[1] : undefined;
    return id === undefined ? [] : [{ id, line: index + 1, text: line }];
  });
}

export function lintRequirements(statements: readonly Statement[]): Found[] {
  return [...Map.groupBy(statements, ({ id }) => id)].flatMap(([id, [first, ...others]]) =>
    others.map(({ line }) =>
      errorAt(line, "duplicate-id", `${id} is defined twice, first in line ${first!.line}`)
    )
  );
}
