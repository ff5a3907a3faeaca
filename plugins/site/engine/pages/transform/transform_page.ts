/** Transforms one page with the variables and the `preprocess` hooks of the build. */

import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import { countAndLimit } from "../../../../../src/plain_text.ts";
import { basename, posix } from "node:path";
import { textOf } from "../../../../../src/io/json.ts";
import { parseContent } from "../../runes/example_page.ts";
import type { BuiltPage, ContributedPage } from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";
import type { HookSet } from "./hook_sets.ts";
import { type ParsedPage, siteVariables } from "../check/parse_page.ts";
import { sourceTexts } from "./lost_text.ts";
import type { Partials } from "../read/scope.ts";
import type { SitePages } from "./site_pages.ts";

/** How many nodes of partials a page may include, which take half a second. */
const MOST_PARTIAL_NODES = 20_000;

/** How many pairs of lines the diffs of a page may compare, in tables with 8 bytes for each. */
const MOST_PAIRS = 4_000_000;

/** Receives the messages of a hook. `url` defaults to the current page. */
export type Say = (severity: string, message: string, url?: string) => void;

export function hookContext(say: Say) {
  return {
    info: (message: string, url?: string) => say("info", message, url),
    warn: (message: string, url?: string) => say("warning", message, url),
    error: (message: string, url?: string) => say("error", message, url),
  };
}

/** The site, its pages and hooks that a page is built with. */
export interface Setup {
  readonly site: SiteContext;
  readonly pages: SitePages;
  readonly hooks: readonly HookSet[];
  readonly icons: unknown;
}

/** Transforms a page, and collects the text of its source. */
export async function transformPage(setup: Setup, page: ParsedPage, say: Say) {
  const { site, pages } = setup;
  const { file, route, frontmatter, content } = page;
  // Hooks change it.
  let ast = pages.treeOf(page);
  // As in the build, dates of git come first.
  const { created, modified } = pages.module
    .resolveTimestamps(file.relative, file.path, new Map(), frontmatter);
  const variables = {
    ...variablesOf(setup, ast, route, file.relative, frontmatter),
    file: { path: file.displayPath, created, modified },
    // Sandbox backdrops.
    __backgrounds: site.site.raw["backgrounds"],
  };
  const texts = sourceTexts(site, ast, variables);
  const where = { url: route.url, relativePath: file.relative, filePath: file.path };
  const context = {
    ...hookContext(say),
    projectRoot: site.project.cwd,
    sandbox: pages.projectFiles,
    variables,
  };
  for (const { hooks } of setup.hooks) {
    const changed = await hooks.preprocess?.(ast, where, context);
    if (isNode(changed)) ast = changed;
  }
  const pageValues = { route, frontmatter, content };
  return { built: transformTree(setup, ast, pageValues, file.relative, variables), texts };
}

/** Transforms a page that a hook contributed. It gets no `preprocess` hooks. */
export function transformContributed(setup: Setup, page: ContributedPage): BuiltPage {
  const { content } = page;
  const frontmatter: Record<string, unknown> = { title: page.title, ...page.frontmatter };
  const url = page.url.startsWith("/") ? page.url : `/${page.url}`;
  const relative = url.slice(1);
  const ast = parseContent(setup.site, content);
  const route = { url, filePath: `<${url}>`, draft: frontmatter["draft"] === true };
  return transformTree(setup, ast, { route, frontmatter, content }, relative, {
    ...variablesOf(setup, ast, route, relative, frontmatter),
    file: { path: relative, created: undefined, modified: undefined },
    ...page.variables,
  });
}

function transformTree(
  { site, pages: { partials }, icons }: Setup,
  ast: MarkdocNode,
  page: Pick<BuiltPage, "route" | "frontmatter" | "content">,
  relative: string,
  variables: Readonly<Record<string, unknown>>,
): BuiltPage {
  const { runes, markdoc } = site.upstream;
  const addDiffs = diffCounter(site);
  addDiffs(ast);
  const headings = runes.extractHeadings(ast);
  runes.captureDeferredBodies(ast, (name) => site.tags[name]?.deferBody === true);
  const renderable = markdoc.transform(ast, {
    tags: site.tags,
    nodes: runes.nodes,
    functions: runes.functions,
    variables: {
      generatedIds: new Set(),
      path: page.route.url,
      headings,
      __source: page.content,
      __sourcePath: relative,
      __icons: icons,
      ...variables,
    },
    partials: countedPartials(partials, addDiffs),
  });
  return {
    ...page,
    renderable,
    headings: Array.isArray(headings) ? headings : [],
    layout: { chain: [], regions: new Map() },
    seo: {},
  };
}

/** Returns a function that adds up the diffs of a page and rejects too long ones. */
function diffCounter({ names }: SiteContext): (ast: MarkdocNode) => void {
  let pairs = 0;
  return (ast) => {
    for (const { tag, children } of [ast, ...ast.walk()]) {
      if (tag === undefined || names.get(tag) !== "diff") continue;
      const texts = children.map(({ attributes }) => textOf(attributes["content"]) ?? "");
      const lines = texts.reduce((sum, text) => sum + text.split("\n").length, 0);
      pairs += Math.round((lines / 2) ** 2);
    }
    if (pairs <= MOST_PAIRS) return;
    const counted = countAndLimit(pairs, "pairs of lines or more", MOST_PAIRS);
    throw new Error(`The diffs of the page compare ${counted}`);
  };
}

/** Partials for a page: a few small ones that include each other may have millions of nodes. */
function countedPartials(partials: Partials, addDiffs: (ast: MarkdocNode) => void): Partials {
  let nodes = 0;
  return new Proxy(partials, {
    get(target, name: string) {
      const partial = target[name];
      if (partial === undefined) return partial;
      addDiffs(partial);
      nodes += Iterator.from(partial.walk()).toArray().length;
      if (nodes <= MOST_PARTIAL_NODES) return partial;
      const counted = countAndLimit(nodes, "nodes of Markdoc or more", MOST_PARTIAL_NODES);
      throw new Error(`The partials of the page have ${counted}`);
    },
  });
}

/** The variables of every page. */
function variablesOf(
  { site, pages: { content, projectFiles: files, readsByProjectFiles } }: Setup,
  ast: MarkdocNode,
  { url, draft }: BuiltPage["route"],
  path: string,
  frontmatter: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const examples = posix.join(content.dir, "..", "examples");
  const sandbox = readsByProjectFiles
    ? {
      __sandboxFiles: files,
      __sandboxExamplesDir: posix.relative(site.project.cwd, examples),
    }
    : {
      __sandboxReadFile: files.read,
      __sandboxListDir: files.list,
      __sandboxDirExists: files.exists,
      __sandboxExamplesDir: examples,
    };
  const dir = posix.dirname(path);
  const title = textOf(frontmatter["title"])?.trim() || site.upstream.runes.firstH1(ast);
  const slug = basename(url.replace(/\/+$/, ""));
  return {
    ...siteVariables(site),
    frontmatter,
    page: { url, path, dir: dir === "." ? "" : dir, slug, title, draft },
    ...sandbox,
  };
}

function isNode(value: unknown): value is MarkdocNode {
  return typeof value === "object" && value !== null && "walk" in value;
}
