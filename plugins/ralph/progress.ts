/**
 * `.progress.md`: the progress file of a spec. The server writes a status block between two
 * markers and adds records; people and models write the rest.
 */

import { markdownLines } from "./markdown.ts";
import { brief } from "./failures.ts";
import type { Phase } from "./phases.ts";

export const PROGRESS_FILE = ".progress.md";

const START = "<!-- ralph:status -->";
const END = "<!-- /ralph:status -->";
const GOAL = "Original Goal";

export interface ProgressStatus {
  readonly phase: Phase | "complete" | "cancelled";
  readonly done: number;
  /** The number of tasks; 0 before they are planned. */
  readonly total: number;
  readonly next: string;
}

export interface Progress {
  readonly goal: string | null;
  readonly cancelled: boolean;
  /** The text without status, goal and empty sections. */
  readonly notes: string;
  readonly learnings: readonly string[];
}

export function parseProgress(text: string): Progress {
  const { lines } = markdownLines(text);
  const block = blockOf(lines);
  const status = block === null ? [] : lines.slice(block.start, block.end);
  const goal = sectionOf(lines, GOAL).join("\n").trim();
  const learnings = sectionOf(lines, "Learnings").filter((line) => line.trim() !== "");
  const rest = [...lines];
  const own = rangeOf(rest, GOAL);
  if (own !== null) rest.fill("", own.start, own.end);
  if (block !== null) rest.fill("", block.start, block.end + 1);
  const filled = rest.filter((line) => line.trim() !== "");
  return {
    goal: goal === "" ? null : unquoted(goal),
    cancelled: status.some((line) => /^- Phase: .*cancelled/.test(line)),
    // A heading of level 1 or 2 directly before another one, or at the end, has no content.
    notes: filled.filter((line, at) => !HEADING.test(line) || !HEADING.test(filled[at + 1] ?? "# "))
      .join("\n"),
    learnings,
  };
}

const HEADING = /^#{1,2} /;

export function newProgress(name: string, goal: string): string {
  const sections = ["Completed", "Learnings", "Blockers"].flatMap((name) => [`## ${name}`, ""]);
  return [`# Progress: ${brief(name)}`, "", `## ${GOAL}`, "", contained(goal), "", ...sections]
    .join("\n");
}

/** Replaces the status block, or adds it below the first heading. */
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

/** Adds a record of today to the section Completed. */
export function withRecord(progress: string, heading: string, text: string): string {
  const today = new Date().toISOString().slice(0, 10);
  const record = [`### ${brief(heading)} (${today})`, "", ...contained(text).split("\n")];
  return withSection(progress, "Completed", (body) => [...body, "", ...record]);
}

export function withLine(progress: string, section: string, line: string): string {
  return withSection(progress, section, (body) => {
    const gap = /^[-*] /.test(body.at(-1) ?? "") ? [] : [""];
    return [...body, ...gap, brief(line, 1_000)];
  });
}

export function withGoal(progress: string, goal: string): string {
  return withSection(progress, GOAL, () => contained(goal).split("\n"));
}

/** Changes the lines of a section, which is added at the end if it is missing. */
function withSection(
  progress: string,
  section: string,
  change: (body: string[]) => string[],
): string {
  return edited(progress, (lines) => {
    const { start, end } = rangeOf(lines, section) ?? { start: lines.length, end: lines.length };
    const body = trimmed(change(trimmed(lines.slice(start + 1, end))));
    const before = trimmed(lines.splice(0, start));
    lines.splice(0, end - start);
    lines.unshift(...before, ...(start > 0 ? [""] : []), `## ${section}`, "", ...body, "");
  });
}

/**
 * Keeps a text from outside within its section: it becomes a quotation if it contains headings,
 * fences, rules or comments.
 */
function contained(text: string): string {
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

/** Changes the lines of a text, and keeps its line endings. */
function edited(text: string, change: (lines: string[]) => void): string {
  const lines = text.split(/\r?\n/);
  change(lines);
  return lines.join(text.includes("\r\n") ? "\r\n" : "\n");
}

/** The line numbers of the status block's markers. */
function blockOf(lines: readonly string[]): { start: number; end: number } | null {
  const start = lines.findIndex((line) => line.trim() === START);
  if (start < 0) return null;
  const end = lines.findIndex((line, at) => at > start && line.trim() === END);
  return end < 0 ? null : { start, end };
}

/** The lines of a section from its heading to `end`, the line after it. */
function rangeOf(
  lines: readonly string[],
  section: string,
): { start: number; end: number } | null {
  const { isProse } = markdownLines(lines.join("\n"));
  const start = lines.findIndex((line, at) => isProse[at] && line.trimEnd() === `## ${section}`);
  if (start < 0) return null;
  const end = lines.findIndex((line, at) => at > start && isProse[at] && /^#{1,2} /.test(line));
  return { start, end: end < 0 ? lines.length : end };
}

function sectionOf(lines: readonly string[], section: string): string[] {
  const range = rangeOf(lines, section);
  return range === null ? [] : lines.slice(range.start + 1, range.end);
}

/** The lines without empty ones at the start and the end. */
function trimmed(lines: readonly string[]): string[] {
  const filled = (line: string) => line.trim() !== "";
  return lines.slice(Math.max(lines.findIndex(filled), 0), lines.findLastIndex(filled) + 1);
}
