/**
 * What plugins register for other pages to embed.
 *
 * @module
 */

import type { SiteContext } from "../site.ts";
import type { HookSet } from "./hook_sets.ts";
import type { ReadLog } from "./read_log.ts";

type Entry = Readonly<Record<string, unknown>>;

type Calls = readonly ((registry: unknown, context: unknown) => void)[];

/** What `register` hooks did, as calls to repeat, by all that they did it for. */
export type Registrations = Map<string, Calls>;

/** Pages that a plugin registers together, and what it may learn of them. */
export interface Registered {
  readonly key: string;
  readonly pages: readonly unknown[];
}

/** What a `register` hook calls to leave something behind. */
const LEAVES_SOMETHING = new Set<unknown>(["register", "relate", "info", "warn", "error"]);

/**
 * The hooks of a plugin, which repeat what the plugin has registered for the same. Its entities
 * are read from their files whenever a page shows them: as of 0.29, the packages keep such files
 * parsed for as long as the process runs.
 *
 * @param parts How it registers the pages of the site.
 * @param before What it did the last time.
 * @param now Gets what it does.
 */
export function registering(
  { pluginName, hooks }: HookSet,
  { upstream: { markdoc } }: SiteContext,
  { files }: ReadLog,
  parts: (pages: readonly unknown[]) => readonly Registered[],
  before: Registrations | undefined,
  now: Registrations,
): HookSet {
  const { register } = hooks;
  if (register === undefined) return { pluginName, hooks };
  const embeddable = (entry: Entry): Entry => {
    const { sourceFile, extract, embed } = entry;
    if (typeof sourceFile !== "string" || typeof extract !== "function" || embed !== undefined) {
      return entry;
    }
    return {
      ...entry,
      embed: () => {
        const source = files.read(sourceFile);
        return source === null ? null : extract(markdoc.parse(source));
      },
    };
  };
  const noting = (pages: readonly unknown[], registry: unknown, context: unknown): Calls => {
    const calls: ((registry: unknown, context: unknown) => void)[] = [];
    const noted = (target: unknown, isRegistry: boolean) =>
      new Proxy(target as Record<PropertyKey, (...args: unknown[]) => unknown>, {
        get(methods, key) {
          const value = methods[key];
          if (typeof value !== "function") return value;
          if (!LEAVES_SOMETHING.has(key)) return value.bind(methods);
          return (...args: unknown[]) => {
            const entry = key === "register" ? embeddable(args[0] as Entry) : undefined;
            const call = (on: unknown) => {
              // Later hooks may change an entity.
              const given = entry === undefined ? args : [{ ...entry }];
              return (on as typeof methods)[key]!(...given);
            };
            calls.push((registry, context) => call(isRegistry ? registry : context));
            return call(methods);
          };
        },
      });
    register.call(hooks, pages, noted(registry, true), noted(context, false));
    return calls;
  };
  // The second time is about pages that hooks have contributed.
  let isFirst = true;
  return {
    pluginName,
    hooks: {
      ...hooks,
      register(all: readonly unknown[], registry: unknown, context: unknown) {
        if (!isFirst) return void noting(all, registry, context);
        isFirst = false;
        for (const { key, pages } of parts(all)) {
          const known = before?.get(key);
          known?.forEach((repeat) => repeat(registry, context));
          now.set(key, known ?? noting(pages, registry, context));
        }
      },
    },
  };
}
