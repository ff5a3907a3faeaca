/**
 * `refrakt.inspect`: what becomes of a rune.
 *
 * @module
 */

import { z } from "zod";
import { didYouMean, messageOf, RefraktError } from "../errors.ts";
import type { Project } from "../project/project.ts";
import { defineTool, type Tool } from "../surface/tool.ts";
import { contractOf } from "./contracts.ts";
import { type AttributeValue, fixtureOf, setAttributes, setItems } from "./fixtures.ts";
import { render, typeNameOf } from "./render.ts";
import { findRune, type SiteContext, siteContext, withWarnings } from "./site_context.ts";
import { BASE_THEME, themeConfig } from "./theme.ts";
import type { Rune, RuneConfig, ThemeConfig } from "./upstream.ts";
import { variantsOf } from "./variants.ts";

/** What {@linkcode inspect} takes. */
export interface InspectInput {
  /** The rune: its name or an alias. */
  readonly rune: string;
  /** Attributes to set; `all` as the value of an enumerated one shows each of its values. */
  readonly attributes?: Readonly<Record<string, AttributeValue>> | undefined;
  /** `base`, a theme package or the theme module that the config names. */
  readonly theme?: string | undefined;
  /** How many repeating children the example is to have. */
  readonly items?: number | undefined;
  /** The site. */
  readonly site?: string | undefined;
}

/** The value that stands for every value of an enumerated attribute. */
const ALL = "all";

/**
 * Renders the example of a rune and tells what it is made of. With `all` as the
 * value of an attribute, `variants` has one entry for each of its values.
 *
 * @throws {RefraktError} `NOT_FOUND` for an unknown rune, `INVALID_ARGS` for an unknown
 * attribute, `VALIDATION_ERROR` for a value that cannot be written, and the errors of the site.
 */
export async function inspect(
  project: Project,
  input: InspectInput,
): Promise<Record<string, unknown>> {
  const context = await siteContext(project, input.site);
  const rune = findRune(context, input.rune);
  const theme = input.theme ?? BASE_THEME;
  const config = await themeConfig(context, theme);
  const attributes = { ...input.attributes };
  checkNames(rune, attributes);
  const example = input.items === undefined
    ? fixtureOf(context, rune)
    : setItems(context.upstream.markdoc, fixtureOf(context, rune), rune, input.items);
  const show = (values: Readonly<Record<string, AttributeValue>>) =>
    inspectOne(context, config, theme, rune, example, values);
  const variants = variantsOf(rune.schema);
  const expanded = Object.keys(attributes).filter((name) =>
    attributes[name] === ALL && Object.hasOwn(variants, name)
  );
  if (expanded.length > 1) {
    throw new RefraktError(
      "INVALID_ARGS",
      `Only one attribute can be "all" at a time, not ${expanded.join(" and ")}`,
      { hint: "Call once for each of them." },
    );
  }
  const warnings = valueWarnings(attributes, variants);
  const notes = warnings.length === 0 ? {} : { warnings };
  const [attribute] = expanded;
  if (attribute === undefined) {
    const { shown, type } = show(attributes);
    return withWarnings(context, { ...shown, ...typeFacts(context, config, type), ...notes });
  }
  let type: string | undefined;
  const all = variants[attribute]!.map((value) => {
    const one = show({ ...attributes, [attribute]: value });
    type ??= one.type;
    return { value, ...one.shown };
  });
  return withWarnings(context, {
    rune: rune.name,
    theme,
    attribute,
    variants: all,
    ...typeFacts(context, config, type),
    ...notes,
  });
}

function inspectOne(
  context: SiteContext,
  config: ThemeConfig,
  theme: string,
  rune: Rune,
  example: string,
  attributes: Readonly<Record<string, AttributeValue>>,
): { shown: Record<string, unknown>; type: string | undefined } {
  const { markdoc, transform } = context.upstream;
  const source = setAttributes(markdoc, example, rune, attributes);
  let rendered;
  try {
    rendered = render(context, config, source);
  } catch (error) {
    if (error instanceof RefraktError) throw error;
    throw new RefraktError(
      "TOOL_FAILED",
      `Rune "${rune.name}" cannot render its example: ${messageOf(error)}`,
      {
        hint: `See what it takes with refrakt.reference { "rune": ${JSON.stringify(rune.name)} }.`,
        cause: error,
      },
    );
  }
  const { serialized, tree } = rendered;
  const type = typeNameOf(config, contractOf(context, config), rune, serialized);
  return {
    type,
    shown: {
      rune: rune.name,
      theme,
      input: source,
      config: type === undefined ? null : shownConfig(config.runes[type]!),
      html: transform.renderToHtml(tree, { pretty: true }),
      selectors: transform.extractSelectors(tree, config.prefix),
    },
  };
}

/** What belongs to the type of rune, whatever its attributes. */
function typeFacts(
  context: SiteContext,
  config: ThemeConfig,
  type: string | undefined,
): Record<string, unknown> {
  return {
    editHints: type === undefined ? null : config.runes[type]!.editHints ?? null,
    contract: type === undefined ? null : contractOf(context, config).runes[type] ?? null,
  };
}

function shownConfig(config: RuneConfig): Record<string, unknown> {
  return {
    block: config.block,
    modifiers: config.modifiers ?? {},
    structure: config.structure ?? {},
    contentWrapper: config.contentWrapper ?? null,
    contextModifiers: config.contextModifiers ?? {},
    rootAttributes: config.rootAttributes ?? {},
    staticModifiers: config.staticModifiers ?? [],
    styles: config.styles ?? {},
    ...(config.childDensity ? { childDensity: config.childDensity } : {}),
    ...(config.projection ? { projection: config.projection } : {}),
  };
}

function checkNames(rune: Rune, attributes: Readonly<Record<string, unknown>>): void {
  const known = Object.keys(rune.schema.attributes ?? {});
  // Markdoc itself knows these two on every tag.
  const valid = new Set([...known, "id", "class"]);
  const unknown = Object.keys(attributes).filter((name) =>
    !/^[\w-]+$/.test(name) || known.length > 0 && !valid.has(name)
  );
  if (unknown.length === 0) return;
  const [first] = unknown;
  const shown = known.slice(0, 12).join(", ");
  const more = known.length > 12
    ? ` and ${known.length - 12} more; refrakt.reference { rune: "${rune.name}" } has them all`
    : "";
  throw new RefraktError(
    "INVALID_ARGS",
    `Rune "${rune.name}" has no attribute ${unknown.map((name) => `"${name}"`).join(", ")}`,
    {
      hint: `${didYouMean(first!, known)} Its attributes are: ${shown}${more}.`.trim(),
      data: { rune: rune.name, unknown },
    },
  );
}

function valueWarnings(
  attributes: Readonly<Record<string, AttributeValue>>,
  variants: Readonly<Record<string, readonly string[]>>,
): string[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    const values = Object.hasOwn(variants, name) ? variants[name]! : undefined;
    if (values === undefined || value === ALL || values.includes(String(value))) return [];
    return [`"${name}" is not meant to be ${JSON.stringify(value)}: one of ${values.join(", ")}`];
  });
}

/** The tool of this file. */
export const inspectTool: Tool = defineTool({
  name: "refrakt.inspect",
  title: "Inspect a rune",
  description:
    "What a rune becomes: its example in Markdoc, the HTML, the selectors, its engine config, edit " +
    'hints and BEM contract. Set attributes to see their effect; "all" as a value shows every ' +
    "value of an enumerated attribute.",
  input: z.strictObject({
    rune: z.string().min(1).describe("Name or alias, as in refrakt.inspect_list"),
    attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional()
      .describe('Attributes of the example, such as { "type": "warning" } or { "type": "all" }'),
    theme: z.string().min(1).optional().describe(
      '"base" (the default), a theme package, or the theme module that the config names',
    ),
    items: z.int().min(1).max(50).optional().describe(
      "How many repeating children the example is to have",
    ),
    site: z.string().optional().describe("Needed where the project has several sites"),
  }),
  annotations: { readOnlyHint: true, idempotentHint: true },
  needs: ["site"],
  run: (input, { project }) => inspect(project, input),
});
