/**
 * `refrakt.reference`: how runes are written, for authors. It computes text and
 * data, and never writes a file.
 *
 * @module
 */

import { z } from "zod";
import { didYouMean, RefraktError } from "../errors.ts";
import type { Project } from "../project/project.ts";
import { type TextResult, withText } from "../surface/result.ts";
import { defineTool, type Tool } from "../surface/tool.ts";
import {
  aliasesOf,
  CORE_PACKAGE,
  findRune,
  memoized,
  type SiteContext,
  siteContext,
  withWarnings,
} from "./site_context.ts";
import type {
  ReferenceContext,
  RuneInfo,
  SerializedAttribute,
  SerializedRune,
} from "./upstream.ts";

/** What {@linkcode reference} takes. */
export interface ReferenceInput {
  /** One rune; the whole vocabulary where it is left out. */
  readonly rune?: string | undefined;
  /** `json` unless told otherwise. */
  readonly format?: "json" | "markdown" | undefined;
  /** Only the runes of this package; `core` and `local` are packages too. */
  readonly plugin?: string | undefined;
  /** The site. */
  readonly site?: string | undefined;
  /** `full` gives everything about every rune of the vocabulary. */
  readonly detail?: "full" | undefined;
}

/** What the whole vocabulary may take, so that it is not cut on its way to the client. */
const BUDGET = 58_000;

/** How much is said about each rune of the vocabulary, most first. */
const DETAILS = ["attributes", "types", "names", "runes"] as const;
type Detail = typeof DETAILS[number];

/**
 * The reference of one rune, or of all.
 *
 * @throws {RefraktError} `NOT_FOUND` for an unknown rune or package, and the errors of the site.
 */
export async function reference(
  project: Project,
  input: ReferenceInput,
): Promise<Record<string, unknown> | TextResult> {
  const context = await siteContext(project, input.site);
  const plugin = input.plugin === undefined ? undefined : findPlugin(context, input.plugin);
  if (input.rune !== undefined) {
    const info = infoOf(context, input.rune, plugin);
    if (input.format !== "markdown") {
      return withWarnings(context, { ...context.upstream.runes.serializeRune(info, info.plugin) });
    }
    const text = context.upstream.runes.describeRune(info);
    return asText(context, text, { rune: info.name });
  }
  const key = `reference:${JSON.stringify([input.format, input.detail, plugin])}`;
  return memoized(context, key, () => vocabulary(context, input, plugin));
}

function vocabulary(
  context: SiteContext,
  input: ReferenceInput,
  plugin: string | undefined,
): Record<string, unknown> | TextResult {
  const markdown = input.format === "markdown";
  const infos = allInfos(context).filter((info) => plugin === undefined || info.plugin === plugin);
  if (markdown) {
    const text = input.detail === "full"
      ? fullMarkdown(context, plugin, infos)
      : fitting((detail) => briefMarkdown(context, infos, detail), (made) => made);
    return asText(context, text, { runes: infos.length });
  }
  const runes = infos.map((info) => context.upstream.runes.serializeRune(info, info.plugin));
  if (input.detail === "full") return withWarnings(context, { detail: "full", runes });
  return fitting((detail) =>
    withWarnings(context, {
      detail,
      hint: 'For attributes in full, content model and example: { "rune": "<name>" }.',
      universal: universalNames(context),
      runes: runes.map((rune) => briefRune(rune, detail)),
    }), JSON.stringify);
}

/** Tries one detail after the other, until the result fits. */
function fitting<Result>(
  make: (detail: Detail) => Result,
  textOf: (made: Result) => string,
): Result {
  for (const detail of DETAILS.slice(0, -1)) {
    const made = make(detail);
    if (textOf(made).length <= BUDGET) return made;
  }
  return make("runes");
}

function briefRune(rune: SerializedRune, detail: Detail): Record<string, unknown> {
  const { name, plugin, aliases, description, attributes: { own, base } } = rune;
  const head = { name, plugin, aliases, description };
  if (detail === "runes") return head;
  if (detail === "names") return { ...head, attributes: Object.keys(own) };
  const attributes = detail === "attributes"
    ? own
    : mapValues(own, ({ description: _, ...type }) => type);
  return { ...head, attributes: { own: attributes, ...(base ? { base: base.name } : {}) } };
}

function briefMarkdown(context: SiteContext, infos: readonly RuneInfo[], detail: Detail): string {
  const lines = [
    "# Runes",
    "",
    `Every rune also takes: ${universalNames(context).join(", ")}.`,
  ];
  const groups = new Map<string, SerializedRune[]>();
  for (const info of infos) {
    const rune = context.upstream.runes.serializeRune(info, info.plugin);
    groups.set(rune.plugin, [...groups.get(rune.plugin) ?? [], rune]);
  }
  const order = [...groups.keys()].sort((a, b) =>
    Number(b === "core") - Number(a === "core") || a.localeCompare(b)
  );
  for (const plugin of order) {
    lines.push("", `## ${plugin === "core" ? `${CORE_PACKAGE} (core)` : plugin}`, "");
    for (const rune of groups.get(plugin)!) {
      const aliases = rune.aliases.length === 0 ? "" : ` (or ${rune.aliases.join(", ")})`;
      lines.push(`- **${rune.name}**${aliases}: ${rune.description}`);
      if (detail === "runes") continue;
      for (const [name, attribute] of Object.entries(rune.attributes.own)) {
        lines.push(`  - ${name}${detail === "names" ? "" : `: ${typeText(attribute, detail)}`}`);
      }
    }
  }
  return `${lines.join("\n")}\n`;
}

function typeText(attribute: SerializedAttribute, detail: Detail): string {
  const values = attribute.matches?.map((value) => JSON.stringify(value)).join(" | ");
  const required = attribute.required ? ", required" : "";
  const about = detail === "attributes" && attribute.description
    ? `; ${attribute.description}`
    : "";
  return `${values ?? attribute.type}${required}${about}`;
}

function fullMarkdown(
  context: SiteContext,
  plugin: string | undefined,
  infos: readonly RuneInfo[],
): string {
  const whole = referenceContext(context);
  const runes = plugin === undefined ? whole.runes : Object.fromEntries(
    infos.map(({ name }) => [name, whole.runes[name]!]),
  );
  return context.upstream.runes.renderReferenceMarkdown({ ...whole, runes });
}

function asText(
  context: SiteContext,
  markdown: string,
  facts: Record<string, unknown>,
): TextResult {
  return withText(markdown, withWarnings(context, { format: "markdown", ...facts, markdown }));
}

function infoOf(context: SiteContext, name: string, plugin: string | undefined): RuneInfo {
  const rune = findRune(context, name);
  const info = context.upstream.runes.hydrateRuneByName(referenceContext(context), rune.name)!;
  if (plugin === undefined || info.plugin === plugin) return info;
  throw new RefraktError("NOT_FOUND", `Rune "${name}" is not in ${plugin}, but in ${info.plugin}`, {
    hint: "Leave out plugin.",
  });
}

/** Every rune that a page can have, by name; children that only others make are left out. */
function allInfos(context: SiteContext): readonly RuneInfo[] {
  return memoized(
    context,
    "reference:infos",
    () => context.upstream.runes.hydrateAllRuneInfos(referenceContext(context)),
  );
}

/** The runes as the reference functions want them, with the aliases of the config. */
function referenceContext(context: SiteContext): ReferenceContext {
  return memoized(context, "reference:context", () => ({
    runes: Object.fromEntries(
      Object.entries(context.runes).map(([name, rune]) => [
        name,
        context.aliases.has(name)
          ? Object.create(rune, { aliases: { value: aliasesOf(context, rune), enumerable: true } })
          : rune,
      ]),
    ),
    fixtures: context.fixtures,
    source: context.source,
  }));
}

function findPlugin(context: SiteContext, wanted: string): string {
  const known = new Set(Object.values(context.source));
  if (wanted === CORE_PACKAGE) return "core";
  for (const name of [wanted, `@refrakt-md/${wanted}`]) if (known.has(name)) return name;
  const failed = context.failures.find((failure) => failure.data?.["plugin"] === wanted);
  if (failed !== undefined) throw failed;
  throw new RefraktError("NOT_FOUND", `No runes of a package "${wanted}" on this site`, {
    hint: `${didYouMean(wanted, known)} The packages are: ${[...known].join(", ")}.`.trim(),
  });
}

function universalNames(context: SiteContext): string[] {
  return [...context.upstream.runes.UNIVERSAL_ATTRIBUTE_NAMES ?? []];
}

function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

/** The tool of this file. */
export const referenceTool: Tool = defineTool({
  name: "refrakt.reference",
  title: "Rune reference",
  description:
    "How runes are written: purpose, attributes, content, example. With rune, everything about that " +
    "one; without, the whole vocabulary of the site in brief.",
  input: z.strictObject({
    rune: z.string().min(1).optional().describe("Name or alias; all runes where it is left out"),
    format: z.enum(["json", "markdown"]).optional().describe("json by default"),
    plugin: z.string().min(1).optional().describe('A package, "core" or "local"'),
    site: z.string().optional().describe("Needed where the project has several sites"),
    detail: z.literal("full").optional().describe("Everything about every rune; large"),
  }),
  annotations: { readOnlyHint: true, idempotentHint: true },
  needs: ["site"],
  run: (input, { project }) => reference(project, input),
});
