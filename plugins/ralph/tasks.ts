/**
 * The tasks of a `tasks.md`. The boxes in the file decide what is done.
 *
 * A task begins in the first column: `- [ ] 1.2 Title`. Its id is `N.M`, `N.M.K`, `V1`, `VF` or
 * `VE1`. It ends at the next box or heading. Other lines that look like boxes are strays: a
 * warning names them, so that no task is lost.
 */

import { blobHash } from "../../src/io/git_objects.ts";
import { quoted } from "../../src/plain_text.ts";
import { few } from "./failures.ts";
import { editLines, type MarkdownLines, markdownLines } from "./markdown.ts";

export interface Task {
  /** `1.2`, `V1`. */
  readonly id: string;
  /** The id, with a number if it occurs more than once: `1.2#2`. */
  readonly key: string;
  /** The position among all tasks, from 0. */
  readonly index: number;
  readonly title: string;
  /** The tags in capitals: `VERIFY`, `FIX 1.2`. */
  readonly tags: readonly string[];
  readonly done: boolean;
  /** The title line and the details, joined with `\n`. */
  readonly block: string;
  /** The line of the box, from 0. */
  readonly line: number;
  /** The line after the block, without trailing empty lines. */
  readonly end: number;
}

/** A line that looks like a box but is not a task. */
interface Stray {
  /** The line, from 0. */
  readonly line: number;
  readonly text: string;
  /** Whether it has an id or a number, so that it is probably meant as a task. */
  readonly numbered: boolean;
  readonly done: boolean;
}

export interface TaskList {
  /** In document order. */
  readonly tasks: readonly Task[];
  readonly open: readonly Task[];
  /** How many tasks are ticked. */
  readonly done: number;
  readonly strays: readonly Stray[];
  /** What to do about open strays that are meant as tasks: with any, the spec is not complete. */
  readonly advice: string | null;
  readonly warnings: readonly string[];
}

const BOX = /^[-*+] \[([ xX])\](?:[ \t]+(.*))?$/;
const END_OF_BLOCK = /^(?:[-*+] \[[ xX]\](?:\s|$)|#{1,6}(?:\s|$))/;
const NUMBERED =
  /^((?:\[[^\]]*\]\s*)*)(\*{2})?(\d+(?:\.\d+)+|VE\d+|VF|V\d+)(?=$|[\s:)*—–]|[.-](?:\s|$))(.*)$/;

/** Lines that people read as boxes: with an odd mark or none, with a number, without a bullet. */
const LOOKS_LIKE_BOX =
  /^(?<indent>[\s>]*)(?:(?:[-*+•]|(?<ordinal>\d+[.)]))\s*\[(?<mark>\s*|[^\w\s[\]]|[xX])\]|\[(?<bare>[ xX])\](?=\s))(?!\()\s*(?<text>.*)$/;
const MEANT_AS_TASK =
  /^(?:\[[^\]]*\]\s*)*[*_`]*(?:task|step)?\s*#?(?:\d+(?:\.\d+)+|VE?\d+\b|VF\b)/i;

export function parseTasks(text: string): TaskList {
  const markdown = markdownLines(text);
  const { lines, isProse, unclosed } = markdown;
  const tasks: Task[] = [];
  const strays: Stray[] = [];
  const counts = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    if (!isProse[index]) continue;
    const box = BOX.exec(line);
    const numbered = box === null ? null : NUMBERED.exec((box[2] ?? "").trim());
    if (numbered === null) {
      const stray = strayIn(line, index);
      if (stray !== null) strays.push(stray);
      continue;
    }
    const id = numbered[3]!;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    const end = endOfBlock(markdown, index);
    tasks.push({
      id,
      key: count === 1 ? id : `${id}#${count}`,
      index: tasks.length,
      ...tagsAndTitle(`${numbered[1]}${numbered[4]}`),
      done: box![1] !== " ",
      block: lines.slice(index, end).join("\n"),
      line: index,
      end,
    });
  }
  const twice = [...counts].filter(([, count]) => count > 1).map(([id]) => id);
  const open = tasks.filter((task) => !task.done);
  const missed = strays.filter((stray) => stray.numbered && !stray.done);
  const looseLines = [...new Set([...missed, ...strays])].map(strayText);
  return {
    tasks,
    open,
    done: tasks.length - open.length,
    strays,
    advice: missed.length > 0 ? adviceOn(missed) : null,
    warnings: [
      ...lackWarning("code fences or comments that are never closed", unclosed.map(lineName)),
      ...lackWarning("ids that occur more than once", twice),
      ...lackWarning("lines that look like a box but are no task", looseLines),
    ],
  };
}

const lackWarning = (lack: string, items: readonly string[]) =>
  items.length > 0 ? [`tasks.md has ${lack}: ${few(items, 12)}`] : [];

function strayIn(line: string, index: number): Stray | null {
  const { indent, ordinal, mark, bare, text = "" } = LOOKS_LIKE_BOX.exec(line)?.groups ?? {};
  if (mark === undefined && bare === undefined) return null;
  // Below a task, numbered boxes are steps, unless they have the id of a task.
  const numbered = MEANT_AS_TASK.test(text) ||
    indent === "" && (ordinal !== undefined || /^\d/.test(text));
  return { line: index, text: line, numbered, done: /x/i.test(mark ?? bare ?? "") };
}

const lineName = (line: number) => `line ${line + 1}`;

const strayText = ({ line, text }: Stray) => `${lineName(line)} ${quoted(text)}`;

/** A sentence on how to correct strays that are meant as tasks. */
function adviceOn(strays: readonly Stray[]): string {
  const lines = few(strays.map(strayText));
  return `tasks.md has lines that are meant as tasks but not written as such: ${lines}. ` +
    'Write each as "- [ ] 1.2 Title" in the first column, tick it, or remove it';
}

export const isVerification = ({ id, tags }: Task) =>
  tags.includes("VERIFY") || /^V(?:\d+|F)$/.test(id);

export const isEndToEnd = ({ id }: Task) => /^VE\d+$/.test(id);

/** Identifies a task and its text: the key with a hash of the block, without the box. */
export function stampOf(task: Task): string {
  const text = task.block.replace(/^([-*+] )\[[ xX]\]/, "");
  return `${task.key}@${blobHash(text, 40).slice(0, 12)}`;
}

/** A field of a task, such as `Verify`, with the lines below it; `null` without one. */
export function taskField(task: Task, name: string): string | null {
  const lines = task.block.split("\n").slice(1);
  const start = lines.findIndex((line) => fieldIn(line)?.name === name.toLowerCase());
  if (start < 0) return null;
  const after = lines.slice(start + 1);
  const end = after.findIndex((line) => fieldIn(line) !== null);
  const rest = (end < 0 ? after : after.slice(0, end)).map((line) => line.trim());
  return [fieldIn(lines[start]!)!.rest, ...rest].filter((line) => line !== "").join("\n");
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
    // `[text](url)` is a link.
    if (tag === null || rest[tag[0].trimEnd().length] === "(") break;
    tags.push(tag[1]!.trim().toUpperCase());
    rest = rest.slice(tag[0].length).replace(/^\*{2}\s*/, "");
  }
  return { tags, title: rest.replace(/\*{2}/g, "").trim() };
}

function endOfBlock({ lines, isProse }: MarkdownLines, start: number): number {
  const isEnd = (at: number) => isProse[at] && END_OF_BLOCK.test(lines[at]!);
  let end = start + 1;
  while (end < lines.length && !isEnd(end)) end++;
  while (end > start + 1 && lines[end - 1]!.trim() === "") end--;
  return end;
}

export function ticked(text: string, task: Task): string {
  return editLines(text, (lines) => {
    lines[task.line] = lines[task.line]!.replace(/\[ \]/, "[x]");
  });
}

export function withBlock(text: string, line: number, block: readonly string[]): string {
  return editLines(text, (lines) => lines.splice(line, 0, ...block));
}

/** The id of a new fix task: the next `N.M.K`, or `N.M` for a check such as `V1`. */
export function fixNumber(task: Task, all: readonly Task[]): string {
  const used = new Set(all.map((other) => other.id));
  const numbered = all.slice(0, task.index + 1).findLast(({ id }) => /^\d/.test(id));
  const base = numbered?.id === task.id ? task.id : numbered?.id.split(".")[0] ?? "1";
  let count = 1;
  while (used.has(`${base}.${count}`)) count++;
  return `${base}.${count}`;
}

/** How deep a fix task is nested; 0 for other tasks. */
export function fixDepth(task: Task): number {
  return task.tags.some((tag) => tag.startsWith("FIX ")) ? task.id.split(".").length - 2 : 0;
}
