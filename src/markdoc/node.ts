/** The nodes of Markdoc's syntax tree. */

import { fieldOf } from "../io/json.ts";

export interface MarkdocNode {
  type: string;
  tag?: string;
  attributes: Record<string, unknown>;
  children: MarkdocNode[];
  lines: number[];
  readonly errors?: readonly ValidationError[];
  readonly slots?: Readonly<Record<string, MarkdocNode>>;
  walk(): Iterable<MarkdocNode>;
  resolve(config: object): MarkdocNode;
}

export interface ValidationError {
  readonly id: string;
  readonly message: string;
}

/** Replaces Markdoc's objects for variables and functions in JSON by their source text. */
export function asWritten(_name: string, value: unknown): unknown {
  const kind = fieldOf(value, "$$mdtype");
  if (kind === "Variable") {
    const path = fieldOf(value, "path");
    return `$${Array.isArray(path) ? path.map(String).join(".") : ""}`;
  }
  return kind === "Function" ? `${String(fieldOf(value, "name"))}()` : value;
}
