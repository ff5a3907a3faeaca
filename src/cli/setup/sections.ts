/**
 * Sets or removes the server's part of a shared file and preserves the rest. A text of `null`
 * represents a missing file.
 */

import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
} from "jsonc-parser";
import { RefraktError } from "../../errors.ts";

export type FileText = string | null;

/**
 * Sets a value in JSON with comments, or removes it if it is `undefined`, together with objects
 * and a file that become empty.
 *
 * @param path The keys from the outside in.
 * @param file The name of the file, for errors.
 * @throws {RefraktError} `VALIDATION_ERROR` if the file is not a JSON object.
 */
export function setJson(
  text: FileText,
  path: readonly string[],
  value: unknown,
  file: string,
): FileText {
  const before = text === null || text.trim() === "" ? "{}\n" : text;
  const root = parseObject(before, file);
  if (value !== undefined) return insertJson(before, root, path, value);
  const outer = path.slice(0, -1);
  const siblings = findNodeAtLocation(root, [...path])?.parent?.parent;
  if (siblings === undefined) return text;
  if (siblings.children!.length > 1) return removeProperty(before, siblings, path.at(-1)!);
  return outer.length === 0 ? null : setJson(text, outer, undefined, file);
}

/** Sets a value and preserves the format of the rest. */
function insertJson(text: string, root: Node, path: readonly string[], value: unknown): string {
  const [key = "", ...rest] = path;
  const property = propertyOf(root, key);
  const inner = property?.children?.[1];
  if (inner?.type === "object" && rest.length > 0) return insertJson(text, inner, rest, value);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  const nested = rest.reduceRight<unknown>((wrapped, name) => ({ [name]: wrapped }), value);
  const outside = indentAt(text, root.offset);
  const indent = outside + unit;
  const lines = JSON.stringify(nested, null, unit).replaceAll("\n", () => eol + indent);
  if (property !== undefined && inner !== undefined) {
    const old: unknown = getNodeValue(inner);
    if (JSON.stringify(old) === JSON.stringify(nested)) return text;
    return splice(text, inner.offset, inner.length, lines);
  }
  const written = `${eol}${indent}${JSON.stringify(key)}: ${lines}`;
  const last = root.children?.at(-1);
  if (last !== undefined) {
    const end = last.offset + last.length;
    // Keep a comment after the last property in its place.
    const line = text.indexOf(eol, end);
    const at = line < 0 || line > root.offset + root.length ? end : line;
    const comma = COMMA.exec(text.slice(end));
    if (comma === null) return splice(splice(text, at, 0, written), end, 0, ",");
    return splice(text, Math.max(at, end + comma[0].length), 0, `${written},`);
  }
  const hasComment = text.slice(root.offset + 1, root.offset + root.length - 1).trim() !== "";
  return hasComment
    ? splice(text, root.offset + 1, 0, written)
    : splice(text, root.offset, root.length, `{${written}${eol}${outside}}`);
}

/** White space and comments up to a comma. */
const COMMA = /^(?:\s|\/\/.*|\/\*[^]*?\*\/)*,/;

/** Removes a property with its line and one comma, from an object with other properties. */
function removeProperty(text: string, object: Node, key: string): string {
  const at = object.children!.findIndex((property) => property.children?.[0]?.value === key);
  const { offset, length } = object.children![at]!;
  const start = text.slice(0, offset).trimEnd().length;
  const comma = /^\s*,/.exec(text.slice(offset + length));
  const rest = splice(text, start, offset + length + (comma?.[0].length ?? 0) - start, "");
  const previous = object.children![at - 1];
  if (comma !== null || previous === undefined) return rest;
  const end = previous.offset + previous.length;
  const before = COMMA.exec(rest.slice(end));
  return before === null ? rest : splice(rest, end + before[0].length - 1, 1, "");
}

/** The indentation of the line at an offset. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1);
  return /^[ \t]*/.exec(line)![0];
}

function splice(text: string, offset: number, length: number, content: string): string {
  return text.slice(0, offset) + content + text.slice(offset + length);
}

/** Sets a TOML table, or removes it with its subtables if it is `undefined`. */
export function setTomlTable(
  text: FileText,
  path: readonly string[],
  table: string | undefined,
): FileText {
  const name = path.join(".");
  const eol = text?.includes("\r\n") === true ? "\r\n" : "\n";
  // A table ends where the next one begins; list items are indented.
  const parts = (text ?? "").split(/^(?=\[)/m);
  const isTable = (part: string) => part.startsWith(`[${name}]`);
  const isOurs = (part: string) => isTable(part) || part.startsWith(`[${name}.`);
  if (table === undefined) {
    if (!parts.some(isOurs)) return text;
    const rest = parts.filter((part) => !isOurs(part)).join("");
    const kept = isOurs(parts.at(-1)!) ? withoutAppended(rest, text!.endsWith("\n")) : rest;
    return kept.trim() === "" ? null : kept;
  }
  const wanted = `${table.replaceAll("\n", () => eol)}${eol}`;
  const at = parts.findIndex(isTable);
  if (at >= 0) {
    if (parts[at]!.trim() === wanted.trim()) return text;
    return parts.with(at, at === parts.length - 1 ? wanted : `${wanted}${eol}`).join("");
  }
  return append(text, wanted, eol);
}

const [START, END] = ["<!-- refrakt-mcp: begin -->", "<!-- refrakt-mcp: end -->"];

/** Sets the marked section of a Markdown file, or removes it if it is `undefined`. */
export function setMarkedSection(
  text: FileText,
  section: string | undefined,
  file: string,
): FileText {
  const from = text?.indexOf(START) ?? -1;
  const to = text?.indexOf(END) ?? -1;
  if ((from < 0) !== (to < 0) || to < from) {
    throw new RefraktError("VALIDATION_ERROR", `${file} contains only one marker of the section`, {
      hint: `The section starts with ${START} and ends with ${END}. Delete the remaining marker.`,
    });
  }
  const eol = text?.includes("\r\n") === true ? "\r\n" : "\n";
  const block = section === undefined
    ? undefined
    : `${START}\n${section.trim()}\n${END}`.replaceAll("\n", () => eol);
  if (text === null || from < 0) return block === undefined ? text : append(text, block + eol, eol);
  const head = text.slice(0, from);
  const tail = text.slice(to + END.length);
  if (block !== undefined) return head + block + tail;
  const rest = withoutAppended(head, tail !== "") + tail.replace(/^\r?\n/, "");
  return rest.trim() === "" ? null : rest;
}

/** Appends a paragraph. A file without a final newline stays so, which {@linkcode withoutAppended} needs. */
function append(text: FileText, added: string, eol: string): string {
  if (text === null || text.trim() === "") return added;
  return text.endsWith("\n") ? text + eol + added : text + eol + eol + added.trimEnd();
}

/** Removes the line breaks that `append` put before its text. */
function withoutAppended(before: string, hasFinalNewline: boolean): string {
  return before.replace(/(\r?\n)\r?\n$/, (_all, end) => hasFinalNewline ? end : "");
}

function parseObject(text: string, file: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (errors.length === 0 && root?.type === "object") return root;
  const line = text.slice(0, errors[0]?.offset ?? 0).split("\n").length;
  throw new RefraktError("VALIDATION_ERROR", `${file} is not a JSON object (line ${line})`, {
    hint: "Nothing was written. Fix or delete the file and run setup again.",
  });
}

function propertyOf(object: Node, key: string): Node | undefined {
  return object.children?.find((property) => property.children?.[0]?.value === key);
}
