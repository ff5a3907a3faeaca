/**
 * What a plugin registers when it looks at all pages. A plugin that also reads files of the
 * project, such as the plan's, takes most of the time of the passes; where neither its files nor
 * its runes have changed, what it registered before is registered again.
 *
 * @module
 */

import { asObject } from "../../../io/json.ts";
import type { HookSet } from "./hook_sets.ts";
import type { SiteContext } from "../site.ts";
import { areCurrent, type ReadLog, type Reads } from "./read_log.ts";

/** What the hooks of one plugin have registered for a site. */
interface Registered {
  /** What its runes say on each page. */
  readonly runes: string;
  readonly reads: Reads;
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  readonly messages: readonly Said[];
}

/** What a hook says: by which method of its context, and with which arguments. */
type Said = readonly [method: typeof METHODS[number], ...args: readonly unknown[]];

const METHODS = ["info", "warn", "error"] as const;

type Context = Readonly<Record<typeof METHODS[number], (...args: readonly unknown[]) => void>>;

/** The registrations of the plugins of a site, by the name of the plugin. */
export type Registrations = Map<string, Registered>;

interface Registry {
  register(entry: Readonly<Record<string, unknown>>): void;
}

/** Which site's pages the variables of a plugin hold: it is not asked again for the same. */
const holders = new WeakMap<object, Registrations>();

/**
 * The hooks of a plugin, whose registering is skipped where it would register the same.
 *
 * @param runes What runes that are not the core's say on each page.
 */
export function registeringOnce(
  { pluginName, hooks }: HookSet,
  known: Registrations,
  runes: string,
  log: ReadLog,
): HookSet {
  const { register } = hooks;
  if (register === undefined) return { pluginName, hooks };
  return {
    pluginName,
    hooks: {
      ...hooks,
      register(pages: unknown, registry: Registry, context: Context) {
        const before = known.get(pluginName);
        const isSame = before !== undefined && holders.get(hooks) === known &&
          before.reads.size > 0 && before.runes === runes && areCurrent(before.reads);
        if (isSame) {
          for (const [method, ...said] of before.messages) context[method](...said);
          for (const entry of before.entries) registry.register(copyOfEntry(entry));
          for (const path of before.reads.keys()) log.note(path);
          return;
        }
        const entries: Readonly<Record<string, unknown>>[] = [];
        const messages: Said[] = [];
        const recording = overRegister(registry, (entry) => {
          entries.push(entry);
          registry.register(entry);
        });
        const overheard = METHODS.map((method) => [method, (...said: readonly unknown[]) => {
          messages.push([method, ...said]);
          context[method](...said);
        }]);
        const { value, reads } = log.duringSync(() =>
          register.call(hooks, pages, recording, Object.fromEntries(overheard))
        );
        holders.set(hooks, known);
        known.set(pluginName, { runes, reads, entries: entries.map(copyOfEntry), messages });
        return value;
      },
    },
  };
}

/** Later passes change entries in place. */
function copyOfEntry(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...entry, data: { ...asObject(entry["data"]) } };
}

/**
 * The hooks of a plugin, whose entities are read from their files whenever a page shows them. As of
 * 0.29, the packages keep such files parsed for as long as the process runs.
 */
export function embeddingFresh(
  { pluginName, hooks }: HookSet,
  { markdoc }: SiteContext["upstream"],
  { files }: ReadLog,
): HookSet {
  const { register } = hooks;
  if (register === undefined) return { pluginName, hooks };
  const embeddable = (entry: Readonly<Record<string, unknown>>) => {
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
  return {
    pluginName,
    hooks: {
      ...hooks,
      register: (pages: unknown, registry: Registry, context: unknown) =>
        register.call(
          hooks,
          pages,
          overRegister(registry, (entry) => registry.register(embeddable(entry))),
          context,
        ),
    },
  };
}

/** A registry with another way to register. */
function overRegister(registry: Registry, register: Registry["register"]): Registry {
  return new Proxy(registry, {
    get(target, key) {
      if (key === "register") return register;
      const value = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
