/** Edits the text of a `tasks.md`, and keeps everything else, line endings included. */

import type { Task } from "./tasks.ts";

export function ticked(text: string, task: Task): string {
  const lines = text.split("\n");
  lines[task.line] = lines[task.line]!.replace(/\[ \]/, "[x]");
  return lines.join("\n");
}

export function withBlock(
  text: string,
  task: Task,
  where: "before" | "behind",
  block: readonly string[],
): string {
  const lines = text.split("\n");
  const end = text.includes("\r\n") ? "\r" : "";
  const added = block.map((line) => line + end);
  if (where === "before") {
    lines.splice(task.line, 0, ...added, end);
  } else {
    // The last line of a file may have no line ending.
    if (task.end >= lines.length) {
      if (!lines.at(-1)!.endsWith(end)) lines[lines.length - 1] += end;
      added.push("");
    }
    lines.splice(task.end, 0, end, ...added);
  }
  return lines.join("\n");
}

/** The id of a new fix task: the next `N.M.K`, or `N.M` for a check such as `V1`. */
export function fixNumber(task: Task, all: readonly Task[]): string {
  const used = new Set(all.map((other) => other.id));
  const numeric = /^\d/.test(task.id);
  const before = numeric
    ? task
    : all.slice(0, task.index).findLast((other) => /^\d/.test(other.id)) ?? null;
  const base = numeric ? task.id : before === null ? "1" : before.id.split(".")[0]!;
  for (let count = 1;; count++) {
    const id = `${base}.${count}`;
    if (!used.has(id)) return id;
  }
}

/** How deep a fix task is nested; 0 for other tasks. */
export function fixDepth(task: Task): number {
  return task.tags.some((tag) => tag.startsWith("FIX ")) ? task.id.split(".").length - 2 : 0;
}
