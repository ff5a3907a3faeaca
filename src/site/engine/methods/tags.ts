/** Serialized trees that are changed before they become HTML. */

import { isObject } from "../../../io/json.ts";

export interface MutableTag {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  readonly children: unknown;
}

export function isTag(node: unknown): node is MutableTag {
  return isObject(node) && typeof node["name"] === "string" && isObject(node["attributes"]);
}

/** Copies a tree, whose nodes may be cached. */
export function copyTree(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(copyTree);
  if (!isTag(node)) return node;
  return { ...node, attributes: { ...node.attributes }, children: copyTree(node.children) };
}

export function visitTags(node: unknown, visit: (tag: MutableTag) => void): void {
  if (Array.isArray(node)) { for (const child of node) visitTags(child, visit); }
  else if (isTag(node)) {
    visit(node);
    visitTags(node.children, visit);
  }
}
