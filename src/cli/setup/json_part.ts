/**
 * The server's entry, and the session hook, in a client's JSON file, which may have comments and
 * trailing commas.
 */

import { isDeepStrictEqual } from "node:util";
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  stripComments,
} from "jsonc-parser";
import { orElse, RefraktError } from "../../errors.ts";
import { type Part, serverFound } from "./part.ts";

/** @param path The keys from the outside in; the server's name comes last. */
export function jsonPart(file: string, path: Readonly<JSONPath>, ours: unknown): Part {
  const parsed = (text: string) => parseObject(text.trim() === "" ? "{}" : text, file, path);
  return {
    file,
    find: (text) => {
      const node = nodeAt(parsed(text), path);
      return node && serverFound(String(path.at(-1)), getNodeValue(node), textOf(text, node));
    },
    set: (text, as) => {
      const value = as === undefined ? ours : as.value;
      const before = text.trim() === "" ? "{}\n" : text;
      const there = nodeAt(parsed(before), path);
      if (there !== undefined && isSame(getNodeValue(there), value)) return text;
      const after = there !== undefined && as !== undefined
        ? applyEdits(before, [{ ...there, content: as.raw }])
        : modified(before, path, value);
      const written = nodeAt(parsed(after), path);
      if (written !== undefined && isSame(getNodeValue(written), value)) return after;
      throw new RefraktError("VALIDATION_ERROR", `Cannot edit ${file}`, {
        hint: "Nothing was written. Print the entry with config and add it by hand.",
      });
    },
    remove: (text) => {
      const root = parsed(text);
      if (nodeAt(root, path) === undefined) return text;
      // With the objects that would become empty.
      const isAlone = (depth: number) => {
        const object = nodeAt(root, path.slice(0, depth))!;
        return object.children!.length === 1 && !hasComments(textOf(text, object));
      };
      let depth = path.length;
      while (depth > 1 && isAlone(depth - 1)) depth--;
      if (depth === 1 && isAlone(0) && !hasComments(text)) return null;
      const after = modified(text, path.slice(0, depth), undefined);
      parsed(after);
      return after;
    },
  };
}

/** What Cursor, which names the event otherwise, requires of a file besides hooks. */
const VERSION = { version: 1 };

/**
 * Our command among those that run when a session starts.
 *
 * @param event What the file calls that; `SessionStart` unless it is Cursor's.
 */
export function hookPart(file: string, ours: unknown, event?: string): Part {
  const path = ["hooks", event ?? "SessionStart"];
  const begun = (text: string) =>
    text.trim() === "" && event !== undefined ? `${JSON.stringify(VERSION, null, 2)}\n` : text;
  const isEmpty = (text: string | null) =>
    text === null ||
    event !== undefined && isSame(getNodeValue(parseObject(text, file, [])), VERSION);
  const isOurs = (node: Node) =>
    /jsr:@refrakt\/mcp[^"]* prime\b/.test(JSON.stringify(getNodeValue(node)));
  const partIn = (text: string): Part => {
    const hooks = nodeAt(parseObject(text.trim() === "" ? "{}" : text, file, []), path);
    const all = hooks?.type === "array" ? hooks.children! : [];
    const at = all.findIndex(isOurs);
    return jsonPart(file, [...path, at === -1 ? all.length : at], ours);
  };
  return {
    file,
    find: (text) => {
      const found = partIn(text).find(text);
      return found && { ...found, isOurs: true, label: "our session hook" };
    },
    set: (text, as) => partIn(text).set(begun(text), as),
    remove: (text) => {
      const after = partIn(text).remove(text);
      return isEmpty(after) ? null : after;
    },
  };
}

/** Sets or removes a value, in the file's indentation and with its line ends. */
function modified(text: string, path: Readonly<JSONPath>, value: unknown): string {
  const indent = /^(?:\t+| +)(?=["/])/m.exec(text)?.[0] ?? "  ";
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: Math.min(indent.length, 8),
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }));
}

/** Compares values of JSON; the parser's objects have no prototype. */
function isSame(one: unknown, other: unknown): boolean {
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  return isDeepStrictEqual(plain(one), plain(other));
}

/** Whether a text has comments outside of its strings. */
function hasComments(text: string): boolean {
  return stripComments(text) !== text;
}

/**
 * Parses a file. Every key of the path may stand there once: readers of JSON take the last of
 * several, so an entry before it would not be in force.
 */
function parseObject(text: string, file: string, path: Readonly<JSONPath>): Node {
  const errors: ParseError[] = [];
  // It throws where the text is nested more deeply than the stack.
  const root = orElse(() => parseTree(text, errors, { allowTrailingComma: true }), undefined);
  if (errors.length > 0 || root?.type !== "object") {
    throw unusable(`${file} is not a JSON object`, text, errors[0]?.offset ?? 0);
  }
  for (let depth = 0; depth < path.length; depth++) {
    const object = nodeAt(root, path.slice(0, depth));
    if (object === undefined) break;
    const key = path[depth]!;
    const keys = path.slice(0, depth + 1).join(".");
    const type = typeof key === "number" ? "array" : "object";
    if (object.type !== type) {
      const name = path.slice(0, depth).join(".");
      throw unusable(`"${name}" in ${file} is not an ${type}`, text, object.offset);
    }
    if (type === "array") continue;
    const twice = object.children!.filter(({ children }) => children?.[0]?.value === key)[1];
    if (twice !== undefined) throw unusable(`${file} has "${keys}" twice`, text, twice.offset);
  }
  return root;
}

function unusable(message: string, text: string, offset: number): RefraktError {
  const line = text.slice(0, offset).split("\n").length;
  return new RefraktError("VALIDATION_ERROR", `${message} (line ${line})`, {
    hint: "Nothing was written. Fix the file and run setup again.",
  });
}

function nodeAt(root: Node, path: Readonly<JSONPath>): Node | undefined {
  return findNodeAtLocation(root, [...path]);
}

function textOf(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length);
}
