/**
 * `.progress.md`: the diary of a spec. The server owns a status block between two
 * markers and adds records; everything else belongs to those who do the work.
 *
 * @module
 */

import { readInside, writeText } from "./files.ts";
import type { Phase } from "./phases.ts";
import { type Spec, specFile } from "./specs.ts";

/** The diary. */
export const PROGRESS_FILE = ".progress.md";

const START = "<!-- ralph:status -->";
const END = "<!-- /ralph:status -->";

/** What the status block says. */
export interface ProgressStatus {
  /** The phase, or what became of the spec. */
  readonly phase: Phase | "complete" | "cancelled";
  /** Ticked tasks. */
  readonly done: number;
  /** All tasks; zero where there are none yet. */
  readonly total: number;
  /** One line about what is going on. */
  readonly objective: string;
  /** The next tool. */
  readonly next: string;
}

/** A new diary. */
export function newProgress(name: string, goal: string, status: ProgressStatus): string {
  return [
    `# Progress: ${oneLine(name)}`,
    "",
    ...blockLines(status),
    "",
    "## Original Goal",
    "",
    contained(goal),
    "",
    "## Completed",
    "",
    "## Learnings",
    "",
    "## Blockers",
    "",
    "## Next Steps",
    "",
  ].join("\n");
}

/** The text of the diary, or `null`. */
export function readProgress(spec: Spec): string | null {
  // It is written back, so it has to be read whole.
  return readInside(spec.cwd, specFile(spec, PROGRESS_FILE), Infinity)?.text ?? null;
}

/** Writes the diary. */
export function writeProgress(spec: Spec, text: string): void {
  writeText(spec.cwd, specFile(spec, PROGRESS_FILE), text);
}

/** The diary with its status block renewed, or added below the first heading. */
export function withStatus(text: string, status: ProgressStatus): string {
  const { lines, eol } = split(text);
  const start = lines.findIndex((line) => line.trim() === START);
  const end = start < 0 ? -1 : lines.findIndex((line, at) => at > start && line.trim() === END);
  if (end > start) {
    lines.splice(start, end - start + 1, ...blockLines(status));
  } else {
    const heading = lines.findIndex((line) => line.startsWith("# "));
    lines.splice(heading + 1, 0, ...(heading < 0 ? [] : [""]), ...blockLines(status));
  }
  return lines.join(eol);
}

/**
 * The diary with a record added before its `## Learnings`, or at its end.
 *
 * @param text The diary.
 * @param heading The record's heading, without marks.
 * @param body What it says; it cannot break out of its record.
 */
export function withRecord(text: string, heading: string, body: string): string {
  const record = [`### ${oneLine(heading)}`, "", ...contained(body).split("\n"), ""];
  return insertBefore(text, "## Learnings", record);
}

/** The diary with a line added at the end of a section; the section is added where it is missing. */
export function withLine(text: string, section: string, line: string): string {
  const { lines, eol } = split(text);
  const at = findHeading(lines, `## ${section}`);
  if (at < 0) {
    while (lines.length > 0 && lines.at(-1)!.trim() === "") lines.pop();
    lines.push("", `## ${section}`, "", oneLine(line), "");
    return lines.join(eol);
  }
  let end = at + 1;
  while (end < lines.length && !/^#{1,2} /.test(lines[end]!)) end++;
  let last = end;
  while (last > at + 1 && lines[last - 1]!.trim() === "") last--;
  const before = /^[-*] /.test(lines[last - 1]!) ? [] : [""];
  const after = end === last ? [""] : [];
  lines.splice(last, 0, ...before, oneLine(line), ...after);
  return lines.join(eol);
}

/** The diary with another goal. */
export function withGoal(text: string, goal: string): string {
  const { lines, eol } = split(text);
  const at = findHeading(lines, "## Original Goal");
  const body = ["", ...contained(goal).split("\n"), ""];
  if (at < 0) return [...lines, "", "## Original Goal", ...body].join(eol);
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => /^#{1,2} /.test(line));
  return [...lines.slice(0, at + 1), ...body, ...(end < 0 ? [] : rest.slice(end))].join(eol);
}

/** The lines of a section, without its heading; empty where there is none. */
export function sectionOf(text: string, section: string): string {
  const { lines } = split(text);
  const at = findHeading(lines, `## ${section}`);
  if (at < 0) return "";
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => /^#{1,2} /.test(line));
  return (end < 0 ? rest : rest.slice(0, end)).join("\n").trim();
}

/** The goal as the diary has it, or `null`. */
export function goalOf(text: string): string | null {
  const section = sectionOf(text, "Original Goal");
  if (section === "") return null;
  const lines = section.split("\n");
  return lines.every((line) => /^>( |$)/.test(line))
    ? lines.map((line) => line.replace(/^> ?/, "")).join("\n")
    : section;
}

/** Whether the diary says that the spec was cancelled. */
export function wasCancelled(spec: Spec): boolean {
  try {
    const text = readProgress(spec);
    if (text === null) return false;
    const { lines } = split(text);
    const start = lines.findIndex((line) => line.trim() === START);
    if (start < 0) return false;
    const phase = lines.slice(start, start + 4).find((line) => line.startsWith("- Phase:"));
    return phase?.includes("cancelled") === true;
  } catch {
    return false;
  }
}

/**
 * Text from outside, so that it stays one paragraph of the diary: where it holds
 * headings, fences, rules or comments, all of it becomes a quotation.
 */
export function contained(text: string): string {
  const clean = text.replace(/\r\n?/g, "\n").trim();
  const structural = /^\s{0,3}(?:#{1,6}(?:\s|$)|={2,}\s*$|-{2,}\s*$|`{3}|~{3}|<|[-*+]\s+\[)/m;
  if (!structural.test(clean) && !clean.includes("<!--")) return clean;
  return clean.replaceAll("<!--", "&lt;!--").split("\n").map((line) => line ? `> ${line}` : ">")
    .join("\n");
}

/** A text on one line, without marks that would open a comment. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").replaceAll("<!--", "&lt;!--").trim();
}

function blockLines(status: ProgressStatus): string[] {
  const tasks = status.total > 0 ? `${status.done}/${status.total}` : "not planned yet";
  return [
    START,
    `- Phase: ${status.phase}`,
    `- Tasks: ${tasks}`,
    `- Objective: ${oneLine(status.objective).slice(0, 300)}`,
    `- Next: ${status.next}`,
    END,
  ];
}

function insertBefore(text: string, heading: string, added: readonly string[]): string {
  const { lines, eol } = split(text);
  const at = findHeading(lines, heading);
  if (at >= 0) {
    const gap = at > 0 && lines[at - 1]!.trim() !== "" ? [""] : [];
    lines.splice(at, 0, ...gap, ...added);
    return lines.join(eol);
  }
  while (lines.length > 0 && lines.at(-1)!.trim() === "") lines.pop();
  return [...lines, "", ...added].join(eol);
}

/** The line of a heading, code fences left out. */
function findHeading(lines: readonly string[], heading: string): number {
  let fence: string | null = null;
  for (const [index, line] of lines.entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark[0] === fence[0] && mark.length >= fence.length) fence = null;
    } else if (fence === null && line.trimEnd() === heading) {
      return index;
    }
  }
  // A fence that is never closed hides nothing.
  return fence === null ? -1 : lines.findIndex((line) => line.trimEnd() === heading);
}

function split(text: string): { lines: string[]; eol: string } {
  return { lines: text.split(/\r?\n/), eol: text.includes("\r\n") ? "\r\n" : "\n" };
}
