/** The reference of runes: in full, or as one signature each. */

import { didYouMean, RefraktError } from "../../../errors.ts";
import { asObject } from "../../../io/json.ts";
import { isUniversal, variantsOf } from "../runes/edit_example.ts";
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
  CORE_PACKAGE,
  findRune,
  packageOf,
  type SiteContext,
  withWarnings,
} from "../upstream/site.ts";
import { createMemo } from "../upstream/memo.ts";

export interface ReferenceInput {
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
export interface Reference {
  readonly text?: string;
  readonly data: Record<string, unknown>;
}

const vocabularies = createMemo<Reference>();
const allInfosOf = createMemo<readonly RuneInfo[]>();
const referenceContexts = createMemo<ReferenceContext>();

export function describeRunes(context: SiteContext, input: ReferenceInput): Reference {
  const plugin = input.plugin === undefined ? undefined : findPlugin(context, input.plugin);
  if (input.rune !== undefined) {
    if (input.format !== "markdown") {
      return { data: withWarnings(context, described(context, input.rune, plugin, input)) };
    }
    const info = infoOf(context, input.rune, plugin);
    return asText(context, inMarkdown(context, info, input), { rune: info.name });
  }
  if (input.runes !== undefined) {
    if (input.format !== "markdown") {
      const runes = input.runes.map((name) => described(context, name, plugin, input));
      return { data: withWarnings(context, { runes }) };
    }
    const infos = input.runes.map((name) => infoOf(context, name, plugin));
    const text = infos.map((info) => inMarkdown(context, info, input)).join("\n\n");
    return asText(context, text, { runes: infos.length });
  }
  const key = JSON.stringify([input.format, input.detail, plugin]);
  return vocabularies(context, () => vocabulary(context, input, plugin), key);
}

function described(
  context: SiteContext,
  name: string,
  plugin: string | undefined,
  { universal = false }: ReferenceInput,
): Record<string, unknown> {
  const info = infoOf(context, name, plugin);
  const branches = branchesOf(context, info);
  const rune = context.upstream.runes.serializeRune(info, info.plugin);
  const { universal: _, ...own } = asObject(rune["attributes"]);
  return {
    ...rune,
    ...(universal ? {} : { attributes: own }),
    ...withNote(noteOf(context, info.name)),
    ...(branches.length === 0 ? {} : { contentModelWhen: branches }),
  };
}

function inMarkdown(context: SiteContext, info: RuneInfo, { universal }: ReferenceInput): string {
  const attributes = Object.fromEntries(
    Object.entries(info.schema.attributes ?? {})
      .filter(([name]) => universal || !isUniversal(context, name)),
  );
  const rune = { ...info, schema: { ...info.schema, attributes } };
  const note = noteOf(context, info.name);
  const text = context.upstream.runes.describeRune(rune);
  return note === undefined ? text : `${text.trimEnd()}\n\nNote on the example: ${note}\n`;
}

/**
 * Content models that replace the declared one under a condition. The packages' own reference omits
 * them, though examples use them.
 */
function branchesOf(
  { upstream: { runes } }: SiteContext,
  { schema }: RuneInfo,
): { condition: unknown; contentModel: unknown }[] {
  const declared = runes.schemaContentModels.get(schema);
  try {
    const model = typeof declared === "function" ? declared({}) : declared;
    return (model?.when ?? []).map(({ condition, model: contentModel }) => ({
      condition,
      contentModel: runes.stripContentModel(contentModel),
    }));
  } catch {
    // The model needs attributes.
    return [];
  }
}

function noteOf(context: SiteContext, name: string): string | undefined {
  return workingExample(context, context.runes[name]!)?.note;
}

function withNote(note: string | undefined): { readonly exampleNote?: string } {
  return note === undefined ? {} : { exampleNote: note };
}

function vocabulary(
  context: SiteContext,
  input: ReferenceInput,
  plugin: string | undefined,
): Reference {
  const markdown = input.format === "markdown";
  const infos = allInfos(context).filter((info) => plugin === undefined || info.plugin === plugin);
  if (markdown && input.detail === "full") {
    const whole = referenceContext(context);
    const runes = Object.fromEntries(infos.map(({ name }) => [name, whole.runes[name]!]));
    const written = context.upstream.runes.renderReferenceMarkdown(
      plugin === undefined ? whole : { ...whole, runes },
    );
    const notes = infos.flatMap(({ name }) => {
      const note = noteOf(context, name);
      return note === undefined ? [] : `- ${name}: ${note}`;
    });
    const text = `${written}\n## Notes on the examples\n\n${notes.join("\n")}\n`;
    return asText(context, text, { runes: infos.length });
  }
  const runes = infos.map((info) => context.upstream.runes.serializeRune(info, info.plugin));
  if (input.detail === "full") {
    const noted = runes.map((rune) => ({ ...rune, ...withNote(noteOf(context, rune.name)) }));
    return { data: withWarnings(context, { detail: "full", runes: noted }) };
  }
  const signatures = signaturesOf(runes);
  if (markdown) {
    return asText(context, signaturesMarkdown(context, signatures), { runes: infos.length });
  }
  return {
    data: withWarnings(context, {
      hint:
        'name|aliases(attributes; ! required): purpose. All about some: { "runes": ["<name>"] }.',
      universal: universalNames(context),
      signatures,
    }),
  };
}

function signaturesMarkdown(
  context: SiteContext,
  signatures: Readonly<Record<string, readonly string[]>>,
): string {
  const lines = ["# Runes", "", `Every rune also takes: ${universalNames(context).join(", ")}.`];
  for (const [plugin, runes] of Object.entries(signatures)) {
    lines.push("", `## ${plugin === "core" ? `${CORE_PACKAGE} (core)` : plugin}`, "");
    lines.push(...runes.map((rune) => `- ${rune}`));
  }
  return `${lines.join("\n")}\n`;
}

function asText(
  context: SiteContext,
  markdown: string,
  facts: Record<string, unknown>,
): Reference {
  return {
    text: markdown,
    data: withWarnings(context, { format: "markdown", ...facts, markdown }),
  };
}

function infoOf(context: SiteContext, name: string, plugin: string | undefined): RuneInfo {
  const rune = findRune(context, name);
  const info = context.upstream.runes.hydrateRuneByName(referenceContext(context), rune.name)!;
  if (plugin === undefined || info.plugin === plugin) return info;
  throw new RefraktError("NOT_FOUND", `Rune "${name}" is not in ${plugin}, but in ${info.plugin}`, {
    hint: "Omit plugin.",
  });
}

/** Every rune that a page can use. Child runes that only other runes create are omitted. */
function allInfos(context: SiteContext): readonly RuneInfo[] {
  return allInfosOf(
    context,
    () => context.upstream.runes.hydrateAllRuneInfos(referenceContext(context)),
  );
}

function referenceContext(context: SiteContext): ReferenceContext {
  const fixtures = { ...context.fixtures };
  for (const [name, rune] of Object.entries(context.runes)) {
    // Found on demand, because it renders the example.
    Object.defineProperty(fixtures, name, {
      enumerable: true,
      get: () => workingExample(context, rune)?.example,
    });
  }
  return referenceContexts(context, () => ({
    runes: Object.fromEntries(
      Object.entries(context.runes).map(([name, rune]) => [
        name,
        context.aliases.has(name)
          ? Object.create(rune, { aliases: { value: aliasesOf(context, rune), enumerable: true } })
          : rune,
      ]),
    ),
    fixtures,
    source: context.source,
  }));
}

function findPlugin(context: SiteContext, wanted: string): string {
  const known = new Set(Object.values(context.source));
  if (wanted === CORE_PACKAGE) return "core";
  for (const name of [wanted, `@refrakt-md/${wanted}`]) if (known.has(name)) return name;
  const failed = context.failures.find((failure) => failure.data?.["plugin"] === wanted);
  if (failed !== undefined) throw failed;
  throw new RefraktError("NOT_FOUND", `No package "${wanted}" with runes on this site`, {
    hint: `${didYouMean(wanted, known)} The packages are: ${[...known].join(", ")}.`.trim(),
  });
}

function universalNames(context: SiteContext): string[] {
  return [...context.upstream.runes.UNIVERSAL_ATTRIBUTE_NAMES];
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

export function signaturesOf(runes: readonly SerializedRune[]): Record<string, string[]> {
  let made: Record<string, string[]> = {};
  for (const form of FORMS) {
    made = byPackage(runes, (rune) => signatureOf(rune, form.values, form.purpose));
    if (JSON.stringify(made).length <= BUDGET) break;
  }
  return made;
}

function byPackage(
  runes: readonly SerializedRune[],
  show: (rune: SerializedRune) => string,
): Record<string, string[]> {
  const groups = Map.groupBy(runes, ({ plugin }) => plugin);
  const order = [...groups.keys()].sort((a, b) =>
    Number(b === "core") - Number(a === "core") || a.localeCompare(b)
  );
  return Object.fromEntries(order.map((name) => [name, groups.get(name)!.map(show)]));
}

/** `hint|callout(type=note|warning, title): Purpose`; `!` marks required attributes. */
function signatureOf(rune: SerializedRune, values: number, purpose: number): string {
  const { name, aliases, description, attributes: { own, base } } = rune;
  const attributes = Object.entries({ ...base?.attributes, ...own })
    .filter(([key]) => !key.startsWith("__"))
    .map(([key, attribute]) =>
      `${key}${attribute.required ? "!" : ""}${typeOf(attribute, values)}`
    );
  const head = [name, ...aliases].join("|") +
    (attributes.length === 0 ? "" : `(${attributes.join(", ")})`);
  return purpose === 0 ? head : `${head}: ${shortened(description, purpose)}`;
}

function typeOf({ type, matches = [] }: SerializedAttribute, values: number): string {
  if (values === 0) return "";
  if (matches.length > 0) {
    const more = matches.length > values ? "|…" : "";
    return `=${matches.slice(0, values).join("|")}${more}`;
  }
  return type === "string" ? "" : `=${type}`;
}

function shortened(text: string, most: number): string {
  const sentence = text.split(/(?<=[.!?])\s/)[0]!.replace(/\.$/, "");
  return sentence.length <= most ? sentence : `${sentence.slice(0, most - 1).trimEnd()}…`;
}

export function listRunes(context: SiteContext, variants: boolean) {
  const all = Object.values(context.runes);
  const variantsIn = ({ schema }: Rune, universal: boolean): Record<string, string[]> =>
    Object.fromEntries(
      Object.entries(variantsOf(schema)).filter(([name]) =>
        isUniversal(context, name) === universal
      ),
    );
  const runes = all.map((rune) => ({
    name: rune.name,
    aliases: aliasesOf(context, rune),
    package: packageOf(context, rune),
    description: rune.description,
    ...(variants ? { variants: variantsIn(rune, false) } : {}),
  }));
  if (!variants) return withWarnings(context, { runes });
  const universalVariants: Record<string, string[]> = {};
  for (const rune of all) Object.assign(universalVariants, variantsIn(rune, true));
  return withWarnings(context, { runes, universalVariants });
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
