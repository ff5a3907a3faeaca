/**
 * What a page asks of the passes over all pages, so that its result can be kept for as long as
 * the answers are the same.
 *
 * @module
 */

import { fieldOf, isObject } from "../../../io/json.ts";

/** The answers that a page got, as text, by its questions. */
export type Answers = ReadonlyMap<string, string>;

/** What the passes gathered, with a record of what is asked of it. */
export interface Questions {
  during<Value>(work: (gathered: unknown) => Value): {
    readonly value: Value;
    readonly answers: Answers;
  };
  haveSame(answers: Answers): boolean;
}

/** A question: of a plugin's results, the one of a name, and what its method answers. */
type Path = readonly [plugin: string, name: string, method?: string, ...args: unknown[]];

/** Of the site and its settings: the same for as long as builds are kept. */
const CONSTANT = new Set(["embedConfig", "xrefPatterns", "repoUrl", "repoBranch"]);

/** Records what is asked of `gathered`: the results of each plugin, by its name. */
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
  /** Hooks hand on what few of them look into, so it counts as asked for when they do. */
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
    haveSame: (answers) => {
      for (const [question, text] of answers) {
        if (answer(question) !== text) return false;
      }
      return true;
    },
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
  // An argument that was left out is `null` in JSON.
  const given = args.map((each) => each ?? undefined);
  return typeof member === "function" ? Reflect.apply(member, value, given) : undefined;
}

/** A value as text; functions have a number each, as they cannot be compared. */
function written(value: unknown): string {
  try {
    return JSON.stringify(value, function (this: unknown, key, each: unknown) {
      if (each instanceof Map) return [...each];
      if (typeof each !== "function") return each;
      // What an entity of a file embeds changes with the file.
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
