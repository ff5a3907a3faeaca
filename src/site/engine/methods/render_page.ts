/** Renders one page, or unsaved Markdoc, within its site, and lists its findings. */

import { posix } from "node:path";
import { messageOf, RefraktError } from "../../../errors.ts";
import type { EngineCall } from "../engine_call.ts";
import { turnTaker } from "../../../io/turns.ts";
import { buildFindings, lostInPage } from "../pages/build/build_findings.ts";
import { coverageOf } from "../pages/check/coverage.ts";
import { addressOf, isContributed, partialCycles } from "../pages/check/links.ts";
import { diagnosticsOf } from "../pages/check/page_findings.ts";
import { shownTree } from "../runes/example_page.ts";
import { openBuild } from "../pages/build/build.ts";
import { type ContentFile, findFile } from "../pages/read/content_files.ts";
import { byPlace, diagnostic } from "../pages/read/diagnostics.ts";
import { htmlOutline, visibleText } from "../runes/outline.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import { openPages, type SitePages } from "../pages/build/site_pages.ts";
import type { ThemeConfig } from "../upstream/shapes.ts";
import { type SiteContext, warningsOf } from "../upstream/site.ts";
import { BASE_THEME, iconsOf, siteTheme, themeConfig } from "../theme/theme.ts";

export interface RenderInput {
  /** A content file. With `source`, the path the text is meant for. */
  readonly path?: string | undefined;
  /** Markdoc, with or without front matter. */
  readonly source?: string | undefined;
  /** `outline` by default. */
  readonly format?: "outline" | "html" | "text" | undefined;
  /** `base`, a package, or the module in the site's config; the site's theme by default. */
  readonly theme?: string | undefined;
}

export async function renderPage(
  site: SiteContext,
  input: RenderInput,
  call: EngineCall,
) {
  const { page, tree, theme, diagnostics, leftOut, warnings } = await renderTree(
    site,
    input,
    call,
  );
  const format = input.format ?? "outline";
  const { title } = page.frontmatter;
  return {
    ...(input.path === undefined ? {} : { path: page.file.shown }),
    ...(page.file.kind === "page" ? { url: page.route.url } : { kind: page.file.kind }),
    title: typeof title === "string" ? title : null,
    theme,
    ...coverageOf(site, page, diagnostics),
    diagnostics,
    [format]: tree === undefined
      ? null
      : { outline: htmlOutline, text: visibleText, html: (all: unknown) => htmlOf(site, all) }
        [format](tree),
    leftOut: [
      "layout regions (_layout.md) and the document around the content",
      "syntax highlighting",
      ...leftOut,
    ],
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Renders the content of a page; `built` is absent if that failed. */
export async function renderTree(
  site: SiteContext,
  input: RenderInput,
  call: EngineCall,
) {
  const { path, source } = input;
  if (path === undefined && source === undefined) {
    throw new RefraktError("INVALID_ARGS", "Pass path or source", {
      hint: '{ "path": "content/index.md" } or { "source": "{% hint %}\\nText\\n{% /hint %}" }',
    });
  }
  const warnings: string[] = [];
  const pages = await openPages(site);
  warnings.push(...warningsOf(site) ?? [], ...pages.problems);
  // A page that a hook makes has an address and no file.
  const address = path !== undefined && source === undefined &&
      isContributed(site, [addressOf(path)])
    ? addressOf(path)
    : undefined;
  const file = address === undefined
    ? fileFor(site, pages, path, source)
    : { path: "", shown: address, relative: address.slice(1), kind: "page" as const };
  const page = address !== undefined || source !== undefined
    ? pages.draft(file, source ?? "")
    : pages.page(file);
  if (file.kind === "layout") {
    warnings.push(
      `${file.shown} is a layout: it has no page to render. Its regions are shown alone; to see ` +
        "the pages that use it, render one of them.",
    );
  }
  const others = otherPages(pages, file);
  const { theme, config } = await chosenTheme(site, input.theme, warnings);
  const found = address === undefined
    ? diagnosticsOf(site, page, pages.targets([...others, page]))
    : [];
  const diagnostics = found
    // A text without a path is not a page yet.
    .filter(({ code }) =>
      path !== undefined || code !== "page-title" && code !== "route-duplicate"
    );
  const leftOut = leftOutOf(file);
  if (
    diagnostics.some(({ code, severity }) => code === "variable-unknown" && severity === "hint")
  ) {
    leftOut.push("variables of the adapter");
  }
  const turn = turnTaker(call.signal);
  const result = { page, config, theme, leftOut, warnings, built: undefined };
  // The build never ends on a partial that includes itself.
  const cycles = partialCycles([...others, page]).get(page.file.path) ?? [];
  if (cycles.length > 0) {
    return { ...result, tree: undefined, diagnostics: [...diagnostics, ...cycles].sort(byPlace) };
  }
  try {
    const icons = iconsOf(site, config);
    const all = [...others, ...address === undefined ? [page] : []]
      .filter((each) => each.file.kind === "page").sort(byFile);
    const build = await openBuild(site, pages, all, icons, turn);
    const finished = address === undefined ? await build.finish(page) : build.contributed(address);
    if (finished === undefined) {
      throw new RefraktError("NOT_FOUND", `No page of the site: ${JSON.stringify(path)}`, {
        hint: "The config's entityRoutes make pages at such addresses, but not for this one.",
      });
    }
    const tree = shownTree(site, config, finished.page.renderable);
    diagnostics.push(
      ...buildFindings(site, page, [...build.messages, ...finished.messages]),
      ...lostInPage(site, page, finished, config, () => tree),
    );
    diagnostics.sort(byPlace);
    const built = { pages, build, finished, icons, all };
    const { route, frontmatter } = finished.page;
    const shown = address === undefined ? page : { ...page, route, frontmatter };
    return { ...result, page: shown, tree, diagnostics, built };
  } catch (error) {
    const isUnknown = error instanceof RefraktError && error.code === "NOT_FOUND";
    if (call.signal.aborted || address !== undefined && isUnknown) throw error;
    const failed = diagnostic("render-failed", messageOf(error).split("\n")[0]!);
    return { ...result, tree: undefined, diagnostics: [failed, ...diagnostics] };
  }
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
  return {
    path: posix.join(content.dir, relative),
    shown: posix.join(folder, relative),
    relative,
    kind: "page",
  };
}

function otherPages(pages: SitePages, wanted: ContentFile): ParsedPage[] {
  return pages.content.files.filter(({ path }) => path !== wanted.path).flatMap((file) => {
    try {
      return [pages.page(file)];
    } catch {
      // Reported when this file itself is rendered.
      return [];
    }
  });
}

/** Returns the requested theme or the site's. If the site's fails, warns and renders without it. */
async function chosenTheme(
  site: SiteContext,
  wanted: string | undefined,
  warnings: string[],
): Promise<{ theme: string; config: ThemeConfig }> {
  const theme = wanted ?? siteTheme(site) ?? BASE_THEME;
  try {
    return { theme, config: await themeConfig(site, theme) };
  } catch (error) {
    if (wanted !== undefined) throw error;
    warnings.push(`${messageOf(error)}; rendered without the theme`);
    return { theme: BASE_THEME, config: await themeConfig(site, BASE_THEME) };
  }
}

/** Build order: the files of a folder by name, then its subfolders. */
function byFile({ file: a }: ParsedPage, { file: b }: ParsedPage): number {
  const [x, y] = [posix.dirname(a.relative), posix.dirname(b.relative)];
  if (x === y) return a.relative.localeCompare(b.relative);
  if (x === "." || y.startsWith(`${x}/`)) return -1;
  if (y === "." || x.startsWith(`${y}/`)) return 1;
  return x.localeCompare(y);
}

function leftOutOf({ kind }: ContentFile): string[] {
  const left = [
    "git: dates of files, the history of plan entities, the repository's address",
  ];
  if (kind !== "page") left.unshift(`the pages that use this ${kind}: it is rendered alone`);
  return left;
}
