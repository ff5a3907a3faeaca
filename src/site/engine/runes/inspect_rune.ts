/** Renders the example of a rune, with its selectors, config and contract. */

import { didYouMean, messageOf, RefraktError } from "../../../errors.ts";
import { type AttributeValue, setAttributes, setItems, variantsOf } from "./edit_example.ts";
import { contractOf, fixtureOf, render, typeNameOf } from "./example_page.ts";
import { htmlOutline } from "./outline.ts";
import type { Rune, RuneConfig, ThemeConfig } from "../upstream/shapes.ts";
import { findRune, type SiteContext, withWarnings } from "../upstream/site.ts";
import { BASE_THEME, themeConfig } from "../theme/theme.ts";

export interface InspectInput {
  readonly rune: string;
  /** `all` shows each value of an enumerated attribute. */
  readonly attributes?: Readonly<Record<string, AttributeValue>> | undefined;
  /** `base`, a package, or the module in the site's config. */
  readonly theme?: string | undefined;
  readonly items?: number | undefined;
  /** Markdoc in place of the package's example. */
  readonly example?: string | undefined;
  /** All but the outline by default. */
  readonly fields?: readonly InspectField[] | undefined;
}

export type InspectField =
  | "html"
  | "outline"
  | "selectors"
  | "warnings"
  | "config"
  | "editHints"
  | "contract";

const ALL = "all";

/**
 * Renders the example of a rune. If an attribute is `all`, `variants` has one entry for each value.
 */
export async function inspectRune(
  context: SiteContext,
  input: InspectInput,
): Promise<Record<string, unknown>> {
  const rune = findRune(context, input.rune);
  const theme = input.theme ?? BASE_THEME;
  const config = await themeConfig(context, theme);
  const attributes = { ...input.attributes };
  checkAttributes(rune, attributes);
  const source = input.example ?? fixtureOf(context, rune);
  const example = input.items === undefined
    ? source
    : setItems(context.upstream.markdoc, source, rune, input.items);
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
  const [attribute] = expanded;
  if (attribute === undefined) {
    const { shown, type } = show(attributes);
    return pick(context, { ...shown, ...typeFacts(context, config, type) }, warnings, input.fields);
  }
  let type: string | undefined;
  const all = variants[attribute]!.map((value) => {
    const one = show({ ...attributes, [attribute]: value });
    type ??= one.type;
    return { value, ...wanted(one.shown, input.fields) };
  });
  const facts = { rune: rune.name, theme, attribute, variants: all };
  return pick(context, { ...facts, ...typeFacts(context, config, type) }, warnings, input.fields);
}

/** Selects the requested fields, warnings first because they are easy to miss. */
function pick(
  context: SiteContext,
  result: Readonly<Record<string, unknown>>,
  own: readonly string[],
  fields: readonly InspectField[] | undefined,
): Record<string, unknown> {
  const { warnings } = withWarnings(context, {}, own);
  const asked = fields?.includes("warnings") ?? false;
  return {
    ...(warnings === undefined ? asked ? { warnings: [] } : {} : { warnings }),
    ...wanted(result, fields),
  };
}

function wanted(
  result: Readonly<Record<string, unknown>>,
  fields: readonly InspectField[] | undefined,
): Record<string, unknown> {
  const parts = ["html", "outline", "selectors", "config", "editHints", "contract"] as const;
  // The outline is long, so it is only returned on request.
  const left = new Set<string>(
    fields === undefined ? ["outline"] : parts.filter((field) => !fields.includes(field)),
  );
  return Object.fromEntries(Object.entries(result).filter(([name]) => !left.has(name)));
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
        hint: `See its attributes with refrakt.reference { "rune": ${JSON.stringify(rune.name)} }.`,
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
      outline: htmlOutline(tree),
    },
  };
}

function typeFacts(
  context: SiteContext,
  config: ThemeConfig,
  type: string | undefined,
): Record<string, unknown> {
  return {
    editHints: type === undefined ? null : config.runes[type]!["editHints"] ?? null,
    contract: type === undefined ? null : contractOf(context, config).runes[type] ?? null,
  };
}

function shownConfig(config: RuneConfig): Record<string, unknown> {
  const { block, modifiers = {}, structure = {}, contentWrapper = null } = config;
  const { contextModifiers = {}, rootAttributes = {}, staticModifiers = [], styles = {} } = config;
  return {
    block,
    modifiers,
    structure,
    contentWrapper,
    contextModifiers,
    rootAttributes,
    staticModifiers,
    styles,
    ...(config["childDensity"] ? { childDensity: config["childDensity"] } : {}),
    ...(config["projection"] ? { projection: config["projection"] } : {}),
  };
}

export function checkAttributes(rune: Rune, attributes: Readonly<Record<string, unknown>>): void {
  const known = Object.keys(rune.schema.attributes ?? {});
  // Markdoc accepts these two on every tag.
  const valid = new Set([...known, "id", "class"]);
  const unknown = Object.keys(attributes).filter((name) =>
    !/^[\w-]+$/.test(name) || known.length > 0 && !valid.has(name)
  );
  if (unknown.length === 0) return;
  const [first] = unknown;
  const shown = known.slice(0, 12).join(", ");
  const more = known.length > 12
    ? ` and ${known.length - 12} more; refrakt.reference { rune: "${rune.name}" } lists them all`
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
    return [`"${name}" must not be ${JSON.stringify(value)}, but one of ${values.join(", ")}`];
  });
}
