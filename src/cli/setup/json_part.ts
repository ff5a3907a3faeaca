/** The server's entry in a client's JSON file, which may have comments and trailing commas. */

import { isDeepStrictEqual } from "node:util";
import {
  applyEdits,
  createScanner,
  type Edit,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
  stripComments,
} from "jsonc-parser";
import { RefraktError } from "../../errors.ts";
import { type Part, serverFound } from "./part.ts";

/** @param path The keys from the outside in; the server's name comes last. */
export function jsonPart(file: string, path: readonly string[], ours: unknown): Part {
  const entryIn = (text: string) => nodeAt(parseObject(text, file, path), path);
  return {
    file,
    find: (text) => {
      const node = text.trim() === "" ? undefined : entryIn(text);
      if (node === undefined) return undefined;
      const value: unknown = getNodeValue(node);
      return serverFound(path.at(-1)!, value, textOf(text, node));
    },
    set: (text, as) => {
      const value = as === undefined ? ours : as.value;
      const before = text.trim() === "" ? "{}\n" : text;
      const root = parseObject(before, file, path);
      const there = nodeAt(root, path);
      if (there !== undefined && isSame(getNodeValue(there), value)) return text;
      const edits = there !== undefined && as !== undefined
        ? [{ offset: there.offset, length: there.length, content: as.raw }]
        : setting(before, root, path, value);
      const after = applyEdits(before, edits);
      const written = entryIn(after);
      if (written !== undefined && isSame(getNodeValue(written), value)) return after;
      throw new RefraktError("VALIDATION_ERROR", `Cannot edit ${file}`, {
        hint: "Nothing was written. Print the entry with config and add it by hand.",
      });
    },
    remove: (text) => {
      const after = removed(text, parseObject(text, file, path), path);
      if (after !== null) parseObject(after, file, path);
      return after;
    },
  };
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Compares values of JSON; the parser's objects have no prototype. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other));
}

/** The edits that set a value: where `modify` of the parser puts it, laid out as its surroundings. */
function setting(text: string, root: Node, path: readonly string[], value: unknown): Edit[] {
  const [edit] = modify(text, [...path], value, {});
  const there = nodeAt(root, path);
  const object = there?.parent?.parent ?? deepest(root, path);
  const { children = [] } = object;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = indentAt(text, root.children?.[0]?.offset ?? 0).slice(0, 10) || "  ";
  // In an object on one line, everything stays on it.
  const isOneLine = children.length > 0 && !textOf(text, object).includes("\n");
  if (there !== undefined) {
    const lines = JSON.stringify(value, null, unit).split("\n");
    const indent = indentAt(text, there.parent!.offset);
    return isOneLine ? [edit!] : [{ ...edit!, content: lines.join(eol + indent) }];
  }
  if (isOneLine) return [{ ...edit!, content: edit!.content.replace(",", ", ") }];
  const outside = indentAt(text, object.offset);
  const last = children.at(-1);
  const indent = last === undefined ? outside + unit : indentAt(text, last.offset);
  const added: unknown = JSON.parse(`{${edit!.content.replace(/^,/, "")}}`);
  const property = JSON.stringify(added, null, unit).split("\n").slice(1, -1)
    .map((line) => eol + indent + line.slice(unit.length)).join("");
  if (last === undefined) {
    // After comments in an empty object.
    const inside = text.slice(object.offset + 1, object.offset + object.length - 1);
    const kept = inside.trimEnd().length;
    const offset = object.offset + 1 + kept;
    return [{ offset, length: inside.length - kept, content: property + eol + outside }];
  }
  // Comments beside the last property stay there.
  const { comma, lineEnd } = behind(text, last);
  return comma === undefined
    ? [{ ...edit!, content: "," }, { offset: lineEnd, length: 0, content: property }]
    : [{ offset: lineEnd, length: 0, content: `${property},` }];
}

/** Removes a property, and objects that become empty; `null` if nothing else remains. */
function removed(text: string, root: Node, path: readonly string[]): string | null {
  const property = nodeAt(root, path)?.parent;
  if (property === undefined) return text;
  const object = property.parent!;
  const siblings = object.children!;
  const end = property.offset + property.length;
  if (siblings.length === 1 && path.length > 1 && !hasComments(textOf(text, object))) {
    return removed(text, root, path.slice(0, -1));
  }
  if (siblings.length === 1 && path.length === 1 && !hasComments(text)) return null;
  const previous = siblings[siblings.indexOf(property) - 1];
  const gap = text.slice(previous ? endOf(previous) : object.offset + 1, property.offset);
  // A comment before the property needs its line break, unless another one follows.
  const keepsBreak = hasComments(gap) && !/^\s*,?[ \t]*(?:\r?\n|$)/.test(text.slice(end));
  const start = keepsBreak ? property.offset : text.slice(0, property.offset).trimEnd().length;
  const comma = behind(text, property).comma ?? (previous && behind(text, previous).comma);
  const edits: Edit[] = [{ offset: start, length: end - start, content: "" }];
  // A comma directly before or after the property belongs to the same piece of text.
  if (comma !== undefined) {
    if (comma === start - 1) edits[0] = { offset: comma, length: end - comma, content: "" };
    else edits.push({ offset: comma, length: 1, content: "" });
  }
  return applyEdits(text, edits);
}

/** The comma after a property, and the end of what stands beside it on its line. */
function behind(text: string, property: Node): { comma?: number; lineEnd: number } {
  const scanner = createScanner(text);
  let lineEnd = endOf(property);
  scanner.setPosition(lineEnd);
  let comma: number | undefined;
  let isBeside = true;
  for (;;) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const end = offset + scanner.getTokenLength();
    const first = text[offset] ?? "";
    if (first === "," && comma === undefined) {
      comma = offset;
      lineEnd = end;
      isBeside = true;
    } else if (first === "/") {
      if (isBeside) lineEnd = end;
    } else if (/[\r\n]/.test(first)) {
      isBeside = false;
    } else if (!/[ \t]/.test(first)) {
      return comma === undefined ? { lineEnd } : { comma, lineEnd };
    }
  }
}

/** Whether a text has comments outside of its strings. */
function hasComments(text: string): boolean {
  return stripComments(text) !== text;
}

/**
 * Parses a file. Every key of the path may stand there once: readers of JSON take the last of
 * several, so an entry before it would not be in force.
 */
function parseObject(text: string, file: string, path: readonly string[]): Node {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    // Nested more deeply than the stack.
  }
  if (errors.length > 0 || root?.type !== "object") {
    throw unusable(`${file} is not a JSON object`, text, errors[0]?.offset ?? 0);
  }
  for (let depth = 0; depth < path.length; depth++) {
    const object = nodeAt(root, path.slice(0, depth));
    if (object === undefined) break;
    const key = path[depth]!;
    const keys = path.slice(0, depth + 1).join(".");
    if (object.type !== "object") {
      const name = path.slice(0, depth).join(".");
      throw unusable(`"${name}" in ${file} is not an object`, text, object.offset);
    }
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

function nodeAt(root: Node, path: readonly string[]): Node | undefined {
  return findNodeAtLocation(root, [...path]);
}

/** The innermost object of the path that exists. */
function deepest(root: Node, path: readonly string[]): Node {
  return nodeAt(root, path) ?? deepest(root, path.slice(0, -1));
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function textOf(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length);
}

/** The indentation of the line at an offset. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))![0];
}
