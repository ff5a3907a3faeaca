/**
 * The tasks of a `tasks.md`. The boxes in the file are the truth about progress.
 *
 * A task begins in the first column: `- [ ] 1.2 [P] Title`. Its number is `N.M`,
 * `N.M.K`, `V1`, `VF` or `VE1`. It ends at the next box or heading.
 *
 * @module
 */

/** A task. */
export interface Task {
  /** Its number: `1.2`, `V1`. */
  readonly id: string;
  /** The number, made unique where it occurs more than once. */
  readonly key: string;
  /** Its place among all tasks, from zero. */
  readonly index: number;
  /** What it says, without number and tags. */
  readonly title: string;
  /** Its tags, in capitals: `P`, `VERIFY`, `FIX 1.2`. */
  readonly tags: readonly string[];
  /** Whether its box is ticked. */
  readonly done: boolean;
  /** The heading above it: of the first or second level, or one that names a phase. */
  readonly section: string;
  /** Its first line and its details, as written, with `\n`. */
  readonly block: string;
  /** The line of its box, from zero. */
  readonly line: number;
  /** The line after its block, trailing empty lines left out. */
  readonly end: number;
}

/** What a `tasks.md` holds. */
export interface TaskList {
  /** The tasks, in document order. */
  readonly tasks: readonly Task[];
  /** Boxes in the first column without a task number. */
  readonly unnumbered: { readonly open: number; readonly done: number };
  /** What is odd about the file. */
  readonly warnings: readonly string[];
}

const BOX = /^[-*+] \[([ xX])\](?:[ \t]+(.*))?$/;
const NUMBERED =
  /^((?:\[[^\]]*\]\s*)*)(\*{2})?(\d+(?:\.\d+)+|VE\d+|VF|V\d+)(?=$|[\s:)*—–]|[.-](?:\s|$))(.*)$/;

/** Reads the tasks out of the text of a `tasks.md`. */
export function parseTasks(text: string): TaskList {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const { fenced, unclosed } = fencedLines(lines);
  const tasks: Task[] = [];
  const warnings: string[] = [];
  const seen = new Map<string, number>();
  const unnumbered = { open: 0, done: 0 };
  let section = "";
  for (const [index, line] of lines.entries()) {
    if (fenced.has(index)) continue;
    if (/^#{1,2} |^#{3,6} phase\b/i.test(line)) section = line.replace(/^#+\s*/, "").trim();
    const box = BOX.exec(line);
    if (box === null) continue;
    const done = box[1] !== " ";
    const numbered = NUMBERED.exec((box[2] ?? "").trim());
    if (numbered === null) {
      if (done) unnumbered.done++;
      else unnumbered.open++;
      continue;
    }
    const id = numbered[3]!;
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    const { tags, title } = tagsAndTitle(`${numbered[1]}${numbered[4]}`);
    const end = endOfBlock(lines, index, fenced);
    tasks.push({
      id,
      key: count === 1 ? id : `${id}#${count}`,
      index: tasks.length,
      title,
      tags,
      done,
      section,
      block: lines.slice(index, end).join("\n"),
      line: index,
      end,
    });
  }
  const twice = [...seen].filter(([, count]) => count > 1).map(([id]) => id);
  if (twice.length > 0) {
    warnings.push(`tasks.md has task numbers that occur more than once: ${few(twice)}`);
  }
  for (const at of unclosed) {
    warnings.push(`tasks.md has a code fence in line ${at + 1} that is never closed`);
  }
  return { tasks, unnumbered, warnings };
}

/** How many tasks are ticked. */
export function doneCount(list: TaskList): number {
  return list.tasks.filter((task) => task.done).length;
}

/** The tasks that are open, in document order. */
export function openTasks(list: TaskList): Task[] {
  return list.tasks.filter((task) => !task.done);
}

/** Whether a task is a check rather than work. */
export function isVerification(task: Task): boolean {
  return task.tags.includes("VERIFY") || /^V(?:\d+|F)$/.test(task.id);
}

/** Whether a task may be worked on beside others. */
export function isParallel(task: Task): boolean {
  return task.tags.includes("P") && !isVerification(task);
}

/** Whether a task belongs to the end-to-end checks. */
export function isEndToEnd(task: Task): boolean {
  return /^VE\d+$/.test(task.id);
}

/** The field of a task's block, as `Verify` or `Files`, with the lines below it; or `null`. */
export function fieldOf(task: Task, name: string): string | null {
  const lines = task.block.split("\n").slice(1);
  const start = lines.findIndex((line) => fieldIn(line)?.name === name.toLowerCase());
  if (start < 0) return null;
  const after = lines.slice(start + 1);
  const end = after.findIndex((line) => fieldIn(line) !== null);
  const rest = (end < 0 ? after : after.slice(0, end)).map((line) => line.trim());
  return [fieldIn(lines[start]!)!.rest, ...rest].filter((line) => line !== "").join("\n");
}

/** The paths that a task names in its `Files` field. */
export function filesOf(task: Task): string[] {
  const field = fieldOf(task, "Files");
  if (field === null) return [];
  const quoted = [...field.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
  const names = quoted.length > 0 ? quoted : field.split(/[,;\n]/);
  return names
    .map((name) => name.replace(/\((?:create|modify|new|delete)[^)]*\)/gi, ""))
    .map((name) => name.replace(/^\s*[-*+]?\s*/, "").trim().replace(/^\.\//, ""))
    .filter((name) => name !== "" && !/^none$/i.test(name));
}

/** The first few of many, for a message. */
export function few(items: readonly string[], most = 8): string {
  return items.length <= most
    ? items.join(", ")
    : `${items.slice(0, most).join(", ")} and ${items.length - most} more`;
}

/** `- **Done when**: …`, `- **Do:** …` and `- _Requirements: …_` begin a field. */
const FIELD =
  /^\s*(?:[-*+]\s+)?(?:\*\*([A-Z][A-Za-z ]*?)\s*(?::\s*\*\*|\*\*\s*(?::|$))|_([A-Z][A-Za-z ]*?):)\s*(.*)$/;

function fieldIn(line: string): { name: string; rest: string } | null {
  const match = FIELD.exec(line);
  if (match === null) return null;
  return { name: (match[1] ?? match[2])!.toLowerCase(), rest: match[3]!.replace(/_$/, "").trim() };
}

function tagsAndTitle(text: string): { tags: string[]; title: string } {
  const tags: string[] = [];
  let rest = text.replace(/^\*{2}/, "").replace(/^[:.)\s*—–-]+/, "");
  for (;;) {
    const tag = /^\[([A-Za-z][^\]]*)\]\s*/.exec(rest);
    // A link is no tag.
    if (tag === null || rest[tag[0].trimEnd().length] === "(") break;
    tags.push(tag[1]!.trim().toUpperCase());
    rest = rest.slice(tag[0].length).replace(/^\*{2}\s*/, "");
  }
  return { tags, title: rest.replace(/\*{2}/g, "").trim() };
}

function endOfBlock(lines: readonly string[], start: number, fenced: ReadonlySet<number>): number {
  let end = start + 1;
  while (end < lines.length) {
    const line = lines[end]!;
    if (!fenced.has(end) && (BOX.test(line) || /^#{1,6}(?:\s|$)/.test(line))) break;
    end++;
  }
  while (end > start + 1 && lines[end - 1]!.trim() === "") end--;
  return end;
}

/**
 * The lines inside code fences. A fence in the details of a task ends with them,
 * and one that is never closed hides nothing: an open task must not disappear.
 */
function fencedLines(lines: readonly string[]): { fenced: Set<number>; unclosed: number[] } {
  const fenced = new Set<number>();
  const unclosed: number[] = [];
  for (let index = 0; index < lines.length; index++) {
    const open = /^(\s*)(?:[-*+]\s+)?(`{3,}(?=[^`]*$)|~{3,})/.exec(lines[index]!);
    if (open === null) continue;
    const mark = open[2]!;
    const indented = open[1]!.length >= 2;
    let close = index + 1;
    for (; close < lines.length; close++) {
      const line = lines[close]!;
      const end = /^\s*(`{3,}|~{3,})\s*$/.exec(line)?.[1];
      if (end !== undefined && end[0] === mark[0] && end.length >= mark.length) break;
      if (indented && /^(?:[-*+] \[[ xX]\]|#{1,6} )/.test(line)) {
        close = lines.length;
      }
    }
    if (close >= lines.length) {
      unclosed.push(index);
      continue;
    }
    for (let inside = index; inside <= close; inside++) fenced.add(inside);
    index = close;
  }
  return { fenced, unclosed };
}
