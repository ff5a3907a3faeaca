/**
 * Records what a page reads from the passes over all pages, so that its result can be cached until
 * the answers change.
 */

import { fieldOf, isObject } from "../../../../io/json.ts";

/** The answers a page got, as JSON, by question. */
export type Answers = ReadonlyMap<string, string>;

/** The results of the passes; reads are recorded. */
export interface Questions {
  during<Value>(work: (gathered: unknown) => Value): {
    readonly value: Value;
    readonly answers: Answers;
  };
  haveSame(answers: Answers): boolean;
}

/** A read of a plugin's result, or a call of a method on it. */
type Path = readonly [plugin: string, name: string, method?: string, ...args: unknown[]];

/** Depends only on the config, which is constant for a cached build. */
const CONSTANT = new Set(["embedConfig", "xrefPatterns", "repoUrl", "repoBranch"]);

export function questionsOf(gathered: Readonly<Record<string, unknown>>): Questions {
  let asked = new Map<string, string>();
  const known = new Map<string, string>();
  const answer = (question: string): string => {
    let text = known.get(question);
    if (text === undefined) known.set(question, text = written(valueAt(gathered, question)));
    return text;
  };
  const ask = (...path: Path) => {
    const question = JSON.stringify(path);
    if (!asked.has(question)) asked.set(question, answer(question));
  };
  /**
   * Hooks pass on values that few of them read, so a read is recorded on the first property access.
   */
  const watched = (plugin: string, name: string, value: unknown): unknown => {
    if (typeof value !== "object" || value === null) {
      ask(plugin, name);
      return value;
    }
    const isMap = value instanceof Map;
    const answers = (key: PropertyKey) =>
      isMap ? key === "get" || key === "has" : isRegistry(value);
    return new Proxy(value, {
      get(target: object, key) {
        const member = Reflect.get(target, key, target);
        if (typeof member !== "function" || typeof key !== "string" || !answers(key)) {
          ask(plugin, name);
          return isMap && typeof member === "function" ? member.bind(target) : member;
        }
        return (...args: unknown[]) => {
          ask(plugin, name, key, ...args);
          return member.apply(target, args);
        };
      },
      ownKeys(target) {
        ask(plugin, name);
        return Reflect.ownKeys(target);
      },
    });
  };
  const all = Object.fromEntries(
    Object.entries(gathered).map(([plugin, results]) => [
      plugin,
      !isObject(results) ? results : new Proxy(results, {
        get: (target, name) =>
          typeof name !== "string" || CONSTANT.has(name)
            ? Reflect.get(target, name)
            : watched(plugin, name, target[name]),
      }),
    ]),
  );
  return {
    during(work) {
      asked = new Map();
      const value = work(all);
      return { value, answers: asked };
    },
    haveSame: (answers) => answers.entries().every(([question, text]) => answer(question) === text),
  };
}

function isRegistry(value: unknown): value is object {
  return isObject(value) && typeof fieldOf(value, "getById") === "function";
}

function valueAt(gathered: Readonly<Record<string, unknown>>, question: string): unknown {
  const [plugin, name, method, ...args]: Path = JSON.parse(question);
  const value = fieldOf(gathered[plugin], name);
  if (method === undefined) return value;
  const member = fieldOf(value, method);
  // JSON turns omitted arguments into `null`.
  const given = args.map((each) => each ?? undefined);
  return typeof member === "function" ? Reflect.apply(member, value, given) : undefined;
}

/** Serializes a value; functions are compared by identity. */
function written(value: unknown): string {
  try {
    return JSON.stringify(value, function (this: unknown, key, each: unknown) {
      if (each instanceof Map) return [...each];
      if (typeof each !== "function") return each;
      // The embedded text changes with the entity's file.
      return key === "embed" && fieldOf(this, "sourceFile") ? undefined : numberOf(each);
    }) ?? "undefined";
  } catch {
    return `cyclic ${++last}`;
  }
}

const numbers = new WeakMap<object, number>();
let last = 0;

function numberOf(each: object): number {
  let number = numbers.get(each);
  if (number === undefined) numbers.set(each, number = ++last);
  return number;
}
