/** Renders one page, or unsaved Markdoc, within its site, and lists its findings. */

import { quotedName } from "../../../../src/plain_text.ts";
import { posix } from "node:path";
import { RefraktError } from "../../../../src/errors.ts";
import { defined, unlessEmpty } from "../../../../src/io/json.ts";
import { turnTaker } from "../../../../src/io/turns.ts";
import type { CallContext } from "../../../../src/plugin/context.ts";
import { addressOf, isContributed, isForeign } from "../pages/check/addresses.ts";
import { shownTree } from "../runes/example_page.ts";
import { type ContentFile, fileAt, findFile } from "../pages/read/content_files.ts";
import { htmlOutline, visibleText } from "../runes/outline.ts";
import { withoutDefaults } from "../runes/rune_defaults.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import type { Diagnostic, DiagnosticCode } from "../pages/read/diagnostics.ts";
import { openPages, type SitePages } from "../pages/transform/site_pages.ts";
import { type SiteContext, warningsOf } from "../upstream/site.ts";
import { missingIn } from "./missing_text.ts";
import { ownTheme, themeConfig } from "../theme/theme.ts";
import { type BuiltSite, openBuiltSite, type PageResult } from "./built_site.ts";

interface RenderInput {
  /** A content file. With `source`, the path the text is meant for. */
  readonly path?: string | undefined;
  /** Markdoc, with or without front matter. */
  readonly source?: string | undefined;
  /** A file of the project, or Markdown, whose text the page must contain. */
  readonly text?: string | undefined;
  /** `outline` by default; none with `text`. */
  readonly format?: "outline" | "html" | "text" | undefined;
  /** `base`, a package, or the module in the site's config; the site's theme by default. */
  readonly theme?: string | undefined;
}

/** Tags that show dates of git, or sort by them. */
const BY_GIT = /\{%[^%]*(?:plan-history|plan-activity|created|modified)\b/;

export async function renderPage(site: SiteContext, input: RenderInput, call: CallContext) {
  const rendered = await renderTree(site, input, call);
  const { page, pages, tree, config, theme, diagnostics, leftOut, warnings } = rendered;
  const { file: { kind, displayPath }, route: { url }, frontmatter: { title } } = page;
  const format = input.format ?? (input.text === undefined ? "outline" : undefined);
  const shownAs = {
    outline: (tree: unknown) => htmlOutline(withoutDefaults(site, config, tree)),
    text: visibleText,
    html: (tree: unknown) => htmlOf(site, tree),
  };
  const content = format && tree !== undefined ? shownAs[format](tree) : null;
  return defined({
    path: input.path && displayPath,
    ...kind === "page" ? { url } : { kind },
    title: typeof title === "string" ? title : null,
    theme,
    ...coverageOf(site, page, diagnostics),
    diagnostics,
    missing: input.text === undefined ? undefined : missingIn(site, pages, input.text, page, tree),
    outline: format === "outline" ? content : undefined,
    html: format === "html" ? content : undefined,
    text: format === "text" ? content : undefined,
    leftOut: unlessEmpty(leftOut),
    warnings: unlessEmpty(warnings),
  });
}

/** Renders the content of a page; without `tree` if that failed. */
export async function renderTree(site: SiteContext, input: RenderInput, call: CallContext) {
  const { path, source } = input;
  if (path === undefined && source === undefined) {
    throw new RefraktError("INVALID_ARGS", "Pass path or source", {
      hint: '{ "path": "content/index.md" } or { "source": "{% hint %}\\nText\\n{% /hint %}" }',
    });
  }
  const pages = await openPages(site);
  const warnings = [...warningsOf(site) ?? [], ...pages.problems];
  const { theme, config, problem } = input.theme === undefined
    ? await ownTheme(site)
    : { theme: input.theme, config: await themeConfig(site, input.theme), problem: undefined };
  if (problem !== undefined) warnings.push(`${problem}; rendered without the theme`);
  const turn = turnTaker(call.signal);
  const open = (parsed: readonly ParsedPage[]) => openBuiltSite(site, pages, parsed, config, turn);
  const renderResult = (built: BuiltSite, result: PageResult) => {
    const { page, finished } = result;
    const leftOut: string[] = [];
    const { kind } = page.file;
    if (kind !== "page") leftOut.push(`the pages that use this ${kind}: it is rendered alone`);
    if (BY_GIT.test(page.content)) {
      leftOut.push("git: dates of files, the history of plan entities, the repository's address");
    }
    const hints = result.diagnostics.filter(({ severity }) => severity === "hint");
    if (hints.some(({ code }) => code === "variable-unknown")) {
      leftOut.push("variables of the adapter");
    }
    const tree = finished && shownTree(site, config, finished.page.renderable);
    return { ...result, tree, config, theme, leftOut, warnings, pages, built };
  };
  // A page that a hook makes has an address and no file.
  if (path !== undefined && source === undefined && isContributed(site, [addressOf(path)])) {
    const built = await open(await pages.all(turn));
    const contributed = built.made(addressOf(path));
    if (contributed !== undefined) return renderResult(built, contributed);
    throw new RefraktError("NOT_FOUND", `No page of the site: ${quotedName(path)}`, {
      hint: "The config's entityRoutes make pages at such addresses, but not for this one.",
    });
  }
  const file = fileFor(site, pages, path, source);
  const page = source === undefined ? pages.page(file) : pages.draft(file, source);
  if (file.kind === "layout") {
    const name = quotedName(file.displayPath);
    warnings.push(
      `${name} is a layout: it has no page to render. Its regions are shown alone; to see the ` +
        "pages that use it, render one of them.",
    );
  }
  const others = (await pages.all(turn)).filter((other) => other.file.path !== file.path);
  const built = await open([...others, page].sort(inBuildOrder));
  const result = built.result(page);
  // Findings about addresses do not apply to a text without a path.
  const diagnostics = result.diagnostics.filter(({ code }) =>
    path !== undefined || code !== "page-title" && code !== "route-duplicate"
  );
  return renderResult(built, { ...result, diagnostics });
}

export type RenderedPage = Awaited<ReturnType<typeof renderTree>>;

export function htmlOf({ upstream: { transform } }: SiteContext, tree: unknown): string {
  return transform.renderToHtml(tree, { pretty: false });
}

/** A text without a path counts as a file at the top of the content folder. */
function fileFor(
  site: SiteContext,
  { content }: SitePages,
  path: string | undefined,
  source: string | undefined,
): ContentFile {
  if (path !== undefined) {
    try {
      return findFile(site, content, path);
    } catch (error) {
      if (source === undefined || !(error instanceof RefraktError) || error.code !== "NOT_FOUND") {
        throw error;
      }
    }
  }
  const folder = posix.join(posix.relative(site.project.cwd, content.dir), "/");
  const relative = (path ?? "draft.md").replace(/^\.\//, "").replace(folder, "");
  return { ...fileAt(site.project.cwd, content.dir, relative), kind: "page" };
}

/** Build order: the files of a folder by name, then its subfolders. */
export function inBuildOrder({ file: a }: ParsedPage, { file: b }: ParsedPage): number {
  const [x, y] = [posix.dirname(a.relative), posix.dirname(b.relative)];
  if (x === y) return a.relative.localeCompare(b.relative);
  if (x === "." || y.startsWith(`${x}/`)) return -1;
  if (y === "." || x.startsWith(`${y}/`)) return 1;
  return x.localeCompare(y);
}

/** Counts what was checked in a page, so that the absence of findings has a meaning. */
function coverageOf(
  site: SiteContext,
  { facts: { references, headings } }: ParsedPage,
  diagnostics: readonly Diagnostic[],
) {
  const brokenBy = (...codes: readonly DiagnosticCode[]) =>
    diagnostics.filter(({ code }) => codes.includes(code)).length;
  const counted = (kind: "link" | "image", broken: number) => {
    const all = references.filter((reference) => reference.kind === kind);
    // Addresses of other sites are not opened.
    const external = all.filter(({ target }) => isForeign(site, target)).length;
    return defined({ checked: all.length - external, broken, external: external || undefined });
  };
  return {
    links: counted("link", brokenBy("link-broken", "anchor-broken")),
    images: counted("image", brokenBy("image-missing")),
    headings: { checked: headings.length, broken: brokenBy("heading-jump", "heading-second") },
  };
}
