/**
 * Checks the tags of a page against the schemas of the loaded runes: names, attributes,
 * values, placement, variables, functions and partials.
 *
 * @module
 */

import { suggestion } from "../../../errors.ts";
import { asObject } from "../../../io/json.ts";
import type { MarkdocNode, MarkdocSchema, ValidationError } from "../shapes.ts";
import type { SiteContext } from "../site.ts";
import { type Diagnostic, diagnostic, type Place } from "./diagnostics.ts";
import { codeOf, namedIn } from "./markdoc_findings.ts";
import type { Locator } from "./locate.ts";

/** What the checks of a page's tags know. */
export interface ValidationScope {
  /** The variables that the build passes to every page. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The partials by name; only the names count. */
  readonly partials: Readonly<Record<string, MarkdocNode>>;
  /** Whether it is a partial: its variables are those of the pages and tags that use it. */
  readonly isPartial?: boolean;
}

/** Validates the syntax tree of a page. */
export function validatePage(
  site: SiteContext,
  ast: MarkdocNode,
  locator: Locator,
  scope: ValidationScope,
): Diagnostic[] {
  const { runes, markdoc } = site.upstream;
  const config = {
    tags: site.tags,
    nodes: { ...markdoc.nodes, ...runes.nodes },
    functions: { ...markdoc.functions, ...runes.functions },
    variables: scope.variables,
    partials: scope.partials,
  };
  const found: Diagnostic[] = [];
  const visit = (node: MarkdocNode, parents: readonly MarkdocNode[]) => {
    for (const error of markdoc.validator(node, { ...config, validation: { parents } })) {
      const made = describe(site, node, parents, error, locator, scope);
      if (made !== undefined) found.push(made);
    }
    const inside = [...parents, node];
    for (const child of node.children) visit(child, inside);
    for (const slot of Object.values(node.slots ?? {})) visit(slot, inside);
  };
  visit(ast, []);
  return found;
}

function describe(
  site: SiteContext,
  node: MarkdocNode,
  parents: readonly MarkdocNode[],
  error: ValidationError,
  locator: Locator,
  scope: ValidationScope,
): Diagnostic | undefined {
  const code = codeOf(error);
  // A tag that breaks a paragraph leaves its pieces behind; a line break in bold text is fine.
  if (node.type !== "tag" && (code === "rune-unclosed" || code === "rune-placement")) {
    return undefined;
  }
  const place = placeOf(node, locator);
  const name = namedIn(error);
  const tag = node.tag ?? node.type;
  switch (code) {
    case "rune-unknown":
      return diagnostic(
        code,
        join(`Unknown rune "${tag}".`, suggestion(tag, Object.keys(site.tags))),
        place,
      );
    case "rune-unclosed":
      return diagnostic(
        code,
        error.id === "missing-closing"
          ? `"${tag}" is not closed: {% /${tag} %} is missing`
          : `"${tag}" is closed, but was not opened`,
        place,
      );
    case "variable-unknown":
      // A template that is filled in once for each entity has variables of its own.
      if (scope.isPartial || [...parents, node].some((each) => isDeferred(site, each))) {
        return undefined;
      }
      return diagnostic(
        code,
        join(
          `Unknown variable "$${name ?? ""}".`,
          suggestion(...lastStep(name ?? "", scope.variables)),
        ),
        locator.text(node, `$${name ?? ""}`),
      );
    case "attribute-unknown":
      return unknownAttribute(site, node, name, locator);
    case "attribute-value":
    case "attribute-type":
      if (tag === "partial" && name === "file" && code === "attribute-value") {
        return missingPartial(node, scope, place);
      }
      return wrongValue(site, node, code, name, error, locator);
    case "attribute-missing":
      return diagnostic(code, `Rune "${tag}" needs the attribute "${name ?? "?"}"`, place);
    default:
      return diagnostic(code, error.message, place);
  }
}

/** The part of a variable's name that is unknown, and what may stand there. */
function lastStep(
  name: string,
  variables: Readonly<Record<string, unknown>>,
): [wanted: string, known: string[]] {
  let [wanted = "", ...rest] = name.split(".");
  let known = variables;
  while (rest.length > 0 && Object.hasOwn(known, wanted)) {
    known = asObject(known[wanted]);
    [wanted = "", ...rest] = rest;
  }
  return [wanted, Object.keys(known)];
}

function missingPartial(node: MarkdocNode, scope: ValidationScope, place: Place): Diagnostic {
  const file = String(node.attributes["file"] ?? "");
  return diagnostic(
    "partial-missing",
    join(`No such partial: "${file}".`, suggestion(file, Object.keys(scope.partials))),
    place,
  );
}

function unknownAttribute(
  site: SiteContext,
  node: MarkdocNode,
  name: string | undefined,
  locator: Locator,
): Diagnostic {
  const known = Object.keys(schemaOf(site, node)?.attributes ?? {});
  const what = node.tag === undefined ? `A ${node.type}` : `Rune "${node.tag}"`;
  if (name === undefined) {
    return diagnostic(
      "attribute-unknown",
      `${what} has an unknown attribute`,
      placeOf(node, locator),
    );
  }
  return diagnostic(
    "attribute-unknown",
    join(`${what} has no attribute "${name}".`, suggestion(name, known)),
    node.tag === undefined ? placeOf(node, locator) : locator.attribute(node, name),
  );
}

function wrongValue(
  site: SiteContext,
  node: MarkdocNode,
  code: "attribute-value" | "attribute-type",
  name: string | undefined,
  error: ValidationError,
  locator: Locator,
): Diagnostic {
  const place = name === undefined || node.tag === undefined
    ? placeOf(node, locator)
    : locator.attribute(node, name);
  const definition = name === undefined ? undefined : schemaOf(site, node)?.attributes?.[name];
  if (name === undefined || definition === undefined) return diagnostic(code, error.message, place);
  const value = node.attributes[name];
  const { matches } = definition;
  if (code === "attribute-value" && Array.isArray(matches)) {
    return diagnostic(
      code,
      join(
        `"${name}" is not meant to be ${JSON.stringify(value)}: one of ${matches.join(", ")}.`,
        suggestion(String(value), matches.map(String)),
      ),
      place,
    );
  }
  if (code === "attribute-type") {
    const type = typeName(definition.type);
    if (type !== undefined) {
      return diagnostic(code, `"${name}" has to be ${type}, not ${JSON.stringify(value)}`, place);
    }
  }
  return diagnostic(code, error.message, place);
}

/** What schemas of Markdoc name types by, beside their names. */
const TYPES = [String, Number, Boolean, Array, Object];

function typeName(type: unknown): string | undefined {
  const types = Array.isArray(type) ? type : [type];
  const names = types.map((each) =>
    (typeof each === "string" ? each : TYPES.find((type) => type === each)?.name)?.toLowerCase()
  );
  return names.includes(undefined) ? undefined : names.join(" or ");
}

/** Whether a rune keeps its body as a template for later. */
export function isDeferred(site: SiteContext, node: MarkdocNode): boolean {
  return schemaOf(site, node)?.deferBody === true;
}

function schemaOf(site: SiteContext, node: MarkdocNode): MarkdocSchema | undefined {
  const { tag } = node;
  return tag !== undefined && Object.hasOwn(site.tags, tag) ? site.tags[tag] : undefined;
}

function placeOf(node: MarkdocNode, locator: Locator): Place {
  if (node.tag !== undefined) return locator.tag(node);
  return locator.text(node, "{%");
}

function join(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== "").join(" ").replace(/\.$/, "");
}
