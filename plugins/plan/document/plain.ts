/**
 * The ids that a text names, and what it says beside its tags.
 *
 * @module
 */

import type { Document } from "./model.ts";

/** An id such as WORK-001, or a version such as v1.0.0: not a part of a longer one. */
const NAME = /(?<![\w-])(?:[A-Za-z]+-\d+(?!\w|[-.]\d)|v?\d+(?:\.\d+)+(?![\w-]|\.\d))/g;

/** What looks like an id or a version after the opening tag, each once. */
export function namesIn({ text, entity }: Document): string[] {
  const found = new Set(text.slice(entity?.tag.end).match(NAME));
  // A copy: parts of a string keep the whole of it in memory.
  return JSON.parse(JSON.stringify([...found]));
}

/** Whether a text names an id, in code too. */
export function isNamedIn(text: string, id: string): boolean {
  return wordOf(id).test(text);
}

/** A text that names another id in place of one: as a whole word, in tags and code too. */
export function withName(text: string, id: string, to: string): string {
  return text.replace(wordOf(id), () => to);
}

/** Underscores around an id are emphasis. */
function wordOf(id: string): RegExp {
  const word = RegExp.escape(id);
  return new RegExp(String.raw`(?<![A-Za-z0-9-]|\w_)${word}(?![A-Za-z0-9]|_\w|[-.]\d)`, "g");
}

/** A text without tags, line by line; a reference becomes its id. */
export function withoutTags(text: string): string {
  return text.split(/\r?\n/).map(plainLine).join("\n");
}

function plainLine(line: string): string {
  let plain = "";
  let at = 0;
  for (;;) {
    const start = line.indexOf("{%", at);
    const end = start === -1 ? -1 : line.indexOf("%}", start);
    if (end === -1) return plain + line.slice(at);
    const [name, value] = line.slice(start + 2, end).trim().split(/\s+/, 2);
    const id = name === "ref" || name === "xref" ? value?.replaceAll('"', "") ?? "" : "";
    plain += line.slice(at, start) + id;
    at = end + 2;
  }
}
