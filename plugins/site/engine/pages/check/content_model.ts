/** Checks the content of runes against their content models, and their parents. */

import { asObject, textOf } from "../../../../../src/io/json.ts";
import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import { quotedName } from "../../../../../src/plain_text.ts";
import { exampleFor, fixtureOf, hasExample, parseContent } from "../../runes/example_page.ts";
import type { ContentField, ContentModel, Rune, RunesModule } from "../../upstream/shapes.ts";
import { contentModelOf, isDeferred, schemaOf, type SiteContext } from "../../upstream/site.ts";
import { type Diagnostic, diagnostic } from "../read/diagnostics.ts";
import type { Scope } from "../read/scope.ts";

/** Tags that every rune removes from its content before it applies the model. */
const SPECIAL_TAGS = new Set(["tint", "bg"]);

/** May be empty, to remove a layout region. */
const CONTAINERS = new Set(["layout", "region"]);

/** Tags that the build replaces before it applies the model. */
const REPLACED: Readonly<Record<string, string>> = { snippet: "fence" };

/** Checks the content of every rune of a page; a model that the rune's own example does not fit is not applied. */
export function contentFindings({ site, ast, locator }: Scope): Diagnostic[] {
  const isTrusted = (name: string) => {
    const rune = Object.hasOwn(site.runes, name) ? site.runes[name] : undefined;
    if (rune === undefined || !hasExample(site, rune)) return true;
    return site.memo([site, rune, "fits its content model"], () => {
      const example = parseContent(site, fixtureOf(site, rune));
      return problemsIn(site, example).next().done === true;
    });
  };
  return [...problemsIn(site, ast)].filter(({ rune }) => isTrusted(rune)).map((problem) => {
    const { rune, code, message, node } = problem;
    const place = node.type === "tag" ? locator.tag(node) : locator.start(node);
    return diagnostic(code, `${message}${exampleHint(site, rune)}`, place);
  });
}

function* problemsIn(site: SiteContext, ast: MarkdocNode) {
  for (const node of ast.walk()) {
    const { type, tag } = node;
    if (type !== "tag" || tag === undefined || !Object.hasOwn(site.tags, tag)) continue;
    if (isDeferred(site, node) || node.errors?.length || CONTAINERS.has(tag)) continue;
    const children = node.children.filter((child) =>
      !(child.type === "tag" && SPECIAL_TAGS.has(child.tag ?? ""))
    );
    const model = chosenModel(site, node, children);
    if (model === undefined) continue;
    const rune = site.names.get(tag) ?? tag;
    const problem = (code: "content-missing" | "content-ignored", says: string, at = node) => {
      return { rune, code, message: `Rune ${quotedName(tag)} ${says}`, node: at };
    };
    if (children.length === 0) {
      // `{% x %}{% /x %}` is unfinished; `{% x /%}` is intended.
      const isUnfinished = node.lines.length > 2 && takesContent(model);
      if (isUnfinished) yield problem("content-missing", `is empty: it takes ${wants(model)}`);
    } else if (model.type === "sections") {
      const level = model.sectionHeading?.split(":")[1];
      // Sections may also be written as tags.
      const hasSections = children.some((child) =>
        child.type === "tag" ||
        child.type === "heading" && (!level || String(child.attributes["level"]) === level)
      );
      if (hasSections || model.implicitSection !== undefined) continue;
      const wanted = level === undefined ? "headings" : `headings of level ${level}`;
      yield problem("content-missing", `is made of sections: it needs ${wanted}`);
    } else if (model.type === "sequence") {
      const { fields = [] } = model;
      const { missing, rest } = matchChildren(site.upstream.runes, fields, children);
      for (const { name, match } of missing) {
        yield problem("content-missing", `lacks its ${name}: ${matchText(match)}`);
      }
      if (missing.length > 0 || rest === undefined || fields.length === 0) continue;
      const extra = rest.type === "tag" ? `{% ${rest.tag} %}` : `a ${rest.type}`;
      const accepted = fields.map(({ match }) => matchText(match)).join(", then ");
      yield problem("content-ignored", `does not take ${extra} here, only ${accepted}`, rest);
    }
  }
}

/** Walks the children like the packages' resolver. */
function matchChildren(
  runes: RunesModule,
  fields: readonly ContentField[],
  children: readonly MarkdocNode[],
) {
  const matches = (child: MarkdocNode | undefined, match: string) =>
    child !== undefined && (runes.matchesType(child, match) ||
      child.type === "tag" && match.split("|").includes(REPLACED[child.tag ?? ""] ?? ""));
  const missing: ContentField[] = [];
  let at = 0;
  for (const field of fields) {
    if (matches(children[at], field.match)) {
      do at++; while (field.greedy && matches(children[at], field.match));
    } else if (!field.optional) {
      missing.push(field);
      // The resolver skips the child that does not match.
      at++;
    }
  }
  return { missing, rest: children[at] };
}

function chosenModel(
  site: SiteContext,
  node: MarkdocNode,
  children: readonly MarkdocNode[],
): ContentModel | undefined {
  const { attributes } = node;
  const model = contentModelOf(site, schemaOf(site, node), attributes);
  if (!Array.isArray(model?.when)) {
    return model?.type === "custom" || !model?.type ? undefined : model;
  }
  const { evaluateCondition } = site.upstream.runes;
  return model.when.find(({ condition }) => evaluateCondition(condition, children, attributes))
    ?.model ?? model.default;
}

function takesContent({ type, fields = [] }: ContentModel): boolean {
  return type === "sections" || type === "delimited" ||
    fields.some(({ optional, match }) => !optional || match === "any");
}

function wants(model: ContentModel): string {
  if (model.type === "sections") return "sections with headings";
  if (model.type === "delimited") return "content, with --- between its parts";
  return (model.fields ?? []).map(({ match }) => matchText(match)).join(", then ");
}

function matchText(match: string): string {
  return match.split("|").map((each) => each === "any" ? "any content" : each.replace(":", " "))
    .join(" or ");
}

/**
 * Describes the content that a rune accepts, for a lost `line`: the templates of its content model,
 * its fields, or a line of its example; `undefined` if it has none of them.
 */
export function acceptedForm(site: SiteContext, tag: string, line: string): string | undefined {
  const form = formOf(site, tag);
  if (form !== undefined) return `The rune takes ${form.replace(/\.$/, "")}`;
  const example = exampleLine(site, tag, line);
  return example === undefined ? undefined : `In its example: ${JSON.stringify(example)}`;
}

/** The longest example that a finding shows, in characters. */
const MOST_EXAMPLE = 240;

/** The end of a message: a working example of a rune, or how to get one. */
function exampleHint(site: SiteContext, tag: string): string {
  const example = exampleFor(site, tag).trim();
  if (example === "") return "";
  return example.length <= MOST_EXAMPLE
    ? `. An example: ${JSON.stringify(example)}`
    : `. refrakt_reference { rune: ${JSON.stringify(site.names.get(tag) ?? tag)} } has an example`;
}

/** The mark at the start of a line: of a list, heading, quote, table, image or code. */
const BLOCK_MARK = /^(?:[-*+]|\d+\.|#+|>|\||!\[|```)?/;

/** The first line of the rune's example that begins like `line`, or its first. */
function exampleLine(site: SiteContext, tag: string, line: string): string | undefined {
  const lines = exampleFor(site, tag).split("\n").map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("{%"));
  const markOf = (text: string) => BLOCK_MARK.exec(text.trim())![0].replace(/\d+/, "1");
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
    return `${name} as ${matchText(match)}${items.length === 0 ? "" : ` of ${items.join(", ")}`}`;
  }).join(", then ");
}

export function parentFindings(
  { site, locator, kind }: Scope,
  node: MarkdocNode,
  around: readonly MarkdocNode[],
): Diagnostic[] {
  const belonging = belongingsOf(site).get(site.names.get(node.tag ?? "") ?? "");
  // A partial may be used inside the parent.
  if (kind === "partial" || belonging === undefined) return [];
  const { parents, isRequired } = belonging;
  const runes = around.map(({ tag }) => site.names.get(tag ?? "") ?? "");
  if (runes.some((rune) => parents.includes(rune))) return [];
  // An unknown rune around it may be one of a package that was skipped, and a valid parent.
  const isUnclear = site.failures.length > 0 &&
    around.some(({ tag }, index) => tag !== undefined && runes[index] === "");
  const severity = isUnclear ? "hint" : isRequired ? "error" : "warning";
  const message = `Rune ${quotedName(node.tag!)} belongs inside ${quotedName(parents[0]!)}`;
  return [{ ...diagnostic("rune-placement", message, locator.tag(node)), severity }];
}

/** The runes that a rune belongs inside, at any depth; empty if it stands alone. */
export function parentsOf(site: SiteContext, rune: string): readonly string[] {
  return belongingsOf(site).get(rune)?.parents ?? [];
}

const belongingsOf = (site: SiteContext) => site.memo([site, "belongings"], () => belongings(site));

/** By rune: its parents, and whether it does not work without one. */
function belongings(site: SiteContext) {
  const runes = Object.values(site.runes);
  const namesOf = (type: string) =>
    runes.filter(({ name, typeName }) =>
      typeName === undefined ? kebab(type) === name : typeName === type
    )
      .map(({ name }) => name);
  const all = new Map<string, { readonly parents: string[]; readonly isRequired: boolean }>();
  for (const [type, config] of Object.entries(site.config.runes)) {
    const { parent, requiresParent } = asObject(config);
    const wanted = textOf(requiresParent) ?? textOf(parent);
    if (wanted === undefined || wanted === "*") continue;
    const parents = namesOf(wanted);
    // A part that only its parent creates is not a rune.
    if (parents.length === 0) continue;
    const isRequired = requiresParent !== undefined;
    for (const name of namesOf(type)) {
      if (isRequired || !standsAlone(site, site.runes[name]!)) {
        all.set(name, { parents, isRequired });
      }
    }
  }
  return all;
}

/** Whether the rune's own example uses it without a parent, like `track`. */
function standsAlone(site: SiteContext, rune: Rune): boolean {
  if (!hasExample(site, rune)) return false;
  return site.upstream.markdoc.parse(fixtureOf(site, rune)).children
    .some(({ tag }) => site.names.get(tag ?? "") === rune.name);
}

function kebab(type: string): string {
  return type.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}
