/**
 * What plugins register for other pages to embed.
 *
 * @module
 */

import type { SiteContext } from "../site.ts";
import type { HookSet } from "./hook_sets.ts";
import type { ReadLog } from "./read_log.ts";

interface Registry {
  register(entry: Readonly<Record<string, unknown>>): void;
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
          new Proxy(registry, {
            get(target, key) {
              if (key === "register") {
                return (entry: Readonly<Record<string, unknown>>) =>
                  target.register(embeddable(entry));
              }
              const value = Reflect.get(target, key);
              return typeof value === "function" ? value.bind(target) : value;
            },
          }),
          context,
        ),
    },
  };
}
