/** The reference of runes: in full, or as one signature each. */

import { didYouMean, RefraktError } from "../../../../src/errors.ts";
import { asObject, defined, textsOf, unlessEmpty } from "../../../../src/io/json.ts";
import { quotedName, shortText, word } from "../../../../src/plain_text.ts";
import { isUniversal, variantsOf } from "../runes/edit_example.ts";
import { siteNames } from "../pages/read/scope.ts";
import { workingExample } from "./working_example.ts";
import type {
  ReferenceContext,
  Rune,
  RuneInfo,
  SerializedAttribute,
  SerializedRune,
} from "../upstream/shapes.ts";
import {
  aliasesOf,
  contentModelOf,
  CORE_PACKAGE,
  findRune,
  packageOf,
  type SiteContext,
  withWarnings,
} from "../upstream/site.ts";

interface ReferenceInput {
  readonly rune?: string | undefined;
  readonly runes?: readonly string[] | undefined;
  readonly format?: "json" | "markdown" | undefined;
  /** A package name, `core` or `local`. */
  readonly plugin?: string | undefined;
  readonly universal?: boolean | undefined;
  /** Describes every rune in full. */
  readonly detail?: "full" | undefined;
}

/** `text` is present for Markdown. */
export interface RuneReference {
  readonly text?: string;
  readonly data: Record<string, unknown>;
}

export async function describeRunes(
  context: SiteContext,
  input: ReferenceInput,
): Promise<RuneReference> {
  const { rune, format } = input;
  const universal = input.universal === true ? await universalOf(context) : undefined;
  const runes = rune === undefined ? input.runes : [rune];
  const plugin = input.plugin === undefined ? undefined : findPlugin(context, input.plugin);
  if (runes === undefined) {
    const universalNames = universal && [...universal.values()];
    const key = JSON.stringify([format, input.detail, plugin, universalNames]);
    const make = () => vocabulary(context, input, plugin, universalNames);
    return context.memo([context, "vocabulary", key], make);
  }
  const infos = runes.map((name) => infoOf(context, name, plugin));
  if (format === "markdown") {
    const texts = infos.map((info) => inMarkdown(context, info, universal !== undefined));
    const facts = rune === undefined ? { runes: infos.length } : { rune: infos[0]!.name };
    return asText(context, texts.join("\n\n"), facts);
  }
  const all = infos.map((info) => runeInFull(context, info, universal));
  return { data: withWarnings(context, rune === undefined ? { runes: all } : all[0]!) };
}

/** The attributes of every rune, with their values by name: `width=content|wide|full`. */
async function universalOf(context: SiteContext): Promise<Map<string, string>> {
  const { tint, background } = await siteNames(context);
  const sets: Readonly<Record<string, ReadonlySet<string> | undefined>> = { tint, bg: background };
  const schema = context.runes["hint"]?.schema.attributes ?? {};
  const universal = new Map<string, string>();
  for (const name of context.upstream.runes.UNIVERSAL_ATTRIBUTE_NAMES) {
    const { matches, type } = schema[name] ?? {};
    const values = Array.isArray(matches) ? matches.map(String) : [...sets[name] ?? []];
    const kind = typeof type === "function" ? type.name.toLowerCase() : "text";
    universal.set(name, `${name}=${values.length > 0 ? values.join("|") : kind}`);
  }
  return universal;
}

/** A rune in full; with `universal`, also the attributes that every rune takes. */
function runeInFull(
  context: SiteContext,
  info: RuneInfo,
  universal: ReadonlyMap<string, string> | undefined,
): Record<string, unknown> {
  const { runes } = context.upstream;
  const rune = serializeRune(context, info);
  const { universal: names, ...runeAttributes } = asObject(rune["attributes"]);
  // Some runes, such as icon, take none of them.
  const accepted = universal && textsOf(names).flatMap((name) => universal.get(name) ?? []);
  // The packages' own reference omits the models under conditions, though examples use them.
  const branches = (contentModelOf(context, info.schema)?.when ?? [])
    .map(({ condition, model }) => ({ condition, contentModel: runes.stripContentModel(model) }));
  return defined({
    ...rune,
    attributes: defined({ ...runeAttributes, universal: accepted }),
    contentModelWhen: unlessEmpty(branches),
  });
}

/** A rune as the packages describe it, with a note on its example. */
function serializeRune(context: SiteContext, info: RuneInfo): Record<string, unknown> {
  const rune = context.upstream.runes.serializeRune(info, info.plugin);
  return defined({ ...rune, exampleNote: noteOf(context, info) });
}

function inMarkdown(context: SiteContext, info: RuneInfo, withUniversal: boolean): string {
  const attributes = Object.entries(info.schema.attributes ?? {})
    .filter(([name]) => withUniversal || !isUniversal(context, name));
  const schema = { ...info.schema, attributes: Object.fromEntries(attributes) };
  const text = context.upstream.runes.describeRune({ ...info, schema });
  const note = noteOf(context, info);
  return note === undefined ? text : `${text.trimEnd()}\n\nNote on the example: ${note}\n`;
}

function noteOf(context: SiteContext, { name }: RuneInfo): string | undefined {
  return workingExample(context, context.runes[name]!)?.note;
}

function vocabulary(
  context: SiteContext,
  { format, detail }: ReferenceInput,
  plugin: string | undefined,
  universal: readonly string[] = [...context.upstream.runes.UNIVERSAL_ATTRIBUTE_NAMES],
): RuneReference {
  const { runes: module } = context.upstream;
  const whole = referenceContext(context);
  // Child runes that only other runes create are omitted.
  const infos = module.hydrateAllRuneInfos(whole)
    .filter((info) => plugin === undefined || info.plugin === plugin);
  if (format === "markdown" && detail === "full") {
    const listed = Object.fromEntries(infos.map(({ name }) => [name, whole.runes[name]!]));
    const runes = plugin === undefined ? whole.runes : listed;
    const written = module.renderReferenceMarkdown({ ...whole, runes });
    const notes = infos.flatMap((info) => {
      const note = noteOf(context, info);
      return note === undefined ? [] : `- ${info.name}: ${note}`;
    });
    const text = `${written}\n## Notes on the examples\n\n${notes.join("\n")}\n`;
    return asText(context, text, { runes: infos.length });
  }
  if (detail === "full") {
    const runes = infos.map((info) => serializeRune(context, info));
    return { data: withWarnings(context, { detail, runes }) };
  }
  const signatures = signaturesOf(infos.map((info) => module.serializeRune(info, info.plugin)));
  if (format === "markdown") {
    return asText(context, signaturesMarkdown(signatures, universal), { runes: infos.length });
  }
  const hint = "name|aliases(attributes; ! required): purpose. All about some: " +
    '{ "runes": ["<name>"] }.';
  return { data: withWarnings(context, { hint, universal, signatures }) };
}

function signaturesMarkdown(
  signatures: Readonly<Record<string, readonly string[]>>,
  universal: readonly string[],
): string {
  const lines = ["# Runes", "", `Every rune also takes: ${universal.join(", ")}.`];
  for (const [plugin, runes] of Object.entries(signatures)) {
    lines.push("", `## ${plugin === "core" ? `${CORE_PACKAGE} (core)` : plugin}`, "");
    lines.push(...runes.map((rune) => `- ${rune}`));
  }
  return `${lines.join("\n")}\n`;
}

function asText(context: SiteContext, markdown: string, facts: object): RuneReference {
  const data = withWarnings(context, { format: "markdown", ...facts, markdown });
  return { text: [...data.warnings ?? [], markdown].join("\n\n"), data };
}

function infoOf(context: SiteContext, name: string, plugin: string | undefined): RuneInfo {
  const rune = findRune(context, name);
  const info = context.upstream.runes.hydrateRuneByName(referenceContext(context), rune.name)!;
  if (plugin === undefined || info.plugin === plugin) return info;
  const message = `Rune ${quotedName(name)} is not in ${plugin}, but in ${info.plugin}`;
  throw new RefraktError("NOT_FOUND", message, { hint: "Omit plugin." });
}

function referenceContext(context: SiteContext): ReferenceContext {
  return context.memo([context, "reference"], () => {
    const fixtures = { ...context.fixtures };
    const runes: Record<string, Rune> = {};
    for (const [name, rune] of Object.entries(context.runes)) {
      const aliases = { value: aliasesOf(context, rune), enumerable: true };
      runes[name] = context.aliases.has(name) ? Object.create(rune, { aliases }) : rune;
      // Computed on demand, because it renders the example.
      Object.defineProperty(fixtures, name, {
        enumerable: true,
        get: () => workingExample(context, rune)?.example,
      });
    }
    return { runes, fixtures, source: context.source };
  });
}

function findPlugin(context: SiteContext, wanted: string): string {
  const packageNames = new Set(Object.values(context.source));
  if (wanted === CORE_PACKAGE) return "core";
  for (const name of [wanted, `@refrakt-md/${wanted}`]) if (packageNames.has(name)) return name;
  const failed = context.failures.find((failure) => failure.data?.["plugin"] === wanted);
  if (failed !== undefined) throw failed;
  const guess = didYouMean(wanted, packageNames);
  throw new RefraktError("NOT_FOUND", `No package ${quotedName(wanted)} with runes on this site`, {
    hint: `${guess} The packages are: ${[...packageNames].join(", ")}.`.trim(),
  });
}

const BUDGET = 13_500;

/**
 * How many values of an attribute and how many characters of a description to show, longest first.
 */
const FORMS: readonly { readonly values: number; readonly purpose: number }[] = [
  { values: 8, purpose: 100 },
  { values: 4, purpose: 80 },
  { values: 0, purpose: 60 },
  { values: 0, purpose: 0 },
];

function signaturesOf(runes: readonly SerializedRune[]): Record<string, string[]> {
  const groups = [...Map.groupBy(runes, ({ plugin }) => plugin)].sort(([a], [b]) =>
    Number(b === "core") - Number(a === "core") || a.localeCompare(b)
  );
  let signatures: Record<string, string[]> = {};
  for (const { values, purpose } of FORMS) {
    const show = (rune: SerializedRune) => signatureOf(rune, values, purpose);
    signatures = Object.fromEntries(groups.map(([plugin, all]) => [plugin, all.map(show)]));
    if (JSON.stringify(signatures).length <= BUDGET) break;
  }
  return signatures;
}

/** `hint|callout(type=note|warning, title): Purpose`; `!` marks required attributes. */
function signatureOf(rune: SerializedRune, values: number, purpose: number): string {
  const { name, aliases, description, attributes: { own, base } } = rune;
  const attributes = Object.entries({ ...base?.attributes, ...own })
    .filter(([key]) => !key.startsWith("__"))
    .map(([key, attribute]) =>
      `${key}${attribute.required ? "!" : ""}${valueNotation(attribute, values)}`
    );
  const head = [name, ...aliases].map(word).join("|") +
    (attributes.length === 0 ? "" : `(${attributes.join(", ")})`);
  const [sentence = ""] = description.split(/(?<=[.!?])\s/);
  return purpose === 0 ? head : `${head}: ${shortText(sentence.replace(/\.$/, ""), purpose)}`;
}

function valueNotation({ type, matches = [] }: SerializedAttribute, values: number): string {
  if (values === 0) return "";
  if (matches.length === 0) return type === "string" ? "" : `=${type}`;
  return `=${matches.slice(0, values).join("|")}${matches.length > values ? "|…" : ""}`;
}

export function listRunes(
  context: SiteContext,
  { variants }: { readonly variants?: boolean | undefined },
) {
  const universalVariants: Record<string, string[]> = {};
  const runes = Object.values(context.runes).map((rune) => {
    const all = Object.entries(variantsOf(rune.schema));
    const runeVariants = all.filter(([name]) => !isUniversal(context, name));
    for (const [name, values] of all) {
      if (isUniversal(context, name)) universalVariants[name] = values;
    }
    return defined({
      name: rune.name,
      aliases: aliasesOf(context, rune),
      package: packageOf(context, rune),
      description: rune.description,
      variants: variants ? Object.fromEntries(runeVariants) : undefined,
    });
  });
  return withWarnings(context, variants ? { runes, universalVariants } : { runes });
}

export function extractTexts(context: SiteContext): Record<string, unknown> {
  const { extractI18nKeys } = context.upstream.transform;
  if (extractI18nKeys === undefined) {
    throw new RefraktError("TOOL_FAILED", "The installed refrakt packages cannot extract texts", {
      hint: "Upgrade @refrakt-md/transform to 0.29 or newer.",
    });
  }
  return withWarnings(context, asObject(extractI18nKeys(context.config)));
}
