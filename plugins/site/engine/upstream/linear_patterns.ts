/**
 * The refrakt packages match globs and regular expressions of pages and configs with JavaScript's
 * engine, which may take minutes and cannot be stopped. Here, they get patterns that match in linear
 * time.
 */

import { messageOf, RefraktError } from "../../../../src/errors.ts";
import { type Pattern, type PatternCompiler, patternCompiler } from "../../../../src/io/pattern.ts";
import { countAndLimit, quoted } from "../../../../src/plain_text.ts";

/** The most steps in one turn of the event loop: about half a second. */
const MATCH_STEPS = 50_000_000;
/** How many steps compiling takes for each instruction. */
const COMPILE_STEPS = 1000;

/** Calls a function of a package while `new RegExp` makes patterns that match in linear time. */
type Linearly = <Value>(work: () => Value) => Value;

/** Loads the engine. */
export async function linearPatterns(): Promise<Linearly> {
  const native = globalThis.RegExp;
  const refusals: Error[] = [];
  const Linear = linearRegExp(countedCompiler(await patternCompiler()), refusals);
  const linear: RegExpConstructor = new Proxy(native, {
    construct: (target, args, called) =>
      typeof args[0] === "string" && called === linear
        ? new Linear(args[0], args[1])
        : Reflect.construct(target, args, called === linear ? target : called),
  });
  return (work) => {
    const before = globalThis.RegExp;
    if (before === linear) return work();
    refusals.length = 0;
    globalThis.RegExp = linear;
    let value;
    try {
      value = work();
    } finally {
      globalThis.RegExp = before;
    }
    // The packages treat a pattern that throws as plain text.
    if (refusals.length > 0) throw refusals[0];
    return value;
  };
}

function linearRegExp(compile: PatternCompiler, refusals: Error[]) {
  return class extends RegExp {
    override exec(text: string): RegExpExecArray | null {
      const flags = this.flags.replace(/[^ims]/g, "");
      const from = this.global || this.sticky ? this.lastIndex : 0;
      try {
        const pattern = compile(flags === "" ? this.source : `(?${flags})${this.source}`);
        const match = pattern.exec(text, from);
        const isMatch = match !== null && (!this.sticky || match.index === from);
        if (this.global || this.sticky) {
          this.lastIndex = isMatch ? match.index + match[0].length : 0;
        }
        return isMatch ? match : null;
      } catch (error) {
        const reason = `The pattern ${quoted(this.source)} is refused: ${messageOf(error)}`;
        refusals.push(
          new RefraktError("VALIDATION_ERROR", reason, { hint: "Write a simpler pattern." }),
        );
        throw refusals.at(-1);
      }
    }
  };
}

/** Counts the steps of all patterns. None is kept, so that each run counts the same. */
function countedCompiler(compile: PatternCompiler): PatternCompiler {
  const patterns = new Map<string, Pattern>();
  const counter = { steps: 0 };
  const take = (steps: number) => {
    if (counter.steps === 0) {
      setTimeout(() => {
        counter.steps = 0;
        patterns.clear();
      });
    }
    counter.steps += steps;
    if (counter.steps <= MATCH_STEPS) return;
    throw new Error(`matches take ${countAndLimit(counter.steps, "steps or more", MATCH_STEPS)}`);
  };
  const counted = (source: string): Pattern => {
    const pattern = compile(source);
    take(pattern.size * COMPILE_STEPS);
    return {
      ...pattern,
      exec(text, from = 0) {
        take((text.length - from + 1) * pattern.size);
        return pattern.exec(text, from);
      },
    };
  };
  return (source) => patterns.getOrInsertComputed(source, counted);
}
