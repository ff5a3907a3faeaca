/**
 * Finds out what the program takes of an imported object, so that the rest of it need not
 * be bundled: of Zod, that is all languages but one.
 *
 * @module
 */

import { parseAst } from "build/parse";
import { isNode, nameOf, type Node, partsOf } from "./syntax.ts";

/**
 * The members of an import that a module uses.
 *
 * @param code The module.
 * @param file The end of the specifier that it imports from.
 * @param name The name of the import.
 * @throws {Error} Where the object is used as a whole.
 */
export function membersOf(code: string, file: string, name: string): string[] {
  const body = (parseAst(code) as unknown as { body: Node[] }).body;
  const local = body.filter((node) => node.type === "ImportDeclaration")
    .filter((node) => String((node["source"] as Node)["value"]).endsWith(file))
    .flatMap((node) => node["specifiers"] as Node[])
    .find((each) => nameOf(each["imported"]) === name);
  if (local === undefined) return [];
  const others = body.filter((node) => node.type !== "ImportDeclaration");
  return [...new Set(others.flatMap((node) => found(node, nameOf(local["local"]))))].sort();
}

function found(node: Node, object: string): string[] {
  if (node.type === "Identifier" && nameOf(node) === object) {
    throw new Error(`"${object}" is used as a whole`);
  }
  if (node.type === "MemberExpression" && nameOf(node["object"]) === object) {
    if (node["computed"] === true) throw new Error(`A member of "${object}" is computed`);
    return [nameOf(node["property"])];
  }
  const isKey = (key: Node) => node["computed"] !== true && key.type === "Identifier";
  const keys = [node["key"], node["property"]].filter(isNode).filter(isKey);
  return partsOf(node).filter((part) => !keys.includes(part) || node["shorthand"] === true)
    .flatMap((part) => found(part, object));
}
