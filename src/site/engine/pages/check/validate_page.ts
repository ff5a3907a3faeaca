/** Runs Markdoc's validator on a page and describes its errors in the terms of runes. */

import { suggestion } from "../../../../errors.ts";
import { asObject } from "../../../../io/json.ts";
import type { MarkdocNode, ValidationError } from "../../upstream/shapes.ts";
import { isDeferred, schemaOf, type SiteContext } from "../../upstream/site.ts";
import {
  type Diagnostic,
  diagnostic,
  type DiagnosticCode,
  type Fix,
  type Place,
} from "../read/diagnostics.ts";
import type { Locator } from "../read/locate.ts";
import { missingParent } from "./parents.ts";
import { certainName, type LoneTag, pairFindings } from "../read/tag_pairs.ts";
import { type SiteNames, valueFindings } from "../read/tag_values.ts";

export interface ValidationScope {
  readonly variables: Readonly<Record<string, unknown>>;
  /** Only the names are used. */
  readonly partials: Readonly<Record<string, MarkdocNode>>;
  readonly names?: SiteNames;
  /** The variables of a partial come from the pages that use it. */
  readonly isPartial?: boolean;
}

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
  const names = new Set(Object.keys(site.tags));
  const found: Diagnostic[] = [];
  const open: LoneTag[] = [];
  const closed: LoneTag[] = [];
  const unread = new Set<string>();
  const visit = (node: MarkdocNode, parents: readonly MarkdocNode[]) => {
    const validation = { parents, validateFunctions: true };
    for (const error of markdoc.validator(node, { ...config, validation })) {
      if (error.id === "missing-opening" || error.id === "missing-closing") {
        if (node.tag === undefined) {
          if (error.id === "missing-opening" || node.type !== "inline") continue;
          // Markdoc blames the text for a tag that is opened in it, before the end of the paragraph.
          const end = node.children.findIndex(({ errors }) =>
            errors?.some(({ id }) => id === "missing-opening")
          );
          const last = node.children.at(end === -1 ? -1 : end - 1);
          if (last?.tag === undefined || schemaOf(site, last)?.selfClosing === true) continue;
          unread.add(last.tag);
          found.push(...pairFindings([{ name: last.tag, place: locator.tag(last) }], [], names));
          continue;
        }
        if (error.id === "missing-opening") {
          closed.push({ name: node.tag, place: locator.closing(node) });
        } else open.push({ name: node.tag, place: locator.tag(node) });
        continue;
      }
      // Report only the missing opening.
      if (node.errors?.some(({ id }) => id === "missing-opening")) continue;
      const made = describe(site, node, parents, error, locator, scope);
      if (made === undefined) continue;
      found.push(made);
      if (error.id === "parse-error") unread.add(locator.nameAt(made));
    }
    found.push(...valueFindings(site, node, locator, scope.names ?? {}));
    if (node.type === "tag" && scope.isPartial !== true) {
      const missing = missingParent(site, node, parents);
      if (missing !== undefined) {
        found.push({
          ...diagnostic(
            "rune-placement",
            `Rune "${node.tag}" belongs inside "${missing.parent}"`,
            locator.tag(node),
          ),
          severity: missing.required ? "error" : "warning",
        });
      }
    }
    const { content } = node.attributes;
    if (node.type === "text" && typeof content === "string" && content.includes("{%")) {
      const place = locator.text(node, "{%");
      if (!locator.isEscaped(place)) {
        unread.add(locator.nameAt(place));
        found.push(diagnostic("syntax", "The tag is not closed by %} on its line", place));
      }
    }
    const inside = [...parents, node];
    for (const child of node.children) visit(child, inside);
    for (const slot of Object.values(node.slots ?? {})) visit(slot, inside);
  };
  visit(ast, []);
  // Its opening may exist but be unreadable.
  const lone = closed.filter(({ name }) => !unread.has(name));
  return [...found, ...pairFindings(open, lone, names)];
}

function describe(
  site: SiteContext,
  node: MarkdocNode,
  parents: readonly MarkdocNode[],
  error: ValidationError,
  locator: Locator,
  scope: ValidationScope,
): Diagnostic | undefined {
  const code = CODES[error.id] ?? "syntax";
  // A tag that splits a paragraph leaves fragments; a line break in bold text is valid.
  if (node.type !== "tag" && code === "rune-placement") return undefined;
  const { runes, markdoc } = site.upstream;
  const place = nodePlace(node, locator);
  // Only Markdoc's message has the name.
  const name = /'([^']*)'/.exec(error.message)?.[1];
  const tag = node.tag ?? node.type;
  switch (code) {
    case "rune-unknown":
      return unknownRune(site, node, tag, place, locator);
    case "function-unknown":
      if (error.id !== "function-undefined" || name === undefined) {
        return diagnostic(code, error.message, place);
      }
      return diagnostic(
        code,
        join(
          `Unknown function "${name}".`,
          suggestion(name, Object.keys({ ...markdoc.functions, ...runes.functions })),
        ),
        locator.text(node, `${name}(`),
      );
    case "variable-unknown":
      // A template has the variables of each entity.
      if (scope.isPartial || [...parents, node].some((each) => isDeferred(site, each))) {
        return undefined;
      }
      return unknownVariable(name ?? "", scope, locator.text(node, `$${name ?? ""}`));
    case "attribute-unknown":
      return unknownAttribute(site, node, name, locator);
    case "attribute-value":
    case "attribute-type":
      // The value of a function or a variable is only known in the build.
      if (name !== undefined && isComputed(node.attributes[name])) return undefined;
      if (tag === "partial" && name === "file" && code === "attribute-value") {
        const file = String(node.attributes["file"] ?? "");
        const guess = suggestion(file, Object.keys(scope.partials));
        return diagnostic("partial-missing", join(`No such partial: "${file}".`, guess), place);
      }
      return wrongValue(site, node, code, name, error, locator);
    case "attribute-missing":
      return diagnostic(code, `Rune "${tag}" needs the attribute "${name ?? "?"}"`, place);
    default:
      return diagnostic(code, error.message, place);
  }
}

function unknownRune(
  site: SiteContext,
  node: MarkdocNode,
  tag: string,
  place: Place,
  locator: Locator,
): Diagnostic {
  const names = Object.keys(site.tags);
  const found = diagnostic(
    "rune-unknown",
    join(`Unknown rune "${tag}".`, suggestion(tag, names)),
    place,
  );
  const meant = certainName(tag, names);
  if (meant === undefined) return found;
  const closing = locator.closingOf(node);
  const isUnclosed = node.errors?.some(({ id }) => id === "missing-closing") === true;
  // Its closing tag cannot be found, so the correction is not certain.
  if (closing === undefined && node.children.length > 0 && !isUnclosed) return found;
  const places = [place, ...closing === undefined ? [] : [closing]];
  if (!places.every((each) => locator.isAt(each, tag))) return found;
  const edits = places.map(({ line, column }) => ({
    line,
    column,
    length: tag.length,
    text: meant,
  }));
  return edits.length === 1 ? { ...found, fix: edits[0]! } : { ...found, edits };
}

function unknownVariable(name: string, { variables }: ValidationScope, place: Place): Diagnostic {
  const [wanted, known] = lastStep(name, variables);
  const guess = suggestion(wanted, known);
  const found = diagnostic(
    "variable-unknown",
    join(`Unknown variable "$${name}".`, guess),
    place,
  );
  if (guess !== "" || wanted !== name.split(".")[0]) return found;
  return { ...found, severity: "hint", message: `${found.message}: an adapter may supply it` };
}

function isComputed(value: unknown): boolean {
  return ["Function", "Variable"].includes(String(asObject(value)["$$mdtype"]));
}

/** The unknown part of a variable's name, and the valid names for it. */
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
      nodePlace(node, locator),
    );
  }
  const place = node.tag === undefined ? nodePlace(node, locator) : locator.attribute(node, name);
  const message = name === "primary"
    ? `${what} takes no value without a name`
    : join(`${what} has no attribute "${name}".`, suggestion(name, known));
  return withFix(
    diagnostic("attribute-unknown", message, place),
    { ...place, length: name.length },
    node.tag === undefined ? undefined : certainName(name, known),
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
    ? nodePlace(node, locator)
    : locator.attribute(node, name);
  const definition = name === undefined ? undefined : schemaOf(site, node)?.attributes?.[name];
  if (name === undefined || definition === undefined) return diagnostic(code, error.message, place);
  const value = node.attributes[name];
  const { matches } = definition;
  const written = node.tag === undefined ? undefined : locator.value(node, name);
  if (code === "attribute-value" && Array.isArray(matches)) {
    const names = matches.map(String);
    const meant = typeof value === "string" ? certainName(value, names) : undefined;
    return withFix(
      diagnostic(
        code,
        join(
          `"${name}" must not be ${JSON.stringify(value)}, but one of ${names.join(", ")}.`,
          suggestion(String(value), names),
        ),
        place,
      ),
      written,
      meant === undefined ? undefined : `"${meant}"`,
    );
  }
  const type = typeName(definition.type);
  if (code === "attribute-type" && type !== undefined) {
    return withFix(
      diagnostic(code, `"${name}" must be ${type}, not ${JSON.stringify(value)}`, place),
      written,
      asType(value, type),
    );
  }
  return diagnostic(code, error.message, place);
}

/** Corrects a value of which only the quotes are wrong. */
function asType(value: unknown, type: string): string | undefined {
  if (type === "string" && ["number", "boolean"].includes(typeof value)) return `"${value}"`;
  if (typeof value !== "string") return undefined;
  if (type === "boolean" && /^(?:true|false)$/.test(value)) return value;
  return type === "number" && /^-?\d+(?:\.\d+)?$/.test(value) ? value : undefined;
}

export function withFix(
  found: Diagnostic,
  where: Omit<Fix, "text"> | undefined,
  text: string | undefined,
): Diagnostic {
  if (where === undefined || text === undefined) return found;
  const { line, column, length } = where;
  return { ...found, fix: { line, column, length, text } };
}

/** Markdoc schemas name types by constructor or by name. */
const TYPES = [String, Number, Boolean, Array, Object];

function typeName(type: unknown): string | undefined {
  const types = Array.isArray(type) ? type : [type];
  const names = types.map((each) =>
    (typeof each === "string" ? each : TYPES.find((type) => type === each)?.name)?.toLowerCase()
  );
  return names.includes(undefined) ? undefined : names.join(" or ");
}

function nodePlace(node: MarkdocNode, locator: Locator): Place {
  if (node.tag !== undefined) return locator.tag(node);
  return locator.text(node, "{%");
}

function join(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== "").join(" ").replace(/\.$/, "");
}

const CODES: Readonly<Record<string, DiagnosticCode>> = {
  "tag-undefined": "rune-unknown",
  "missing-closing": "rune-unclosed",
  "missing-opening": "rune-unclosed",
  "tag-placement-invalid": "rune-placement",
  "tag-selfclosing-has-children": "rune-placement",
  "child-invalid": "rune-placement",
  "slot-undefined": "rune-placement",
  "slot-missing-required": "content-missing",
  "attribute-undefined": "attribute-unknown",
  "attribute-value-invalid": "attribute-value",
  "attribute-type-invalid": "attribute-type",
  "attribute-missing-required": "attribute-missing",
  "duplicate-attribute": "syntax",
  "no-inline-annotations": "syntax",
  "parse-error": "syntax",
  "fence-tag-error": "syntax",
  "function-undefined": "function-unknown",
  "parameter-undefined": "function-unknown",
  "parameter-missing-required": "function-unknown",
  "parameter-type-invalid": "function-unknown",
  "variable-undefined": "variable-unknown",
};
