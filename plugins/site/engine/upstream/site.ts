/** An assembled site: its runes, tags and configuration, and how to look them up. */

import type { MarkdocNode } from "../../../../src/markdoc/node.ts";
import { quotedName, word } from "../../../../src/plain_text.ts";
import { didYouMean, nearestNames, RefraktError } from "../../../../src/errors.ts";
import type { Memo } from "../../../../src/io/memo.ts";
import { meantPackage } from "../../../../src/packages/names.ts";
import type { Project, SiteConfig } from "../../../../src/plugin/project.ts";
import type { ContentModel, MarkdocSchema, MergedPlugins, Rune, ThemeConfig } from "./shapes.ts";
import type { Upstream } from "./upstream.ts";

export const CORE_PACKAGE = "@refrakt-md/runes";

export interface SiteContext {
  readonly project: Project;
  readonly site: SiteConfig;
  readonly upstream: Upstream;
  /** By name, in the order of the packages. */
  readonly runes: Readonly<Record<string, Rune>>;
  readonly names: ReadonlyMap<string, string>;
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly tags: Readonly<Record<string, MarkdocSchema>>;
  readonly fixtures: Readonly<Record<string, string>>;
  /** `core`, a package, or `local`, by rune. */
  readonly source: Readonly<Record<string, string>>;
  readonly merged: MergedPlugins | undefined;
  readonly config: ThemeConfig;
  readonly failures: readonly RefraktError[];
  /** The values of the site: the first object of a key is the site, or was made from it. */
  readonly memo: Memo;
  /** The files of local runes, absolute. */
  readonly localFiles: readonly string[];
}

/** Finds a rune by name or alias. */
export function findRune(context: SiteContext, name: string): Rune {
  const runeName = context.names.get(name);
  if (runeName !== undefined) return context.runes[runeName]!;
  const guess = didYouMean(name, context.names.keys());
  const message = `Unknown rune ${quotedName(name)}`;
  const [failure] = context.failures;
  if (failure === undefined) {
    throw new RefraktError("NOT_FOUND", message, {
      hint: `${guess} refrakt_reference lists the runes.`.trim(),
      data: { rune: name, nearest: nearestNames(name, context.names.keys()) },
    });
  }
  const failures = failuresOf(context);
  const code = failure.code === "CODE_NOT_TRUSTED" ? failure.code : "PLUGIN_LOAD_FAILED";
  const reasons = failures.map((each) => each.message).join("; ");
  throw new RefraktError(code, `${message}, and not everything could be loaded: ${reasons}`, {
    hint: [failures[0]!.hint, guess].filter(Boolean).join(" "),
    data: { rune: name, ...failure.data },
    cause: failure,
  });
}

/** The failures of the site as one error: a message and a hint. */
function failuresOf({ failures }: SiteContext): Pick<RefraktError, "message" | "hint">[] {
  const ofPlugins = failures.filter(({ data }) => typeof data?.["plugin"] === "string");
  if (ofPlugins.length < 2) return [...failures];
  const plugins = ofPlugins.map(({ data }) => String(data!["plugin"]));
  const meant = plugins.flatMap((name) => meantPackage(name) ?? []).map(quotedName);
  const untrusted = ofPlugins.find(({ code }) => code === "CODE_NOT_TRUSTED");
  return [
    {
      message: `${plugins.length} plugins cannot be loaded: ${plugins.map(word).join(", ")}`,
      hint: meant.length === 0
        ? untrusted?.hint ?? "refrakt_detect has each reason."
        : `Did you mean ${meant.join(", ")}? See refrakt_detect for each reason.`,
    },
    ...failures.filter((failure) => !ofPlugins.includes(failure)),
  ];
}

/** Warnings for every answer about a site; `undefined` without failures. */
export function warningsOf(context: SiteContext): string[] | undefined {
  if (context.failures.length === 0) return undefined;
  return failuresOf(context).map(({ message, hint }) => hint ? `${message}. ${hint}` : message);
}

/** Adds the result's and the site's warnings, if any. */
export function withWarnings<Result extends object>(
  context: SiteContext,
  result: Result,
  warningsOfCall: readonly string[] = [],
): Result & { readonly warnings?: readonly string[] } {
  const warnings = [...warningsOfCall, ...warningsOf(context) ?? []];
  return warnings.length === 0 ? result : { ...result, warnings };
}

/** The aliases of the rune's package and of the config. */
export function aliasesOf(context: SiteContext, rune: Rune): string[] {
  const aliases = new Set([...rune.aliases, ...context.aliases.get(rune.name) ?? []]);
  return [...aliases].filter((alias) => alias !== rune.name);
}

/** The package of a rune; `local` for the project's own. */
export function packageOf(context: SiteContext, rune: Rune): string {
  const source = context.source[rune.name] ?? "core";
  return source === "core" ? CORE_PACKAGE : source;
}

/** The schema of a node's tag; `undefined` if the site has no such tag. */
export function schemaOf(site: SiteContext, node: MarkdocNode): MarkdocSchema | undefined {
  const { tag } = node;
  return tag !== undefined && Object.hasOwn(site.tags, tag) ? site.tags[tag] : undefined;
}

/** The content model of a schema; `undefined` if there is none, or it needs other attributes. */
export function contentModelOf(
  { upstream: { runes } }: SiteContext,
  schema: MarkdocSchema | undefined,
  attributes: Record<string, unknown> = {},
): ContentModel | undefined {
  const declared = schema && runes.schemaContentModels.get(schema);
  try {
    return typeof declared === "function" ? declared(attributes) : declared;
  } catch {
    return undefined;
  }
}

/** Whether a rune keeps its body as a template. */
export function isDeferred(site: SiteContext, node: MarkdocNode): boolean {
  return schemaOf(site, node)?.deferBody === true;
}
