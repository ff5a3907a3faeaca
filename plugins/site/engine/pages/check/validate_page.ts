/** Runs Markdoc's validator on a page and describes its errors in the terms of runes. */

import type { MarkdocNode, ValidationError } from "../../../../../src/markdoc/node.ts";
import type { Place } from "../../../../../src/markdoc/edits.ts";
import {
  type Diagnostic,
  diagnostic,
  type DiagnosticCode,
  editsOf,
  sentences,
  withName,
} from "../read/diagnostics.ts";
import { quotedName } from "../../../../../src/plain_text.ts";
import { suggestion } from "../../../../../src/errors.ts";
import { asObject } from "../../../../../src/io/json.ts";
import { isDeferred, schemaOf } from "../../upstream/site.ts";
import type { Scope } from "../read/scope.ts";
import { unknownAttribute, valueFindings, wrongValue } from "./attribute_findings.ts";
import { parentFindings } from "./content_model.ts";
import { certainName, type LoneTag, pairFindings } from "../read/tag_pairs.ts";

export function validatePage(scope: Scope): Diagnostic[] {
  const { site, ast, locator, variables, partials } = scope;
  const { runes, markdoc } = site.upstream;
  const config = {
    tags: site.tags,
    nodes: { ...markdoc.nodes, ...runes.nodes },
    functions: { ...markdoc.functions, ...runes.functions },
    variables,
    partials,
  };
  const names = new Set(Object.keys(site.tags));
  const findings: Diagnostic[] = [];
  const open: LoneTag[] = [];
  const closed: LoneTag[] = [];
  const unread = new Set<string>();
  const visit = (node: MarkdocNode, parents: readonly MarkdocNode[]) => {
    const validation = { parents, validateFunctions: true };
    for (const error of markdoc.validator(node, { ...config, validation })) {
      if (error.id === "missing-opening" || error.id === "missing-closing") {
        if (node.tag === undefined) {
          if (error.id === "missing-opening" || node.type !== "inline") continue;
          // Markdoc reports a tag that is opened within a paragraph as an error of the text.
          const end = node.children.findIndex(({ errors }) =>
            errors?.some(({ id }) => id === "missing-opening")
          );
          const last = node.children.at(end === -1 ? -1 : end - 1);
          if (last?.tag === undefined || schemaOf(site, last)?.selfClosing === true) continue;
          unread.add(last.tag);
          findings.push(...pairFindings([{ name: last.tag, place: locator.tag(last) }], [], names));
          continue;
        }
        if (error.id === "missing-opening") {
          closed.push({ name: node.tag, place: locator.closing(node) });
        } else open.push({ name: node.tag, place: locator.tag(node) });
        continue;
      }
      // Report only the missing opening.
      if (node.errors?.some(({ id }) => id === "missing-opening")) continue;
      const finding = describe(scope, node, parents, error);
      if (finding === undefined) continue;
      findings.push(finding);
      if (error.id === "parse-error") unread.add(locator.nameAt(finding));
    }
    findings.push(...valueFindings(scope, node), ...parentFindings(scope, node, parents));
    const { content } = node.attributes;
    if (node.type === "text" && typeof content === "string" && content.includes("{%")) {
      const place = locator.text(node, "{%");
      if (!locator.isEscaped(place)) {
        unread.add(locator.nameAt(place));
        findings.push(diagnostic("syntax", "The tag is not closed by %} on its line", place));
      }
    }
    const inside = [...parents, node];
    for (const child of node.children) visit(child, inside);
    for (const slot of Object.values(node.slots ?? {})) visit(slot, inside);
  };
  visit(ast, []);
  // The opening tag may exist but be unreadable.
  const lone = closed.filter(({ name }) => !unread.has(name));
  return oneForUnclosed([...findings, ...pairFindings(open, lone, names)]);
}

/** An unknown, unclosed tag is one mistake: keeps the finding that has a correction. */
function oneForUnclosed(findings: readonly Diagnostic[]): Diagnostic[] {
  const placeOf = ({ line, column }: Diagnostic) => `${line}:${column}`;
  const byPlace = Map.groupBy(findings, placeOf);
  return findings.filter((finding) => {
    const here = byPlace.get(placeOf(finding))!;
    const unclosed = here.filter(({ code }) => code === "rune-unclosed");
    if (unclosed.length === 0 || here.every(({ code }) => code !== "rune-unknown")) return true;
    const isCorrected = unclosed.some((each) => editsOf(each).length > 0);
    return finding.code !== (isCorrected ? "rune-unknown" : "rune-unclosed");
  });
}

function describe(
  scope: Scope,
  node: MarkdocNode,
  parents: readonly MarkdocNode[],
  error: ValidationError,
): Diagnostic | undefined {
  const { site, locator, partials } = scope;
  const code = CODES[error.id] ?? "syntax";
  // A tag that splits a paragraph leaves fragments; a line break in bold text is valid.
  if (node.type !== "tag" && code === "rune-placement") return undefined;
  const { runes, markdoc } = site.upstream;
  const place = locator.node(node);
  // Only Markdoc's message has the name.
  const name = /'([^']*)'/.exec(error.message)?.[1];
  const tag = node.tag ?? node.type;
  switch (code) {
    case "rune-unknown":
      return unknownRune(scope, node, tag, place);
    case "function-unknown": {
      if (error.id !== "function-undefined" || name === undefined) break;
      const guess = suggestion(name, Object.keys({ ...markdoc.functions, ...runes.functions }));
      const message = sentences(`Unknown function ${quotedName(name)}.`, guess);
      return diagnostic(code, message, locator.text(node, `${name}(`));
    }
    case "variable-unknown":
      // A template has the variables of each entity.
      if (scope.kind === "partial" || [...parents, node].some((each) => isDeferred(site, each))) {
        return undefined;
      }
      return unknownVariable(name ?? "", scope, locator.text(node, `$${name ?? ""}`));
    case "attribute-unknown":
      return unknownAttribute(scope, node, name);
    case "attribute-value":
    case "attribute-type":
      // The value of a function or a variable is only known in the build.
      if (name !== undefined && isComputed(node.attributes[name])) return undefined;
      if (tag === "partial" && name === "file" && code === "attribute-value") {
        const file = String(node.attributes["file"] ?? "");
        const guess = suggestion(file, Object.keys(partials));
        const message = sentences(`No such partial: ${quotedName(file)}.`, guess);
        return diagnostic("partial-missing", message, place);
      }
      return wrongValue(scope, node, code, name, error);
    case "attribute-missing": {
      const message = `Rune ${quotedName(tag)} needs the attribute "${name ?? "?"}"`;
      return diagnostic(code, message, place);
    }
  }
  return diagnostic(code, error.message, place);
}

function unknownRune(
  { site, locator }: Scope,
  node: MarkdocNode,
  tag: string,
  place: Place,
): Diagnostic {
  const names = Object.keys(site.tags);
  const message = sentences(`Unknown rune ${quotedName(tag)}.`, suggestion(tag, names));
  const finding = diagnostic("rune-unknown", message, place);
  const meant = certainName(tag, names);
  if (meant === undefined) return finding;
  const closing = locator.closingOf(node);
  const isUnclosed = node.errors?.some(({ id }) => id === "missing-closing") === true;
  // Its closing tag cannot be found, so the correction is not certain.
  if (closing === undefined && node.children.length > 0 && !isUnclosed) return finding;
  const places = closing === undefined ? [place] : [place, closing];
  if (!places.every((each) => locator.isAt(each, tag))) return finding;
  // Certain: the name of one rune of the site is one letter away.
  return withName(finding, places.map((each) => ({ name: tag, place: each })), meant);
}

function unknownVariable(name: string, { variables }: Scope, place: Place): Diagnostic {
  // The first part of the name that is unknown, and the names that are valid for it.
  let [wanted = "", ...rest] = name.split(".");
  let fields = variables;
  while (rest.length > 0 && Object.hasOwn(fields, wanted)) {
    fields = asObject(fields[wanted]);
    [wanted = "", ...rest] = rest;
  }
  const guess = suggestion(wanted, Object.keys(fields));
  const message = sentences(`Unknown variable "$${name}".`, guess);
  const finding = diagnostic("variable-unknown", message, place);
  if (guess !== "" || fields !== variables) return finding;
  return { ...finding, severity: "hint", message: `${finding.message}: an adapter may supply it` };
}

function isComputed(value: unknown): boolean {
  return ["Function", "Variable"].includes(String(asObject(value)["$$mdtype"]));
}

/** The codes of Markdoc's errors; all others are `syntax`. */
const CODES: Readonly<Record<string, DiagnosticCode>> = {
  "tag-undefined": "rune-unknown",
  "tag-placement-invalid": "rune-placement",
  "tag-selfclosing-has-children": "rune-placement",
  "child-invalid": "rune-placement",
  "slot-undefined": "rune-placement",
  "slot-missing-required": "content-missing",
  "attribute-undefined": "attribute-unknown",
  "attribute-value-invalid": "attribute-value",
  "attribute-type-invalid": "attribute-type",
  "attribute-missing-required": "attribute-missing",
  "function-undefined": "function-unknown",
  "parameter-undefined": "function-unknown",
  "parameter-missing-required": "function-unknown",
  "parameter-type-invalid": "function-unknown",
  "variable-undefined": "variable-unknown",
};
