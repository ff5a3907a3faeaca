/**
 * The documents that the model is given to read: fenced as data, because they hold text
 * from the web and from other people, and each whole or as an outline with its path.
 *
 * @module
 */

import { markdownLines } from "./markdown.ts";
import { brief } from "./failures.ts";
import { statementsOf } from "./lint/requirements.ts";
import { parseTasks } from "./tasks.ts";

/** How documents are given: in the text, or as paths to read. */
export type ContextMode = "inline" | "paths";

/** A document that is to be shown. */
export interface Material {
  /** Its path, as the model can open it. */
  readonly path: string;
  /** Its text. */
  readonly text: string;
  /** The lines that later phases depend on; they are shown even where the rest is not. */
  readonly carried: readonly string[];
}

/** What of each document later phases depend on. */
export const CARRIED: Readonly<Record<string, (text: string) => string[]>> = {
  "research.md": (text) => sectionsOf(text, /quality commands/i),
  "requirements.md": (text) => statementsOf(text).map((statement) => statement.text),
  "design.md": (text) => sectionsOf(text, /decisions/i),
  "tasks.md": (text) => parseTasks(text).tasks.map((task) => task.block.split("\n")[0]!),
  ".progress.md": (text) => [...sectionsOf(text, /learnings/i), ...sectionsOf(text, /blockers/i)],
};

/** How long a carried line may be where there is little room. */
const SHORT_LINE = 200;

/**
 * Puts a text between two lines that it cannot forge.
 *
 * @param label What the text is.
 * @param text The text.
 */
export function fenced(label: string, text: string): string {
  let mark: string;
  do mark = crypto.randomUUID().replaceAll("-", "").slice(0, 12); while (text.includes(mark));
  return `----- DATA ${mark}: ${label} -----\n${text}\n----- END ${mark} -----`;
}

/**
 * Renders documents within a number of characters.
 *
 * @param materials The documents, in the order in which they are shown.
 * @param priorities The same, the one that most deserves to be whole first.
 * @param room The most characters.
 */
export function renderMaterials(
  materials: readonly Material[],
  priorities: readonly Material[],
  room: number,
): string {
  const shown = new Map(materials.map((material) => [material, ""]));
  const total = () => [...shown.values()].reduce((sum, text) => sum + text.length + 2, 0);
  for (const detail of DETAILS) {
    for (const material of materials) {
      shown.set(material, detail(material, Math.floor(room / materials.length)));
    }
    if (total() <= room) break;
  }
  for (const material of priorities) {
    const whole = fenced(material.path, material.text);
    if (total() - shown.get(material)!.length + whole.length <= room) shown.set(material, whole);
  }
  return [...shown.values()].join("\n\n");
}

/** The ways to show less of a document, the fullest first. */
const DETAILS: readonly ((material: Material, share: number) => string)[] = [
  (material) => outline(material, headingsOf(material.text), material.carried),
  (material) => outline(material, [], material.carried),
  (material) => outline(material, [], material.carried.map((line) => brief(line, SHORT_LINE))),
  (material, share) => {
    const lines = material.carried.map((line) => brief(line, SHORT_LINE));
    let kept = 0;
    for (let used = 400; kept < lines.length; kept++) {
      used += lines[kept]!.length + 1;
      if (used > share) break;
    }
    const rest = lines.length - kept;
    return outline(material, [], [
      ...lines.slice(0, kept),
      ...(rest > 0 ? [`… and ${rest} more lines of this kind in ${material.path}`] : []),
    ]);
  },
];

function outline(
  { path, text }: Material,
  headings: readonly string[],
  carried: readonly string[],
): string {
  return fenced(
    `${path}, ${text.length} characters: the outline; open the file for the rest`,
    [...headings, ...(headings.length > 0 && carried.length > 0 ? [""] : []), ...carried]
      .join("\n"),
  );
}

function headingsOf(text: string): string[] {
  const { lines, kinds } = markdownLines(text);
  return lines.flatMap((line, at) =>
    kinds[at] === "prose" && /^#{1,4} /.test(line) ? [`line ${at + 1}: ${brief(line, 120)}`] : []
  );
}

/** The sections whose heading fits, headings included. */
function sectionsOf(text: string, heading: RegExp): string[] {
  const { lines, kinds } = markdownLines(text);
  const found: string[] = [];
  let inside = 0;
  for (const [at, line] of lines.entries()) {
    const level = kinds[at] === "prose" ? /^(#{1,6}) /.exec(line)?.[1]?.length ?? 0 : 0;
    if (level > 0 && (inside === 0 || level <= inside)) inside = heading.test(line) ? level : 0;
    if (inside > 0 && line.trim() !== "") found.push(line);
  }
  return found;
}
