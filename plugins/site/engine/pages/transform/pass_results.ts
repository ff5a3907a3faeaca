/**
 * Records what a page reads of the results of the passes over all pages, so that its own result can
 * be cached until one of these values changes.
 */

import { fieldOf, isObject } from "../../../../../src/io/json.ts";
import { entityCounter, type EntityRegistry } from "./entity_counter.ts";

/** The values that a page read, as JSON, by the path of the read. */
export type ValuesRead = ReadonlyMap<string, string>;

export interface PassResults {
  /** Passes the results to `work` on a tree and records what it reads, which may be too much. */
  during<Value>(tree: unknown, work: (results: Readonly<Record<string, unknown>>) => Value): {
    readonly value: Value;
    readonly valuesRead: ValuesRead;
  };
  /** Whether these results contain the same values. */
  contain(valuesRead: ValuesRead): boolean;
}

/** A read of a plugin's result, or a call of a method on it. */
type Path = readonly [plugin: string, name: string, method?: string, ...args: unknown[]];

/** Depends only on the config, which is constant for a cached build. */
const CONSTANT = new Set(["embedConfig", "xrefPatterns", "repoUrl", "repoBranch"]);

export function passResults(results: Readonly<Record<string, unknown>>): PassResults {
  let recorded = new Map<string, string>();
  const cache = new Map<string, string>();
  const registry = fieldOf(results["__core__"], "registry");
  const counter = entityCounter(isRegistry(registry) ? registry : undefined);
  const valueOf = (path: string): string => {
    const read = () => counter.except(() => asJson(valueAt(results, path)));
    return cache.getOrInsertComputed(path, read);
  };
  const record = (...parts: Path) => {
    const path = JSON.stringify(parts);
    recorded.getOrInsertComputed(path, valueOf);
  };
  /**
   * Hooks pass on values that few of them read, so a read is recorded on the first property access.
   */
  const watched = (plugin: string, name: string, value: unknown): unknown => {
    if (typeof value !== "object" || value === null) {
      record(plugin, name);
      return value;
    }
    const isMap = value instanceof Map;
    const isLookup = (key: PropertyKey) =>
      isMap ? key === "get" || key === "has" : isRegistry(value);
    return new Proxy(value, {
      get(target: object, key) {
        const member = Reflect.get(target, key, target);
        if (typeof member !== "function" || typeof key !== "string" || !isLookup(key)) {
          record(plugin, name);
          return isMap && typeof member === "function" ? member.bind(target) : member;
        }
        return (...args: unknown[]) => {
          record(plugin, name, key, ...args);
          const value = counter.except(() => member.apply(target, args));
          if (Array.isArray(value)) counter.compare(value.length);
          return value;
        };
      },
      ownKeys(target) {
        record(plugin, name);
        return Reflect.ownKeys(target);
      },
    });
  };
  const recording = Object.fromEntries(
    Object.entries(results).map(([plugin, own]) => [
      plugin,
      !isObject(own) ? own : new Proxy(own, {
        get: (target, name) =>
          typeof name !== "string" || CONSTANT.has(name)
            ? Reflect.get(target, name)
            : watched(plugin, name, target[name]),
      }),
    ]),
  );
  return {
    during(tree, work) {
      recorded = new Map();
      const value = counter.during(tree, () => work(recording));
      return { value, valuesRead: recorded };
    },
    contain: (valuesRead) => valuesRead.entries().every(([path, text]) => valueOf(path) === text),
  };
}

function isRegistry(value: unknown): value is EntityRegistry {
  return isObject(value) && typeof fieldOf(value, "getById") === "function";
}

function valueAt(results: Readonly<Record<string, unknown>>, path: string): unknown {
  const [plugin, name, method, ...args]: Path = JSON.parse(path);
  const value = fieldOf(results[plugin], name);
  if (method === undefined) return value;
  const member = fieldOf(value, method);
  // JSON turns omitted arguments into `null`.
  const given = args.map((each) => each ?? undefined);
  return typeof member === "function" ? Reflect.apply(member, value, given) : undefined;
}

/** Serializes a value; functions are compared by identity. */
function asJson(value: unknown): string {
  try {
    return JSON.stringify(value, function (this: unknown, _key, each: unknown) {
      if (each instanceof Map) return [...each];
      if (typeof each !== "function") return each;
      // What these functions return changes with the entity's file.
      return fieldOf(this, "sourceFile") ? undefined : identityOf(each);
    }) ?? "undefined";
  } catch {
    return `cyclic ${crypto.randomUUID()}`;
  }
}

/** Names of functions. */
const identities = new WeakMap<object, string>();

function identityOf(each: object): string {
  return identities.getOrInsertComputed(each, () => crypto.randomUUID());
}
