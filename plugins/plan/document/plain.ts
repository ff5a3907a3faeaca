import type { Document } from "./model.ts";

/** An id such as WORK-001 or a version such as v1.0.0, but no part of a longer one. */
const NAME = /(?<![\w-])(?:[A-Za-z]+-\d+(?!\w|[-.]\d)|v?\d+(?:\.\d+)+(?![\w-]|\.\d))/g;

/** Returns the distinct ids and versions after the opening tag. */
export function namesIn({ text, entity }: Document): string[] {
  const found = new Set(text.slice(entity?.tag.end).match(NAME));
  // A copy: substrings keep the whole text in memory.
  return JSON.parse(JSON.stringify([...found]));
}

/** Removes tags, line by line; a reference becomes its id. */
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
