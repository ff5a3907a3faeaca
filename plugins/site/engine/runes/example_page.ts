/** Renders examples to HTML: Markdoc, then the identity transform. */

import type { MarkdocNode } from "../../../../src/markdoc/node.ts";
import { quotedName } from "../../../../src/plain_text.ts";
import { defined } from "../../../../src/io/json.ts";
import { didYouMean, RefraktError } from "../../../../src/errors.ts";
import type { Rune, StructureContract, ThemeConfig } from "../upstream/shapes.ts";
import { visitElements } from "../upstream/elements.ts";
import { findRune, type SiteContext, withWarnings } from "../upstream/site.ts";
import { OUR_EXAMPLES } from "./our_examples.ts";

function identityTransform(site: SiteContext, config: ThemeConfig): (tree: unknown) => unknown {
  const make = () => site.upstream.transform.createTransform(config);
  return site.memo([site, config, "transform"], make);
}

/** Transforms a tree of the build by a theme's configuration. */
export function shownTree(context: SiteContext, config: ThemeConfig, renderable: unknown): unknown {
  return identityTransform(context, config)(context.upstream.runes.serializeTree(renderable));
}

/** Renders Markdoc as the packages' inspect command does: one page without its site. */
export function render(context: SiteContext, config: ThemeConfig, source: string) {
  const { runes, markdoc } = context.upstream;
  const ast = markdoc.parse(source);
  if (source.includes("snippet")) snippetsToFences(context, ast);
  const transformed = markdoc.transform(ast, {
    tags: context.tags,
    nodes: runes.nodes,
    variables: {
      generatedIds: new Set(),
      path: "/inspect.md",
      headings: runes.extractHeadings(ast),
      __source: source,
      frontmatter: {},
      page: { url: "/inspect.md", filePath: "inspect.md", draft: false },
    },
  });
  const serialized = runes.serializeTree(transformed);
  return { serialized, tree: identityTransform(context, config)(serialized) };
}

/** Returns the rune type of a rendered example. Plugins do not declare it; the markup shows it. */
export function typeNameOf(
  config: ThemeConfig,
  contract: StructureContract,
  rune: Pick<Rune, "name" | "typeName">,
  serialized: unknown,
): string | undefined {
  if (rune.typeName !== undefined) {
    return Object.hasOwn(config.runes, rune.typeName) ? rune.typeName : undefined;
  }
  const marked: string[] = [];
  visitElements(serialized, ({ attributes }) => {
    const name = attributes["data-rune"];
    if (typeof name === "string") marked.push(name);
  });
  const dataRune = marked.includes(rune.name) ? rune.name : marked[0] ?? rune.name;
  return Object.keys(contract.runes).find((type) => contract.runes[type]!["dataRune"] === dataRune);
}

/** Replaces embedded files (`snippet`) by fences, as a build does before the transform. */
function snippetsToFences(context: SiteContext, ast: MarkdocNode): void {
  if (context.source["snippet"] !== "core") return;
  for (const node of [ast, ...ast.walk()]) {
    for (const [index, child] of node.children.entries()) {
      if (child.type !== "tag" || child.tag !== "snippet") continue;
      const { path, lang, lines, linenumbers, highlight } = child.attributes;
      const fence = defined({
        content: `// The text of ${String(path ?? "the file")}\n`,
        language: typeof lang === "string" ? lang : "text",
        source: String(path ?? ""),
        lines,
        linenumbers: linenumbers || undefined,
        highlight,
      });
      node.children[index] = new context.upstream.markdoc.Ast.Node("fence", fence);
    }
  }
}

/** Runes that other parts of refrakt create: their own examples would not render. */
const INTERNAL_EXAMPLES: Readonly<Record<string, string>> = {
  error: '{% error tag="hint" lines=[1, 2] ' +
    'error={id: "attribute-value-invalid", level: "error", message: "Invalid value"} /%}',
  snippet: '{% snippet path="examples/hello.ts" lang="ts" /%}',
};

export function hasExample(context: SiteContext, rune: Rune): boolean {
  return exampleOf(context, rune) !== undefined;
}

/** Returns an example of a tag's rune, this package's or its own; empty if it has none. */
export function exampleFor(context: SiteContext, tag: string): string {
  const rune = context.runes[context.names.get(tag) ?? tag];
  if (rune === undefined) return "";
  return OUR_EXAMPLES[rune.name] ?? exampleOf(context, rune) ?? "";
}

/** Returns the example of a rune: its plugin's, the core's, or a stub. */
export function fixtureOf(context: SiteContext, rune: Rune): string {
  const { name } = rune;
  const example = exampleOf(context, rune);
  if (example !== undefined) return example;
  if (Object.hasOwn(INTERNAL_EXAMPLES, name) && context.source[name] === "core") {
    return INTERNAL_EXAMPLES[name]!;
  }
  return `{% ${name} %}\nSample content for the ${name} rune.\n{% /${name} %}`;
}

function exampleOf({ fixtures, upstream }: SiteContext, { name }: Rune): string | undefined {
  if (Object.hasOwn(fixtures, name)) return fixtures[name];
  const { examples } = upstream;
  return Object.hasOwn(examples, name) ? examples[name] || undefined : undefined;
}

export function contractOf(context: SiteContext, config: ThemeConfig): StructureContract {
  const make = () => context.upstream.transform.generateStructureContract(config);
  return context.memo([context, config, "contract"], make);
}

/** @param runes Names, aliases or types; all by default. */
export function contractFor(
  context: SiteContext,
  { runes }: { readonly runes?: readonly string[] | undefined },
) {
  const whole = contractOf(context, context.config);
  if (runes === undefined) return withWarnings(context, { ...whole });
  const types = [...new Set(runes.map((name) => contractType(context, whole, name)))];
  const chosen = Object.fromEntries(types.map((type) => [type, whole.runes[type]!]));
  return withWarnings(context, { ...whole, runes: chosen });
}

function contractType(context: SiteContext, contract: StructureContract, name: string): string {
  if (Object.hasOwn(contract.runes, name)) return name;
  const guess = didYouMean(name, [...context.names.keys(), ...Object.keys(contract.runes)]);
  if (!context.names.has(name) && context.failures.length === 0 && guess !== "") {
    throw new RefraktError("NOT_FOUND", `Unknown rune ${quotedName(name)}`, { hint: guess });
  }
  const rune = findRune(context, name);
  let type: string | undefined;
  try {
    const { serialized } = render(context, context.config, fixtureOf(context, rune));
    type = typeNameOf(context.config, contract, rune, serialized);
  } catch {
    // The type is only known from the rendered example.
  }
  if (type !== undefined) return type;
  throw new RefraktError("VALIDATION_ERROR", `Rune ${quotedName(rune.name)} has no contract`, {
    hint: "It has no BEM block of its own. See refrakt_inspect for what it renders.",
  });
}

export function firstTag(ast: MarkdocNode, names: readonly string[]): MarkdocNode | undefined {
  return [...ast.walk()].find(({ type, tag = "" }) => type === "tag" && names.includes(tag));
}

/** Parses the content of a page as the build does. */
export function parseContent({ upstream }: SiteContext, content: string): MarkdocNode {
  const { runes, markdoc } = upstream;
  upstream.requireParsable(content);
  return markdoc.parse(runes.escapeFenceTags(content));
}
