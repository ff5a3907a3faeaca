/** Renders the example of a rune, with its selectors, config and contract. */

import { quoted, quotedName } from "../../../../src/plain_text.ts";
import { didYouMean, messageOf, RefraktError } from "../../../../src/errors.ts";
import { defined } from "../../../../src/io/json.ts";
import { type AttributeValue, setAttributes, setItems, variantsOf } from "./edit_example.ts";
import { contractOf, fixtureOf, render, typeNameOf } from "./example_page.ts";
import { htmlOutline } from "./outline.ts";
import type { Rune, RuneConfig, ThemeConfig } from "../upstream/shapes.ts";
import { findRune, type SiteContext, warningsOf } from "../upstream/site.ts";
import { BASE_THEME, themeConfig } from "../theme/theme.ts";

interface InspectInput {
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

const RUNE_PARTS = ["html", "outline", "selectors", "config", "editHints", "contract"] as const;
type InspectField = typeof RUNE_PARTS[number] | "warnings";

const ALL = "all";

/** How many attributes an error lists. */
const MOST_NAMES = 12;

/**
 * Renders the example of a rune. If an attribute is `all`, `variants` has one entry for each value.
 */
export async function inspectRune(
  context: SiteContext,
  { theme = BASE_THEME, attributes = {}, items, fields, ...input }: InspectInput,
): Promise<Record<string, unknown>> {
  const rune = findRune(context, input.rune);
  const config = await themeConfig(context, theme);
  checkAttributes(rune, attributes);
  const source = input.example ?? fixtureOf(context, rune);
  const { markdoc } = context.upstream;
  const example = items === undefined ? source : setItems(markdoc, source, rune, items);
  const variants = variantsOf(rune.schema);
  const expanded = Object.keys(attributes).filter((name) =>
    attributes[name] === ALL && Object.hasOwn(variants, name)
  );
  if (expanded.length > 1) {
    const message = `Only one attribute can be "all" at a time, not ${expanded.join(" and ")}`;
    throw new RefraktError("INVALID_ARGS", message, { hint: "Call once for each of them." });
  }
  let type: string | undefined;
  const show = (values: Readonly<Record<string, AttributeValue>>) => {
    const { type: exampleType, ...inspection } = inspectOne(context, config, rune, example, values);
    type ??= exampleType;
    return { rune: rune.name, theme, ...inspection };
  };
  const [attribute] = expanded;
  const rendering = attribute === undefined ? show(attributes) : {
    rune: rune.name,
    theme,
    attribute,
    variants: variants[attribute]!.map((value) => ({
      value,
      ...selectParts(show({ ...attributes, [attribute]: value }), fields),
    })),
  };
  const facts = {
    editHints: type === undefined ? null : config.runes[type]!["editHints"] ?? null,
    contract: type === undefined ? null : contractOf(context, config).runes[type] ?? null,
  };
  const warnings = [...valueWarnings(attributes, variants), ...warningsOf(context) ?? []];
  const isEmpty = warnings.length === 0 && !fields?.includes("warnings");
  // Warnings first, because they are easy to miss.
  const parts = { warnings: isEmpty ? undefined : warnings, ...rendering, ...facts };
  return defined(selectParts(parts, fields));
}

/** Selects the requested fields. The outline is long, so it is only returned on request. */
function selectParts(
  result: Readonly<Record<string, unknown>>,
  fields: readonly InspectField[] | undefined,
): Record<string, unknown> {
  const omitted = new Set<string>(
    fields === undefined ? ["outline"] : RUNE_PARTS.filter((field) => !fields.includes(field)),
  );
  return Object.fromEntries(Object.entries(result).filter(([name]) => !omitted.has(name)));
}

function inspectOne(
  context: SiteContext,
  config: ThemeConfig,
  rune: Rune,
  example: string,
  attributes: Readonly<Record<string, AttributeValue>>,
) {
  const { markdoc, transform } = context.upstream;
  const input = setAttributes(markdoc, example, rune, attributes);
  let rendered;
  try {
    rendered = render(context, config, input);
  } catch (error) {
    if (error instanceof RefraktError) throw error;
    const message = `Rune ${quotedName(rune.name)} cannot render its example: ${messageOf(error)}`;
    throw new RefraktError("TOOL_FAILED", message, {
      hint: `See its attributes with refrakt_reference { "rune": ${JSON.stringify(rune.name)} }.`,
      cause: error,
    });
  }
  const { serialized, tree } = rendered;
  const type = typeNameOf(config, contractOf(context, config), rune, serialized);
  return {
    type,
    input,
    config: type === undefined ? null : shownConfig(config.runes[type]!),
    html: transform.renderToHtml(tree, { pretty: true }),
    selectors: transform.extractSelectors(tree, config.prefix),
    outline: htmlOutline(tree),
  };
}

function shownConfig(config: RuneConfig): Record<string, unknown> {
  const { block, modifiers = {}, structure = {}, contentWrapper = null, styles = {} } = config;
  const { contextModifiers = {}, rootAttributes = {}, staticModifiers = [] } = config;
  return defined({
    block,
    modifiers,
    structure,
    contentWrapper,
    contextModifiers,
    rootAttributes,
    staticModifiers,
    styles,
    childDensity: config["childDensity"] || undefined,
    projection: config["projection"] || undefined,
  });
}

export function checkAttributes(rune: Rune, attributes: Readonly<Record<string, unknown>>): void {
  const attributeNames = Object.keys(rune.schema.attributes ?? {});
  // Markdoc accepts these two on every tag.
  const valid = new Set([...attributeNames, "id", "class"]);
  const unknown = Object.keys(attributes).filter((name) =>
    !/^[\w-]+$/.test(name) || attributeNames.length > 0 && !valid.has(name)
  );
  if (unknown.length === 0) return;
  const guess = didYouMean(unknown[0]!, attributeNames);
  const names = attributeNames.slice(0, MOST_NAMES).join(", ");
  const runeName = quotedName(rune.name);
  const others = attributeNames.length - MOST_NAMES;
  const more = others > 0
    ? ` and ${others} more; refrakt_reference { rune: ${runeName} } lists them all`
    : "";
  const message = `Rune ${runeName} has no attribute ${unknown.map(quotedName).join(", ")}`;
  throw new RefraktError("INVALID_ARGS", message, {
    hint: `${guess} Its attributes are: ${names}${more}.`.trim(),
    data: { rune: rune.name, unknown },
  });
}

function valueWarnings(
  attributes: Readonly<Record<string, AttributeValue>>,
  variants: Readonly<Record<string, readonly string[]>>,
): string[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    const values = Object.hasOwn(variants, name) ? variants[name]! : undefined;
    if (values === undefined || value === ALL || values.includes(String(value))) return [];
    const written = quoted(String(value));
    return `${quotedName(name)} must not be ${written}, but one of ${values.join(", ")}`;
  });
}
