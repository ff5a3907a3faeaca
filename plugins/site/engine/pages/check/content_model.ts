/** Checks what runes contain against their content models. */

import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import { quotedName } from "../../../../../src/plain_text.ts";
import { exampleFor, fixtureOf, hasExample } from "../../runes/example_page.ts";
import type { ContentField, ContentModel, Rune, RunesModule } from "../../upstream/shapes.ts";
import { contentModelOf, isDeferred, schemaOf, type SiteContext } from "../../upstream/site.ts";
import { type Diagnostic, diagnostic } from "../read/diagnostics.ts";
import { exampleScope, type Scope } from "../read/scope.ts";
import { validatePage } from "./validate_page.ts";

/** Tags that every rune removes from its content before it applies the model. */
const SPECIAL_TAGS = new Set(["tint", "bg"]);

/** May be empty, to remove a layout region. */
const CONTAINERS = new Set(["layout", "region"]);

/** Tags that the build replaces before it applies the model. */
const REPLACED: Readonly<Record<string, string>> = { snippet: "fence" };

/** Checks the content of every rune of a page, and names the rune of each finding. */
export function findContentProblems(
  { site, ast, locator }: Scope,
): { readonly rune: string; readonly diagnostic: Diagnostic }[] {
  const { runes } = site.upstream;
  const problems: { rune: string; diagnostic: Diagnostic }[] = [];
  for (const node of ast.walk()) {
    if (node.type !== "tag" || node.tag === undefined || !Object.hasOwn(site.tags, node.tag)) {
      continue;
    }
    if (isDeferred(site, node) || node.errors?.length || CONTAINERS.has(node.tag)) continue;
    const children = node.children.filter((child) =>
      !(child.type === "tag" && SPECIAL_TAGS.has(child.tag ?? ""))
    );
    const model = chosenModel(site, node, children);
    if (model === undefined) continue;
    const complain = (code: "content-missing" | "content-ignored", message: string, at = node) =>
      problems.push({
        rune: site.names.get(node.tag!) ?? node.tag!,
        diagnostic: diagnostic(
          code,
          `${message}${exampleOf(site, node.tag!)}`,
          at.type === "tag" ? locator.tag(at) : locator.start(at),
        ),
      });
    // `{% x %}{% /x %}` is unfinished; `{% x /%}` is intended.
    if (children.length === 0 && node.lines.length > 2 && takesContent(model)) {
      complain(
        "content-missing",
        `Rune ${quotedName(node.tag!)} is empty: it takes ${wants(model)}`,
      );
      continue;
    }
    if (children.length > 0) checkModel(runes, node, model, children, complain);
  }
  return problems;
}

type Complain = (
  code: "content-missing" | "content-ignored",
  message: string,
  at?: MarkdocNode,
) => void;

function checkModel(
  runes: RunesModule,
  node: MarkdocNode,
  model: ContentModel,
  children: readonly MarkdocNode[],
  complain: Complain,
): void {
  if (model.type === "sequence") {
    checkSequence(runes, node, model.fields ?? [], children, complain);
  } else if (model.type === "sections") {
    const level = model.sectionHeading?.split(":")[1];
    const headings = children.filter((child) =>
      child.type === "heading" &&
      (level === undefined || String(child.attributes["level"]) === level)
    );
    // Sections may also be written as tags.
    const written = children.some((child) => child.type === "tag");
    if (headings.length === 0 && !written && model.implicitSection === undefined) {
      const wanted = level === undefined ? "headings" : `headings of level ${level}`;
      complain(
        "content-missing",
        `Rune ${quotedName(node.tag!)} is made of sections: it needs ${wanted}`,
      );
    }
  }
}

/** Walks the children like the packages' resolver. */
function checkSequence(
  runes: RunesModule,
  node: MarkdocNode,
  fields: readonly ContentField[],
  children: readonly MarkdocNode[],
  complain: Complain,
): void {
  const matches = (child: MarkdocNode, match: string) =>
    runes.matchesType(child, match) ||
    child.type === "tag" && match.split("|").includes(REPLACED[child.tag ?? ""] ?? "");
  const missing: ContentField[] = [];
  let at = 0;
  for (const field of fields) {
    const child = children[at];
    if (child !== undefined && matches(child, field.match)) {
      at++;
      while (field.greedy && at < children.length && matches(children[at]!, field.match)) at++;
    } else if (!field.optional) {
      missing.push(field);
      // The resolver skips the child that does not match.
      if (child !== undefined) at++;
    }
  }
  for (const { name, match } of missing) {
    complain("content-missing", `Rune ${quotedName(node.tag!)} lacks its ${name}: ${named(match)}`);
  }
  const rest = children[at];
  if (missing.length === 0 && rest !== undefined && fields.length > 0) {
    const what = rest.type === "tag" ? `{% ${rest.tag} %}` : `a ${rest.type}`;
    complain(
      "content-ignored",
      `Rune ${quotedName(node.tag!)} does not take ${what} here, only ${
        fields.map(({ match }) => named(match)).join(", then ")
      }`,
      rest,
    );
  }
}

function chosenModel(
  site: SiteContext,
  node: MarkdocNode,
  children: readonly MarkdocNode[],
): ContentModel | undefined {
  const { attributes } = node;
  const model = contentModelOf(site, schemaOf(site, node), attributes);
  if (Array.isArray(model?.when)) {
    const branch = model.when.find(({ condition }) =>
      site.upstream.runes.evaluateCondition(condition, children, attributes)
    );
    return branch?.model ?? model.default;
  }
  return model?.type === "custom" || model?.type === undefined ? undefined : model;
}

function takesContent({ type, fields = [] }: ContentModel): boolean {
  return type === "sections" || type === "delimited" ||
    fields.some(({ optional, match }) => !optional || match === "any");
}

function wants(model: ContentModel): string {
  if (model.type === "sections") return "sections with headings";
  if (model.type === "delimited") return "content, with --- between its parts";
  return (model.fields ?? []).map(({ match }) => named(match)).join(", then ");
}

function named(match: string): string {
  return match.split("|").map((each) => each === "any" ? "any content" : each.replace(":", " "))
    .join(" or ");
}

/**
 * Says what a rune takes where `line` is lost: the templates of its content model, its fields, or a
 * line of its example; `undefined` if neither tells.
 */
export function acceptedForm(site: SiteContext, tag: string, line: string): string | undefined {
  const form = formOf(site, tag);
  if (form !== undefined) return `The rune takes ${form.replace(/\.$/, "")}`;
  const example = exampleLine(site, tag, line);
  return example === undefined ? undefined : `In its example: ${JSON.stringify(example)}`;
}

/** The longest example that a finding shows, in characters. */
const MOST_EXAMPLE = 240;

/** An example of a rune that works, or where there is one. */
function exampleOf(site: SiteContext, tag: string): string {
  const example = exampleFor(site, tag).trim();
  if (example === "") return "";
  return example.length <= MOST_EXAMPLE
    ? `. An example: ${JSON.stringify(example)}`
    : `. refrakt_reference { rune: ${JSON.stringify(site.names.get(tag) ?? tag)} } has an example`;
}

/** What begins a line: a mark of lists, headings, quotes, tables, images or code. */
const MARK = /^(?:[-*+]|\d+\.|#+|>|\||!\[|```)?/;

/** The first line of the rune's example that begins like `line`, or its first. */
function exampleLine(site: SiteContext, tag: string, line: string): string | undefined {
  const lines = exampleFor(site, tag).split("\n").map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("{%"));
  const markOf = (text: string) => MARK.exec(text.trim())![0].replace(/\d+/, "1");
  return lines.find((each) => markOf(each) === markOf(line)) ?? lines[0];
}

function formOf(site: SiteContext, tag: string): string | undefined {
  const model = contentModelOf(site, site.tags[tag]);
  if (model === undefined || model.type === "custom") return undefined;
  const fields = [model, ...model.zones ?? [], model.sectionModel]
    .flatMap((part) => part?.fields ?? []);
  const templates = fields.flatMap(({ name, template }) =>
    template === undefined ? [] : `${name} as ${JSON.stringify(template)}`
  );
  if (templates.length > 0) return templates.join(", ");
  const told = fields.filter(({ match }) => match !== "any");
  if (told.length === 0) return undefined;
  return told.map(({ name, match, itemModel }) => {
    const items = (itemModel?.fields ?? []).map((item) => `${item.name} (plain ${item.match})`);
    return `${name} as ${named(match)}${items.length === 0 ? "" : ` of ${items.join(", ")}`}`;
  }).join(", then ");
}

/** The findings about a rune's own example. */
export function exampleProblems(site: SiteContext, rune: Rune): readonly Diagnostic[] {
  return site.memo([site, rune, "problems of the example"], () => problemsOf(site, rune));
}

function problemsOf(site: SiteContext, rune: Rune): Diagnostic[] {
  if (!hasExample(site, rune)) return [];
  const scope = exampleScope(site, fixtureOf(site, rune));
  return [
    ...validatePage(scope)
      .filter(({ code }) => code.startsWith("attribute-") || code.startsWith("rune-")),
    ...findContentProblems(scope).map(({ diagnostic }) => diagnostic),
  ];
}
