/**
 * `.progress.md`: the progress file of a spec. The server owns a status block between two
 * markers and adds records; everything else belongs to those who do the work.
 *
 * @module
 */

import { markdownLines } from "./markdown.ts";
import { brief } from "./failures.ts";
import type { Phase } from "./phases.ts";

/** The progress file. */
export const PROGRESS_FILE = ".progress.md";

const START = "<!-- ralph:status -->";
const END = "<!-- /ralph:status -->";
const GOAL = "Original Goal";

/** What the status block says. */
export interface ProgressStatus {
  /** The phase, or what became of the spec. */
  readonly phase: Phase | "complete" | "cancelled";
  /** Ticked tasks. */
  readonly done: number;
  /** All tasks; zero where there are none yet. */
  readonly total: number;
  /** What is next, in a sentence. */
  readonly next: string;
}

/** What a progress file says. */
export interface Progress {
  /** The whole text. */
  readonly text: string;
  /** The goal, or `null` where it names none. */
  readonly goal: string | null;
  /** Whether it says that the spec was cancelled. */
  readonly cancelled: boolean;
  /** What people and models noted: the sections without the goal, those that are empty left out. */
  readonly notes: string;
  /** The lines below Learnings. */
  readonly learnings: readonly string[];
}

/** Reads the text of a progress file. */
export function parseProgress(text: string): Progress {
  const { lines } = markdownLines(text);
  const block = blockOf(lines);
  const goal = sectionOf(lines, GOAL).join("\n").trim();
  const cut = new Set<number>();
  if (block !== null) { for (let at = block.start; at <= block.end; at++) cut.add(at); }
  const own = rangeOf(lines, GOAL);
  if (own !== null) { for (let at = own.start; at < own.end; at++) cut.add(at); }
  return {
    text,
    goal: goal === "" ? null : unquoted(goal),
    cancelled: block !== null &&
      lines.slice(block.start, block.end).some((line) => /^- Phase: .*cancelled/.test(line)),
    notes: withoutEmpty(lines.filter((_, at) => !cut.has(at))),
    learnings: sectionOf(lines, "Learnings").filter((line) => line.trim() !== ""),
  };
}

/** A new progress file. */
export function newProgress(name: string, goal: string): string {
  const sections = ["Completed", "Learnings", "Blockers"].flatMap((name) => [`## ${name}`, ""]);
  return [`# Progress: ${brief(name)}`, "", `## ${GOAL}`, "", contained(goal), "", ...sections]
    .join("\n");
}

/** The progress file with its status block renewed, or added below the first heading. */
export function withStatus(text: string, status: ProgressStatus): string {
  const tasks = status.total > 0 ? `${status.done}/${status.total}` : "not planned yet";
  const block = [
    START,
    `- Phase: ${status.phase}`,
    `- Tasks: ${tasks}`,
    `- Next: ${brief(status.next, 500)}`,
    END,
  ];
  return edited(text, (lines) => {
    const old = blockOf(lines);
    if (old !== null) {
      lines.splice(old.start, old.end - old.start + 1, ...block);
      return;
    }
    const heading = lines.findIndex((line) => line.startsWith("# "));
    lines.splice(heading + 1, 0, ...(heading < 0 ? [] : [""]), ...block);
  });
}

/**
 * The progress file with a record added before its `## Learnings`, or at its end.
 *
 * @param text The progress file.
 * @param heading The record's heading, without marks.
 * @param body What it says; it cannot break out of its record.
 */
export function withRecord(text: string, heading: string, body: string): string {
  const record = [`### ${brief(heading)}`, "", ...contained(body).split("\n"), ""];
  return edited(text, (lines) => {
    const at = rangeOf(lines, "Learnings")?.start ?? trimmedEnd(lines);
    const gap = at > 0 && lines[at - 1]!.trim() !== "" ? [""] : [];
    lines.splice(at, 0, ...gap, ...record);
  });
}

/** The progress file with a line added at the end of a section, which is made where it is missing. */
export function withLine(text: string, section: string, line: string): string {
  return edited(text, (lines) => {
    if (rangeOf(lines, section) === null) {
      lines.splice(trimmedEnd(lines), Infinity, "", `## ${section}`, "");
    }
    const { start, end } = rangeOf(lines, section)!;
    let last = end;
    while (last > start + 1 && lines[last - 1]!.trim() === "") last--;
    const before = /^[-*] /.test(lines[last - 1]!) ? [] : [""];
    const after = end === last ? [""] : [];
    lines.splice(last, 0, ...before, brief(line, 1_000), ...after);
  });
}

/** The progress file with another goal. */
export function withGoal(text: string, goal: string): string {
  return edited(text, (lines) => {
    const { start, end } = rangeOf(lines, GOAL) ??
      { start: trimmedEnd(lines), end: lines.length };
    lines.splice(start, end - start, `## ${GOAL}`, "", ...contained(goal).split("\n"), "");
  });
}

/**
 * Text from outside, so that it stays one paragraph of the progress file: where it holds
 * headings, fences, rules or comments, all of it becomes a quotation.
 */
export function contained(text: string): string {
  const clean = text.replace(/\r\n?/g, "\n").trim();
  const structural = /^\s{0,3}(?:#{1,6}(?:\s|$)|={2,}\s*$|-{2,}\s*$|`{3}|~{3}|<|[-*+]\s+\[)/m;
  if (!structural.test(clean) && !clean.includes("<!--")) return clean;
  return clean.replaceAll("<!--", "&lt;!--").split("\n").map((line) => line ? `> ${line}` : ">")
    .join("\n");
}

function unquoted(text: string): string {
  const lines = text.split("\n");
  return lines.every((line) => /^>( |$)/.test(line))
    ? lines.map((line) => line.replace(/^> ?/, "")).join("\n")
    : text;
}

/** Changes lines, and keeps the line ends of the text. */
function edited(text: string, change: (lines: string[]) => void): string {
  const lines = text.split(/\r?\n/);
  change(lines);
  return lines.join(text.includes("\r\n") ? "\r\n" : "\n");
}

/** The lines of the status block, its markers included. */
function blockOf(lines: readonly string[]): { start: number; end: number } | null {
  const start = lines.findIndex((line) => line.trim() === START);
  if (start < 0) return null;
  const end = lines.findIndex((line, at) => at > start && line.trim() === END);
  return end < 0 ? null : { start, end };
}

/** The lines of a section, its heading included: `end` is the line after it. */
function rangeOf(
  lines: readonly string[],
  section: string,
): { start: number; end: number } | null {
  const { kinds } = markdownLines(lines.join("\n"));
  const start = lines.findIndex((line, at) =>
    kinds[at] === "prose" && line.trimEnd() === `## ${section}`
  );
  if (start < 0) return null;
  const end = lines.findIndex((line, at) =>
    at > start && kinds[at] === "prose" && /^#{1,2} /.test(line)
  );
  return { start, end: end < 0 ? lines.length : end };
}

function sectionOf(lines: readonly string[], section: string): string[] {
  const range = rangeOf(lines, section);
  return range === null ? [] : lines.slice(range.start + 1, range.end);
}

/** The text without headings that have nothing below them. */
function withoutEmpty(lines: readonly string[]): string {
  const kept: string[] = [];
  for (const line of [...lines].reverse()) {
    const below = kept.at(-1);
    const level = /^(#{1,6}) /.exec(line)?.[1]?.length;
    const next = below === undefined ? 0 : /^(#{1,6}) /.exec(below)?.[1]?.length ?? 7;
    if (line.trim() === "" || level !== undefined && next <= level) continue;
    kept.push(line);
  }
  return kept.reverse().join("\n");
}

function trimmedEnd(lines: readonly string[]): number {
  let end = lines.length;
  while (end > 0 && lines[end - 1]!.trim() === "") end--;
  return end;
}
