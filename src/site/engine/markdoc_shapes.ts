/**
 * What the site pipeline uses of Markdoc.
 *
 * @module
 */

/** A node of Markdoc's syntax tree. */
export interface MarkdocNode {
  type: string;
  tag?: string;
  attributes: Record<string, unknown>;
  children: MarkdocNode[];
  lines: number[];
  readonly errors?: readonly ValidationError[];
  readonly slots?: Readonly<Record<string, MarkdocNode>>;
  walk(): Iterable<MarkdocNode>;
}

/** What Markdoc's validator finds in a node. */
export interface ValidationError {
  readonly id: string;
  readonly message: string;
}

/** Markdoc, as far as it is used here. */
export interface Markdoc {
  readonly nodes: Readonly<Record<string, unknown>>;
  readonly tags: Readonly<Record<string, unknown>>;
  readonly functions: Readonly<Record<string, unknown>>;
  readonly Ast: { readonly Node: new (type: string, attributes?: object) => MarkdocNode };
  parse(source: string): MarkdocNode;
  format(ast: MarkdocNode): string;
  transform(ast: MarkdocNode, config: Record<string, unknown>): unknown;
  validator(node: MarkdocNode, config: Record<string, unknown>): readonly ValidationError[];
}
