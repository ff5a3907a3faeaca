/** The edits of `setup` in a part of a file: a key of a JSON file, a section of a text. */

import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../io/json.ts";

/** A text of `null` represents a missing file. */
export type FileText = string | null;

/** The text after an edit, or why only a person can make it. */
export type Edit = { readonly text: FileText } | { readonly problem: string };

export type Json = Readonly<Record<string, unknown>>;

const [START, END] = ["<!-- refrakt-mcp: begin -->", "<!-- refrakt-mcp: end -->"];

/**
 * Changes the object at a key of a file of plain JSON; a file that becomes empty is deleted.
 *
 * @param base What the client requires of the file besides.
 */
export function editKey(
  text: FileText,
  key: string,
  change: (group: Json) => Json | undefined,
  base: Json = {},
): Edit {
  const isEmpty = ["", "{}"].includes(text?.trim() ?? "");
  const root = isEmpty ? base : parsePlain(text!);
  if (root === undefined) {
    return {
      problem: "is not plain JSON: setup edits no file with comments, trailing commas, a key " +
        "twice, or numbers and strings that JSON prints otherwise",
    };
  }
  const { [key]: before = {}, ...others } = root;
  const after = isObject(before) ? change(before) : undefined;
  if (after === undefined) return { problem: `has something else at ${key}` };
  if (isDeepStrictEqual(before, after)) return { text };
  const next = Object.keys(after).length === 0 ? others : { ...root, [key]: after };
  return { text: isDeepStrictEqual(next, base) ? null : printLike(text ?? "", next) };
}

/** Writes our section of a Markdown file anew or at its end; without a section, takes ours out. */
export function editSection(text: FileText, section: string | undefined): Edit {
  const old = text ?? "";
  const [from, to] = [old.indexOf(START), old.indexOf(END)];
  const isOnce = from === old.lastIndexOf(START) && to === old.lastIndexOf(END);
  if (!isOnce || from < 0 !== to < 0 || to < from) {
    return { problem: `needs ${START} and ${END} once each, in this order, or neither` };
  }
  const eol = old.includes("\r\n") ? "\r\n" : "\n";
  const written = `${START}\n${section}\n${END}`.replaceAll("\n", () => eol);
  const head = from < 0 ? old : old.slice(0, from);
  const tail = from < 0 ? "" : old.slice(to + END.length);
  if (section === undefined) {
    if (from < 0) return { text };
    const kept = head.replace(/(\r?\n)\r?\n$/, (_, end) => tail === "" ? "" : end);
    const rest = kept + tail.replace(/^\r?\n/, "");
    return { text: rest.trim() === "" ? null : rest };
  }
  if (from >= 0) return { text: head + written + tail };
  if (old.trim() === "") return { text: written + eol };
  return { text: old.endsWith("\n") ? old + eol + written + eol : old + eol + eol + written };
}

/** Parses JSON of which printing changes nothing but white space. */
function parsePlain(text: string): Json | undefined {
  try {
    const root = JSON.parse(text);
    const pack = (json: string) => json.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, "$1");
    return isObject(root) && pack(JSON.stringify(root, null, 1)) === pack(text) ? root : undefined;
  } catch {
    // Also too deeply nested.
    return undefined;
  }
}

/** Prints JSON with the indentation, line ends and end of a text. */
function printLike(text: string, root: Json): string {
  const indent = /^(?:\t+| +)(?=")/m.exec(text)?.[0] ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const end = text.trim() === "" ? eol : /\s*$/.exec(text)![0];
  return JSON.stringify(root, null, indent).replaceAll("\n", () => eol) + end;
}
