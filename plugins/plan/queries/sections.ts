/**
 * The parts of an entity's Markdoc: what stands before the first section, and the
 * sections by their headings.
 *
 * @module
 */

import { markdownLines } from "../../../src/io/markdown.ts";

/** One part of an entity's text. */
export interface Section {
  /** Its heading; empty for what stands before the first one. */
  readonly heading: string;
  /** What stands below the heading, without blank lines around it. */
  readonly text: string;
}

/**
 * Takes an entity's source apart. Its title belongs to no part.
 *
 * @param source The Markdoc.
 * @param type The entity's type, whose tag encloses it.
 */
export function sectionsOf(source: string, type: string): Section[] {
  const { lines, kinds } = markdownLines(source);
  const sections: { heading: string; lines: string[] }[] = [{ heading: "", lines: [] }];
  let state: "before" | "tag" | "inside" = "before";
  let titled = false;
  for (const [at, line] of lines.entries()) {
    const prose = kinds[at] === "prose";
    if (state !== "inside") {
      if (prose && startsTag(line, type)) state = "tag";
      if (state === "tag" && line.includes("%}")) state = "inside";
      continue;
    }
    if (prose && startsTag(line, `/${type}`)) break;
    const heading = prose ? /^##\s+(\S.*)$/.exec(line)?.[1] : undefined;
    if (heading !== undefined) sections.push({ heading: heading.trim(), lines: [] });
    else if (prose && !titled && /^#\s/.test(line)) titled = true;
    else sections.at(-1)!.lines.push(line);
  }
  return sections.map(({ heading, lines }) => ({ heading, text: withoutBlankEnds(lines) }))
    .filter(({ heading, text }) => heading !== "" || text !== "");
}

/** Whether a line begins with a tag of this name. */
function startsTag(line: string, name: string): boolean {
  if (!line.startsWith("{%")) return false;
  const rest = line.slice(2).trimStart();
  return rest.startsWith(name) && !/^[\w-]/.test(rest.slice(name.length));
}

function withoutBlankEnds(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first === -1 ? "" : lines.slice(first).join("\n").trimEnd();
}

/** Whether a section holds criteria and nothing else. */
export function isOnlyCriteria(text: string): boolean {
  return text !== "" &&
    text.split("\n").every((line) => line.trim() === "" || /^\s*-\s+\[[ xX]\]\s+./.test(line));
}
