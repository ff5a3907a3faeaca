/**
 * Changes to the text of a module, by its syntax tree.
 *
 * @module
 */

/** A node of the syntax tree, as far as it is looked at. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** A piece of text that takes the place of another, or stands before it. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Whether a value is a node. */
export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

/** The name that a node is; empty for others. */
export function nameOf(node: unknown): string {
  const { type, name } = (node ?? {}) as { type?: string; name?: string };
  return type === "Identifier" ? name! : "";
}

/** The nodes that a node is made of, in the order in which they stand. */
export function partsOf(node: Node, without: readonly string[] = []): Node[] {
  return Object.entries(node)
    .flatMap(([key, value]) => without.includes(key) ? [] : value as Node | Node[])
    .filter(isNode);
}

/** The text with its edits; those at the same place stay in the order in which they were made. */
export function applied(
  code: string,
  edits: readonly Edit[],
  from = 0,
  to: number = code.length,
): string {
  let text = "";
  let at = from;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) throw new Error(`Two changes of: ${code.slice(edit.start, edit.end)}`);
    text += code.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + code.slice(at, to);
}
