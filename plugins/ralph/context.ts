/**
 * The documents that the model reads, as fenced data: they contain text from the web and from
 * other people. Documents that do not fit are shortened to the lines that later phases need.
 */

import { markdownLines } from "./markdown.ts";
import { brief } from "./failures.ts";
import { statementsOf } from "./lint.ts";
import { parseTasks } from "./tasks.ts";

export interface Material {
  /** Its path in the project. */
  readonly path: string;
  readonly text: string;
  /** The lines that later phases need. */
  readonly keyLines: readonly string[];
}

/** Returns the lines of each document that later phases need. */
export const KEY_LINES: Readonly<Record<string, (text: string) => string[]>> = {
  "research.md": (text) => sectionsOf(text, /quality commands/i),
  "requirements.md": (text) => statementsOf(text).map((statement) => statement.text),
  "design.md": (text) => sectionsOf(text, /decisions/i),
  "tasks.md": (text) => parseTasks(text).tasks.map((task) => task.block.split("\n")[0]!),
  ".progress.md": (text) => sectionsOf(text, /learnings|blockers/i),
};

/** Puts a text between two lines that it cannot forge. */
export function fenced(label: string, text: string): string {
  let mark: string;
  do mark = crypto.randomUUID().replaceAll("-", "").slice(0, 12); while (text.includes(mark));
  return `----- DATA ${mark}: ${label} -----\n${text}\n----- END ${mark} -----`;
}

/**
 * Renders documents in `room` characters: whole if they fit, the last one first; else key lines.
 */
export function renderMaterials(materials: readonly Material[], room: number): string {
  const share = Math.floor(room / materials.length);
  const shown = materials.map((material) => excerpt(material, share));
  const total = () => shown.reduce((sum, text) => sum + text.length + 2, 0);
  for (const [at, { path, text }] of [...materials.entries()].reverse()) {
    const whole = fenced(path, text);
    if (total() - shown[at]!.length + whole.length <= room) shown[at] = whole;
  }
  return shown.join("\n\n");
}

/** The key lines of a document, in at most `room` characters. */
function excerpt({ path, text, keyLines }: Material, room: number): string {
  const lines = keyLines.map((line) => brief(line, 200));
  const kept: string[] = [];
  let left = room - 400;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  const more = lines.length - kept.length;
  if (more > 0) kept.push(`… and ${more} more key lines in ${path}`);
  const label = `${path}, ${text.length} characters: the key lines; open the file for the rest`;
  return fenced(label, kept.join("\n"));
}

/** The sections with a matching heading, headings included. */
function sectionsOf(text: string, heading: RegExp): string[] {
  const { lines, isProse } = markdownLines(text);
  const found: string[] = [];
  let inside = 0;
  for (const [at, line] of lines.entries()) {
    const level = isProse[at] ? /^(#{1,6}) /.exec(line)?.[1]?.length ?? 0 : 0;
    if (level > 0 && (inside === 0 || level <= inside)) inside = heading.test(line) ? level : 0;
    if (inside > 0 && line.trim() !== "") found.push(line);
  }
  return found;
}
