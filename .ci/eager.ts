/**
 * Lets the runtime compile the functions that a start runs together with their modules. It
 * keeps what it has compiled of a module before the module runs, and of the functions in it
 * only those that stand in parentheses; each of the others is compiled again by every start
 * that calls it. So the thousand that a start calls are put into parentheses.
 *
 * Which ones these are stands in `start_functions.json`, as checksums of their texts: a
 * function that has changed since then is compiled later, as without this. `deno task
 * profile` writes the file anew.
 *
 * @module
 */

import { parseAst } from "build/parse";
import { applied, type Edit, isNode, nameOf, type Node, partsOf } from "./syntax.ts";

/** The checksum of a function's text. */
export function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

/**
 * Puts functions of a module into parentheses. A declaration becomes a variable, before
 * everything else in the module: it can be called from the same places as before.
 *
 * @param wanted The checksums of the functions.
 */
export function compiledAtOnce(code: string, wanted: ReadonlySet<string>): string {
  const body = (parseAst(code) as unknown as { body: Node[] }).body;
  const isWanted = ({ start, end }: Node) => wanted.has(checksum(code.slice(start, end)));
  const edits = [...expressions(body, isWanted)];
  const at = body.filter((node) => node.type === "ImportDeclaration").at(-1)?.end ?? 0;
  const moved = body.map((node, index) => ({ node, from: body[index - 1]?.end ?? 0 }))
    .filter(({ from }) => from >= at)
    .filter(({ node }) => node.type === "FunctionDeclaration" && isWanted(node));
  const declarations = moved.map(({ node, from }) => {
    const comment = code.slice(from, node.start).trim();
    const inner = edits.filter((edit) => edit.start >= node.start && edit.end <= node.end);
    const text = applied(code, inner, node.start, node.end);
    return `${comment === "" ? "" : `${comment}\n`}var ${nameOf(node["id"])} = (${text});\n`;
  });
  const isMoved = (edit: Edit) =>
    moved.some(({ node }) => edit.start >= node.start && edit.end <= node.end);
  if (edits.length === 0 && moved.length === 0) return code;
  return applied(code, [
    { start: at, end: at, text: `\n${declarations.join("")}` },
    ...edits.filter((edit) => !isMoved(edit)),
    ...moved.map(({ node, from }) => ({ start: from, end: node.end, text: "" })),
  ]);
}

/** The parentheses of function expressions; methods have none. */
function* expressions(
  nodes: readonly Node[],
  isWanted: (node: Node) => boolean,
): Generator<Edit> {
  for (const node of nodes) {
    const isMethod = node.type === "MethodDefinition" ||
      node.type === "Property" && (node["method"] === true || node["kind"] !== "init");
    for (const part of partsOf(node)) {
      const isExpression = /^(?:Arrow)?Function(?:Expression)$/.test(part.type);
      if (isExpression && !(isMethod && part === node["value"]) && isWanted(part)) {
        yield { start: part.start, end: part.start, text: "(" };
        yield* expressions([part], isWanted);
        yield { start: part.end, end: part.end, text: ")" };
      } else if (isNode(part)) yield* expressions([part], isWanted);
    }
  }
}
