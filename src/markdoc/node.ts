/** The nodes of Markdoc's syntax tree. */

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
