/**
 * From an example to HTML: Markdoc, then the identity transform.
 *
 * @module
 */

import { asObject, fieldOf } from "../../io/json.ts";
import { FILE_LIMIT_MS, inTime } from "../../io/time_limit.ts";
import { createMemo } from "./memo.ts";
import type { MarkdocNode, Rune, StructureContract, ThemeConfig } from "./shapes.ts";
import type { SiteContext } from "./site.ts";

/** A rendered example. */
export interface Rendered {
  readonly serialized: unknown;
  readonly tree: unknown;
}

const transforms = createMemo<ThemeConfig, (tree: unknown) => unknown>();

/** The transform that a configuration makes, from a rune's markup to the theme's, within the time of a file. */
export function identityTransform(
  { upstream: { transform } }: SiteContext,
  config: ThemeConfig,
): (tree: unknown) => unknown {
  return transforms(config, () => {
    const transformTree = transform.createTransform(config);
    return (tree) => inTime(FILE_LIMIT_MS, () => transformTree(tree));
  });
}

/** Renders Markdoc source the way the inspecting tools do: one page, without its site. */
export function render(context: SiteContext, config: ThemeConfig, source: string): Rendered {
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

/**
 * The type of rune that a rendered example turned out to be, as the configuration
 * names it. Plugins do not say it; the markup does.
 */
export function typeNameOf(
  config: ThemeConfig,
  contract: StructureContract,
  rune: { readonly name: string; readonly typeName?: string },
  serialized: unknown,
): string | undefined {
  if (rune.typeName !== undefined) {
    return Object.hasOwn(config.runes, rune.typeName) ? rune.typeName : undefined;
  }
  const marked = dataRunes(serialized);
  const found = marked.includes(rune.name) ? rune.name : marked[0] ?? rune.name;
  for (const [type, entry] of Object.entries(contract.runes)) {
    if (entry["dataRune"] === found) return type;
  }
  return undefined;
}

/** Snippets are embedded files; a page replaces them by fences before it is transformed. */
function snippetsToFences(context: SiteContext, ast: MarkdocNode): void {
  if (context.source["snippet"] !== "core") return;
  for (const node of [ast, ...ast.walk()]) {
    for (const [index, child] of node.children.entries()) {
      if (child.type !== "tag" || child.tag !== "snippet") continue;
      const { path, lang, lines, linenumbers, highlight } = child.attributes;
      node.children[index] = new context.upstream.markdoc.Ast.Node("fence", {
        content: `// The text of ${String(path ?? "the file")}\n`,
        language: typeof lang === "string" ? lang : "text",
        source: String(path ?? ""),
        ...(lines === undefined ? {} : { lines }),
        ...(linenumbers === true ? { linenumbers } : {}),
        ...(highlight === undefined ? {} : { highlight }),
      });
    }
  }
}

/** The `data-rune` of every tag, outermost first. */
function dataRunes(tree: unknown, found: string[] = []): string[] {
  if (Array.isArray(tree)) { for (const child of tree) dataRunes(child, found); }
  else if (typeof tree === "object" && tree !== null) {
    const { attributes, children } = asObject(tree);
    const name = fieldOf(attributes, "data-rune");
    if (typeof name === "string") found.push(name);
    dataRunes(children, found);
  }
  return found;
}

/** Runes that only other parts of refrakt make; their own examples would not render. */
const INTERNAL_EXAMPLES: Readonly<Record<string, string>> = {
  error: '{% error tag="hint" lines=[1, 2] ' +
    'error={id: "attribute-value-invalid", level: "error", message: "Invalid value"} /%}',
  snippet: '{% snippet path="examples/hello.ts" lang="ts" /%}',
};

/** Whether a rune has an example of its own, by its plugin or the core. */
export function hasExample(context: SiteContext, rune: Rune): boolean {
  return exampleOf(context, rune) !== undefined;
}

/** The example of a rune: its plugin's, the core's, or a stub. */
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
