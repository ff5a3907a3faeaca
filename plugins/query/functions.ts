/**
 * The functions of statements that could take minutes for one value: SQLite does not stop in the
 * middle of a function. These take linear time, or refuse texts that are too long together.
 */

import { countAndLimit } from "../../src/plain_text.ts";
import { messageOf } from "../../src/errors.ts";
import type { Pattern, PatternCompiler } from "../../src/io/pattern.ts";

/** A function of statements. It returns null if an argument is null. */
export interface SqlFunction {
  readonly name: string;
  /** How many arguments it takes. */
  readonly arity: number;
  run(...args: readonly unknown[]): number | string | null;
}

/** The largest product of the lengths of a text and of what is searched in it. */
const MOST_COMPARED = 200_000_000;

/** How many compiled patterns are kept. */
const MOST_PATTERNS = 20;

export function boundedFunctions(compile: PatternCompiler): SqlFunction[] {
  const patterns = new Map<string, Pattern>();
  const patternOf = (source: string): Pattern => {
    if (patterns.size > MOST_PATTERNS) patterns.clear();
    return patterns.getOrInsertComputed(source, compile);
  };
  const regexp = (source: string, text: string) => {
    try {
      return patternOf(source).test(text) ? 1 : 0;
    } catch (error) {
      throw new Error(`REGEXP: ${messageOf(error)}`);
    }
  };
  const functions: Record<string, (...args: string[]) => number | string> = {
    regexp,
    instr: (text = "", part = "") => {
      requireShort("instr", text, part);
      const at = text.indexOf(part);
      // SQLite counts characters, not UTF-16 units.
      return at === -1 ? 0 : [...text.slice(0, at)].length + 1;
    },
    replace: (text = "", part = "", by = "") => {
      if (part === "") return text;
      requireShort("replace", text, part);
      return text.replaceAll(part, () => by);
    },
    trim: (text = "", characters = "") => trimmed(text, characters, true, true),
    ltrim: (text = "", characters = "") => trimmed(text, characters, true, false),
    rtrim: (text = "", characters = "") => trimmed(text, characters, false, true),
  };
  return Object.entries(functions).map(([name, run]) => ({
    name,
    arity: name === "replace" ? 3 : 2,
    run: (...args) => args.includes(null) ? null : run(...args.map(String)),
  }));
}

function requireShort(name: string, text: string, part: string): void {
  if (text.length * part.length <= MOST_COMPARED) return;
  throw new Error(
    `${name} takes ${
      countAndLimit(text.length * part.length, "comparisons of characters", MOST_COMPARED)
    }`,
  );
}

/** Removes the given characters from the ends of a text. */
function trimmed(text: string, characters: string, atStart: boolean, atEnd: boolean): string {
  const removed = new Set(characters);
  const all = [...text];
  let [start, end] = [0, all.length];
  while (atStart && start < end && removed.has(all[start]!)) start++;
  while (atEnd && end > start && removed.has(all[end - 1]!)) end--;
  return all.slice(start, end).join("");
}
