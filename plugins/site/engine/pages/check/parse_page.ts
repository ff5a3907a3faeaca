/** Parses a page, and checks everything that depends on no other page. */

import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import { asObject, textOf } from "../../../../../src/io/json.ts";
import { parseContent } from "../../runes/example_page.ts";
import type { ContentModule } from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";
import type { ContentFile } from "../read/content_files.ts";
import { contentFindings } from "./content_model.ts";
import { type Diagnostic, diagnostic } from "../read/diagnostics.ts";
import { splitPage } from "../read/front_matter.ts";
import { createLocator } from "../../../../../src/markdoc/locate.ts";
import type { Partials, Scope, SiteNames } from "../read/scope.ts";
import { foreignLines, withoutShortcodes } from "./foreign_notation.ts";
import { pageFacts } from "../read/page_facts.ts";
import { requote } from "../read/tag_pairs.ts";
import { validatePage } from "./validate_page.ts";

export type ParsedPage = ReturnType<typeof parsePage>["page"];

/** @returns The page, and the tree of its content if no correction has changed the text. */
export function parsePage(
  site: SiteContext,
  module: ContentModule,
  file: ContentFile,
  source: string,
  partials: Partials,
  names: SiteNames = {},
) {
  const parts = splitPage(module, source, names);
  const { frontmatter, offset } = parts;
  // The router requires a text; another type is a front matter finding.
  const { slug, ...rest } = frontmatter;
  const route = new module.Router("/").resolve(file.relative, textOf(slug) ? frontmatter : rest);
  let ast = parseContent(site, parts.content);
  // After a fix of the quotes, the rest of the page is checked.
  const { content, findings: quotes } = requote(parts.content, unreadable(ast), offset);
  if (quotes.length > 0) ast = parseContent(site, content);
  const locator = createLocator(
    source.slice(0, source.length - parts.content.length) + content,
    offset,
  );
  const { kind } = file;
  const variables = {
    ...siteVariables(site),
    frontmatter,
    // The checks only need the names of these variables.
    page: { url: "", path: "", dir: "", slug: "", title: "", draft: false },
    file: { path: "", created: "", modified: "" },
  };
  const scope: Scope = { site, ast, locator, kind, variables, partials, names };
  const facts = pageFacts(scope);
  const foreign = foreignLines(scope);
  const diagnostics: readonly Diagnostic[] = [
    ...parts.diagnostics,
    ...withoutShortcodes([...quotes, ...validatePage(scope)], locator.source),
    ...contentFindings(scope),
    ...facts.diagnostics,
    ...kind === "page" ? wholeFindings(scope, parts) : [],
  ];
  const page = { file, source, ...parts, route, diagnostics, facts, foreign };
  return { page, tree: quotes.length > 0 ? undefined : ast };
}

function unreadable(ast: MarkdocNode): Set<number> {
  const lines = new Set<number>();
  for (const { errors = [], lines: [first = 0, last = first + 1] } of ast.walk()) {
    if (!errors.some(({ id }) => id === "parse-error")) continue;
    for (let line = first; line < Math.max(last, first + 1); line++) lines.add(line);
  }
  return lines;
}

export function siteVariables({ site, project }: SiteContext): Record<string, unknown> {
  return { ...asObject(project.config?.raw["variables"]), ...asObject(site.raw["variables"]) };
}

function wholeFindings(
  { site, ast }: Scope,
  { frontmatter: { redirect, title }, content }: ReturnType<typeof splitPage>,
): Diagnostic[] {
  if (redirect !== undefined) return [];
  if (content.trim() === "") return [diagnostic("page-empty", "The page has no content")];
  const hasTitle = typeof title === "string" && title.trim() !== "" ||
    [...ast.walk()].some((node) => node.type === "heading" && node.attributes["level"] === 1) ||
    site.upstream.runes.firstH1(ast) !== undefined;
  const message =
    "The page has no title: neither a title in its front matter nor a first-level heading";
  return hasTitle ? [] : [diagnostic("page-title", message)];
}
