/**
 * Changes to the text of a `tasks.md` that leave everything else as it is, its
 * line endings included.
 *
 * @module
 */

import type { Task } from "./tasks.ts";

/** The text with a task's box ticked. */
export function ticked(text: string, task: Task): string {
  const lines = text.split("\n");
  lines[task.line] = lines[task.line]!.replace(/\[ \]/, "[x]");
  return lines.join("\n");
}

/** The text with lines added before a task's box, or behind its block. */
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
    // The last line of a file may have no ending of its own.
    if (task.end >= lines.length) {
      if (!lines.at(-1)!.endsWith(end)) lines[lines.length - 1] += end;
      added.push("");
    }
    lines.splice(task.end, 0, end, ...added);
  }
  return lines.join("\n");
}

/** The number of a new task that mends this one: the next `N.M.K`, or `N.M` for a check. */
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

/** How many fixes of fixes lead to this task. */
export function fixDepth(task: Task): number {
  return task.tags.some((tag) => tag.startsWith("FIX ")) ? task.id.split(".").length - 2 : 0;
}
