/** What a preview shows of a page or a rune's example, in the theme of its site. */

import { messageOf, orElse } from "../../../../src/errors.ts";
import { defined } from "../../../../src/io/json.ts";
import { blobHash } from "../../../../src/io/git_objects.ts";
import type { CallContext } from "../../../../src/plugin/context.ts";
import { turnTaker } from "../../../../src/io/turns.ts";
import { fixtureOf, render } from "../runes/example_page.ts";
import { lostTextFindings } from "../pages/transform/build_findings.ts";
import { lostInExample } from "../pages/transform/lost_text.ts";
import { workingExample } from "./working_example.ts";
import { listContent } from "../pages/read/content_files.ts";
import { type Diagnostic, diagnostic } from "../pages/read/diagnostics.ts";
import { pageDocument } from "./page_document.ts";
import { renderTree } from "./render_page.ts";
import { findRune, type SiteContext, warningsOf } from "../upstream/site.ts";
import { BASE_THEME, siteTheme, themeConfig } from "../theme/theme.ts";

/** A page or a rune; the first page by default. */
interface PreviewInput {
  readonly path?: string | undefined;
  readonly rune?: string | undefined;
}

const MOST_PAGES = 500;

/** Previews a page or a rune. The result is the same object until something that it shows changes. */
export async function previewOf(site: SiteContext, input: PreviewInput, call: CallContext) {
  const key = JSON.stringify([input.path, input.rune]);
  return await site.memo([site, "preview", key], () => previewNow(site, input, call));
}

async function previewNow(site: SiteContext, input: PreviewInput, call: CallContext) {
  const choices = choicesOf(site);
  const { path, rune } = { ...firstOf(input, choices), ...input };
  const { facts, tree, page, leftOut, warnings } = rune === undefined
    ? await previewPage(site, path, call)
    : await previewRune(site, rune);
  const differences = [...leftOut];
  const document = tree === undefined
    ? null
    : await pageDocument(site, tree, page, differences, turnTaker(call.signal));
  const preview = { ...facts, leftOut: differences, warnings, choices };
  const { names } = site.project.site!;
  const revision = blobHash(JSON.stringify([preview, document, names]), 64).slice(0, 22);
  return { preview, document, revision };
}

/** Lists no pages if the content folder cannot be read. */
function choicesOf(site: SiteContext) {
  const runes = Object.values(site.runes).map(({ name }) => name).sort();
  const pages = orElse(() => listContent(site).files, []).filter(({ kind }) => kind === "page");
  return { pages: pages.slice(0, MOST_PAGES).map(({ displayPath }) => displayPath), runes };
}

function firstOf(
  { path, rune }: PreviewInput,
  { pages, runes }: ReturnType<typeof choicesOf>,
): Pick<PreviewInput, "path" | "rune"> {
  if (path !== undefined || rune !== undefined) return {};
  const home = pages.find((page) => page.endsWith("/index.md")) ?? pages[0];
  return home === undefined ? { rune: runes[0] } : { path: home };
}

async function previewPage(site: SiteContext, path: string | undefined, call: CallContext) {
  const rendered = await renderTree(site, { path }, call);
  const { page: { file, frontmatter: { title }, route }, theme, diagnostics } = rendered;
  const facts = defined({
    kind: "page",
    title: typeof title === "string" ? title : file.displayPath,
    url: file.kind === "page" ? route.url : undefined,
    path: file.path === "" ? undefined : file.displayPath,
    theme,
    diagnostics,
  });
  const { tree, leftOut, warnings } = rendered;
  return { facts, tree, page: rendered, leftOut, warnings };
}

async function previewRune(site: SiteContext, name: string) {
  const rune = findRune(site, name);
  const theme = siteTheme(site) ?? BASE_THEME;
  const config = await themeConfig(site, theme);
  const example = workingExample(site, rune)?.example ?? fixtureOf(site, rune);
  let tree: unknown;
  let diagnostics: Diagnostic[];
  try {
    ({ tree } = render(site, config, example));
    const lost = lostInExample(site, example, tree);
    diagnostics = lostTextFindings(site, { content: example, offset: 0 }, lost);
  } catch (error) {
    diagnostics = [diagnostic("render-failed", messageOf(error).split("\n")[0]!)];
  }
  const facts = { kind: "rune", title: rune.name, theme, diagnostics };
  return { facts, tree, page: undefined, leftOut: [], warnings: warningsOf(site) ?? [] };
}
