/**
 * Regular expressions of callers, repositories and plugins. RE2 runs them in linear time, without
 * lookaround and references to groups: JavaScript's engine takes minutes for `^(a+)+$` and thirty
 * characters, and cannot be stopped.
 */

import { countAndLimit } from "../plain_text.ts";
import { messageOf } from "../errors.ts";
import { lazily } from "./lazily.ts";

/** The longest pattern, in characters. */
const MOST_PATTERN = 1000;

/** How many steps a match may take: characters of the text times instructions of the pattern. */
const MOST_STEPS = 50_000_000;

export interface Pattern {
  /** The number of instructions: a match takes so many steps for each character at most. */
  readonly size: number;
  /**
   * Whether a part of the text matches.
   *
   * @throws {Error} If text and pattern together are too long.
   */
  test(text: string): boolean;
  /** The first match, like the method of JavaScript's regular expressions. */
  exec(text: string, from?: number): RegExpExecArray | null;
}

/** Compiles a pattern in JavaScript's or RE2's notation; `(?i)` at the start ignores case. */
export type PatternCompiler = (source: string) => Pattern;

/** Loads the engine. */
export const patternCompiler: () => Promise<PatternCompiler> = lazily(
  async (): Promise<PatternCompiler> => {
    const { RE2JS } = await import("re2js");
    return (source) => {
      if (source.length > MOST_PATTERN) {
        throw new Error(`it has ${countAndLimit(source.length, "characters", MOST_PATTERN)}`);
      }
      const pattern = compileOrExplain(() => RE2JS.compile(RE2JS.translateRegExp(source)));
      const size = pattern.programSize();
      const mostText = Math.floor(MOST_STEPS / size);
      const checked = (text: string) => {
        if (text.length <= mostText) return text;
        throw new Error(
          `${JSON.stringify(source)} reads at most ${mostText} characters, not ${text.length}`,
        );
      };
      return {
        size,
        test: (text) => pattern.test(checked(text)),
        exec: (text, from = 0) => {
          const matcher = pattern.matcher(checked(text));
          if (from > text.length || !matcher.find(from)) return null;
          const groups = Array.from(
            { length: matcher.groupCount() + 1 },
            (_, at) => matcher.group(at) ?? undefined,
          );
          const { index, named } = { index: matcher.start(), named: matcher.getNamedGroups() };
          return Object.assign(groups, { index, input: text, groups: named }) as RegExpExecArray;
        },
      };
    };
  },
);

function compileOrExplain<Value>(compile: () => Value): Value {
  try {
    return compile();
  } catch (error) {
    const reason = messageOf(error).replace(/^error parsing regexp: /, "");
    throw new Error(`${reason} (RE2 has no lookahead, lookbehind or references to groups)`);
  }
}
