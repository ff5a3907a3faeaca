/**
 * `.progress.md`: the progress file of a spec. The server writes a status block between two
 * markers and adds records; people and models write the rest.
 */

import { brief } from "./failures.ts";
import { editLines, markdownLines } from "./markdown.ts";

export const PROGRESS_FILE = ".progress.md";

const START = "<!-- ralph:status -->";
const END = "<!-- /ralph:status -->";
const GOAL = "Original Goal";

/** A heading that ends a section. */
const HEADING = /^#{1,2} /;

export interface Progress {
  readonly goal: string | null;
  readonly cancelled: boolean;
  readonly learnings: readonly string[];
}

export function parseProgress(text: string): Progress {
  const { lines } = markdownLines(text);
  const block = statusBlock(lines);
  const status = block === null ? [] : lines.slice(block.start, block.end);
  const goal = sectionOf(lines, GOAL).join("\n");
  return {
    goal: goal === "" ? null : unquoted(goal),
    cancelled: status.some((line) => /^- Phase: .*cancelled/.test(line)),
    learnings: sectionOf(lines, "Learnings").filter((line) => line.trim() !== ""),
  };
}

export function newProgress(name: string, goal: string): string {
  return `# Progress: ${brief(name)}\n\n## ${GOAL}\n\n${contained(goal)}\n\n` +
    "## Completed\n\n## Learnings\n\n## Blockers\n";
}

/** Replaces the status block, or adds it below the first heading. */
export function withStatus(text: string, phase: string, tasks: string, next: string): string {
  const facts = [`- Phase: ${phase}`, `- Tasks: ${tasks}`, `- Next: ${brief(next, 500)}`];
  const block = [START, ...facts, END];
  return editLines(text, (lines) => {
    const old = statusBlock(lines);
    if (old !== null) return void lines.splice(old.start, old.end - old.start, ...block);
    const heading = lines.findIndex((line) => line.startsWith("# "));
    if (heading >= 0) block.unshift("");
    lines.splice(heading + 1, 0, ...block);
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

type SectionEdit = (body: string[]) => string[];

/** Changes the lines of a section, which is added at the end if it is missing. */
function withSection(progress: string, section: string, change: SectionEdit): string {
  return editLines(progress, (lines) => {
    const body = trimmed(change(sectionOf(lines, section)));
    const { start, end } = rangeOf(lines, section) ?? { start: lines.length, end: lines.length };
    const before = trimmed(lines.slice(0, start));
    if (start > 0) before.push("");
    lines.splice(0, end, ...before, `## ${section}`, "", ...body, "");
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
  return clean.replaceAll("<!--", "&lt;!--").replace(/^/gm, "> ").replace(/^> $/gm, ">");
}

function unquoted(text: string): string {
  const lines = text.split("\n");
  return lines.every((line) => /^>( |$)/.test(line))
    ? lines.map((line) => line.replace(/^> ?/, "")).join("\n")
    : text;
}

interface Range {
  readonly start: number;
  /** The line after it. */
  readonly end: number;
}

/** The lines of the status block, its markers included. */
function statusBlock(lines: readonly string[]): Range | null {
  const start = lines.findIndex((line) => line.trim() === START);
  const end = lines.findIndex((line, at) => at > start && line.trim() === END);
  return start < 0 || end < 0 ? null : { start, end: end + 1 };
}

/** The lines of a section, its heading included. */
function rangeOf(lines: readonly string[], section: string): Range | null {
  const { isProse } = markdownLines(lines.join("\n"));
  const start = lines.findIndex((line, at) => isProse[at] && line.trimEnd() === `## ${section}`);
  if (start < 0) return null;
  const end = lines.findIndex((line, at) => at > start && isProse[at] && HEADING.test(line));
  return { start, end: end < 0 ? lines.length : end };
}

/** The lines of a section below its heading. */
function sectionOf(lines: readonly string[], section: string): string[] {
  const range = rangeOf(lines, section);
  return range === null ? [] : trimmed(lines.slice(range.start + 1, range.end));
}

/** The lines without empty ones at the start and the end. */
function trimmed(lines: readonly string[]): string[] {
  const isFilled = (line: string) => line.trim() !== "";
  return lines.slice(Math.max(lines.findIndex(isFilled), 0), lines.findLastIndex(isFilled) + 1);
}
