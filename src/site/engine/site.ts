/**
 * Everything that the tools need to know about one site, and how to look things up in it.
 *
 * @module
 */

import { didYouMean, nearest, RefraktError } from "../../errors.ts";
import { textOf } from "../../io/json.ts";
import { meantPackage } from "../../project/first_party.ts";
import type { Project } from "../../project/project.ts";
import type { SiteConfig } from "../../project/sites.ts";
import type { MarkdocSchema, MergedPlugins, Rune, ThemeConfig } from "./shapes.ts";
import type { Upstream } from "./upstream.ts";

/** The package name that core runes go by. */
export const CORE_PACKAGE = "@refrakt-md/runes";

/** One site, assembled. */
export interface SiteContext {
  readonly project: Project;
  readonly site: SiteConfig;
  readonly upstream: Upstream;
  /** The runes by name, in the order in which the packages define them. */
  readonly runes: Readonly<Record<string, Rune>>;
  readonly names: ReadonlyMap<string, string>;
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly tags: Readonly<Record<string, MarkdocSchema>>;
  readonly fixtures: Readonly<Record<string, string>>;
  /** Where each rune comes from: `core`, a package, or `local`. */
  readonly source: Readonly<Record<string, string>>;
  readonly merged: MergedPlugins | undefined;
  readonly config: ThemeConfig;
  readonly failures: readonly RefraktError[];
  /** The files of its local runes, with their stamps. */
  readonly files: ReadonlyMap<string, string>;
}

/** Finds a rune by its name, an alias of its package or an alias of the config. */
export function findRune(context: SiteContext, name: string): Rune {
  const own = context.names.get(name);
  if (own !== undefined) return context.runes[own]!;
  const guess = didYouMean(name, context.names.keys());
  const failure = context.failures[0];
  if (failure !== undefined) {
    throw new RefraktError(
      "PLUGIN_LOAD_FAILED",
      `Unknown rune "${name}", and not everything could be loaded: ${
        failuresOf(context).map((each) => each.message).join("; ")
      }`,
      {
        hint: [failuresOf(context)[0]!.hint, guess].filter(Boolean).join(" "),
        data: { rune: name, ...failure.data },
        cause: failure,
      },
    );
  }
  throw new RefraktError("NOT_FOUND", `Unknown rune "${name}"`, {
    hint: [guess, "Call refrakt.inspect_list to see the runes."].filter(Boolean).join(" "),
    data: { rune: name, nearest: nearest(name, context.names.keys()) },
  });
}

/** What could not be loaded; however many plugins are missing, they are one line. */
function failuresOf({ failures }: SiteContext): { message: string; hint?: string | undefined }[] {
  const ofPlugin = ({ data }: RefraktError) => typeof data?.["plugin"] === "string";
  const plugins = failures.flatMap(({ data }) => textOf(data?.["plugin"]) ?? []);
  if (plugins.length < 2) return [...failures];
  const meant = plugins.flatMap((name) => meantPackage(name) ?? []).map((name) => `"${name}"`);
  return [
    {
      message: `${plugins.length} plugins cannot be loaded: ${plugins.join(", ")}`,
      hint: meant.length === 0
        ? "Install them (npm install --save-dev), or see refrakt.detect for each reason."
        : `Did you mean ${meant.join(", ")}? See refrakt.detect for each reason.`,
    },
    ...failures.filter((failure) => !ofPlugin(failure)),
  ];
}

/** The warnings that belong into every answer about a site; `undefined` where there are none. */
export function warningsOf(context: SiteContext): string[] | undefined {
  if (context.failures.length === 0) return undefined;
  return failuresOf(context).map(({ message, hint }) => hint ? `${message}. ${hint}` : message);
}

/** What a result says beside its data. */
export type WithWarnings = {
  readonly warnings?: readonly string[];
};

/** Adds warnings of a result, and the site's own, where there are any. */
export function withWarnings<Result extends object>(
  context: SiteContext,
  result: Result,
  own: readonly string[] = [],
): Result & WithWarnings {
  const warnings = [...own, ...warningsOf(context) ?? []];
  return warnings.length === 0 ? result : { ...result, warnings };
}

/** Every name that a rune goes by besides its own: the package's aliases and the config's. */
export function aliasesOf(context: SiteContext, rune: Rune): string[] {
  return [...new Set([...rune.aliases, ...context.aliases.get(rune.name) ?? []])];
}

/** The package that a rune comes from; `local` for the project's own. */
export function packageOf(context: SiteContext, rune: Rune): string {
  const source = context.source[rune.name] ?? "core";
  return source === "core" ? CORE_PACKAGE : source;
}

/** Makes a memo: asked again for the same object, it answers what was computed the first time. */
export function createMemo<Key extends object, Value>(): (key: Key, make: () => Value) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key, make) => {
    let entry = known.get(key);
    if (entry === undefined) {
      entry = { value: make() };
      known.set(key, entry);
    }
    return entry.value;
  };
}
