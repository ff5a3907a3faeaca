/** What a preview shows of a page or a rune's example, in the theme of its site. */

import { messageOf, orElse } from "../../../errors.ts";
import { blobHash } from "../../../io/blob_hash.ts";
import type { EngineCall } from "../engine_call.ts";
import { turnTaker } from "../../../io/turns.ts";
import { fixtureOf, render } from "../runes/example_page.ts";
import { lostTextFindings } from "../pages/transform/build_findings.ts";
import { lostInExample } from "../pages/transform/lost_text.ts";
import { workingExample } from "./working_example.ts";
import { listContent } from "../pages/read/content_files.ts";
import { type Diagnostic, diagnostic } from "../pages/read/diagnostics.ts";
import { exampleDocument, type PageDocument, pageDocument } from "./page_document.ts";
import { renderTree } from "./render_page.ts";
import { findRune, type SiteContext, warningsOf } from "../upstream/site.ts";
import { BASE_THEME, siteTheme, themeConfig } from "../theme/theme.ts";

/** A page or a rune; the first page by default. */
export interface PreviewInput {
  readonly path?: string | undefined;
  readonly rune?: string | undefined;
}

const MOST_PAGES = 500;

/** A page or an example that has been rendered. */
interface Rendered {
  readonly facts: {
    readonly kind: "page" | "rune";
    readonly title: string;
    readonly url?: string;
    readonly path?: string;
    readonly theme: string;
    readonly diagnostics: readonly Diagnostic[];
  };
  /** Absent if it cannot be rendered. */
  readonly tree: unknown;
  readonly leftOut: readonly string[];
  readonly warnings: readonly string[];
  /** Builds the document around the tree. */
  document(turn: () => Promise<void>): Promise<PageDocument>;
}

/** Previews a page or a rune. The result is the same object until something that it shows changes. */
export async function previewOf(site: SiteContext, input: PreviewInput, call: EngineCall) {
  // Third-party code may show dates.
  const today = new Date().toDateString();
  const key = JSON.stringify([input.path, input.rune]);
  const make = () => previewNow(site, input, call);
  return await site.kept.of("preview", make, key, JSON.stringify(input), today);
}

async function previewNow(site: SiteContext, input: PreviewInput, call: EngineCall) {
  const choices = choicesOf(site);
  const { path, rune } = { ...firstOf(input, choices), ...input };
  const { facts, tree, leftOut, warnings, document } = rune === undefined
    ? await previewPage(site, path, call)
    : await previewRune(site, rune);
  const page = tree === undefined ? null : await document(turnTaker(call.signal));
  const preview = {
    ...facts,
    leftOut: [...leftOut, ...page?.leftOut ?? []],
    warnings: [...warnings, ...page?.warnings ?? []],
    choices,
  };
  const { names } = site.project.site!;
  const revision = blobHash(JSON.stringify([preview, page, names]), 64).slice(0, 22);
  return { preview, document: page, revision };
}

/** Lists no pages if the content folder cannot be read. */
function choicesOf(site: SiteContext) {
  const runes = Object.values(site.runes).map(({ name }) => name).sort();
  const pages = orElse(() => listContent(site).files, []).filter(({ kind }) => kind === "page");
  return { pages: pages.slice(0, MOST_PAGES).map(({ shown }) => shown), runes };
}

function firstOf(
  { path, rune }: PreviewInput,
  { pages, runes }: ReturnType<typeof choicesOf>,
): Pick<PreviewInput, "path" | "rune"> {
  if (path !== undefined || rune !== undefined) return {};
  const home = pages.find((page) => page.endsWith("/index.md")) ?? pages[0];
  return home === undefined ? { rune: runes[0] } : { path: home };
}

async function previewPage(
  site: SiteContext,
  path: string | undefined,
  call: EngineCall,
): Promise<Rendered> {
  const rendered = await renderTree(site, { path }, call);
  const { page } = rendered;
  const { title } = page.frontmatter;
  return {
    ...rendered,
    facts: {
      kind: "page",
      title: typeof title === "string" ? title : page.file.shown,
      ...(page.file.kind === "page" ? { url: page.route.url } : {}),
      ...(page.file.path === "" ? {} : { path: page.file.shown }),
      theme: rendered.theme,
      diagnostics: rendered.diagnostics,
    },
    document: (turn) => pageDocument(site, rendered, turn),
  };
}

async function previewRune(site: SiteContext, name: string): Promise<Rendered> {
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
    tree = undefined;
    diagnostics = [diagnostic("render-failed", messageOf(error).split("\n")[0]!)];
  }
  return {
    facts: { kind: "rune", title: rune.name, theme, diagnostics },
    tree,
    leftOut: [],
    warnings: warningsOf(site) ?? [],
    document: (turn) => exampleDocument(site, tree, turn),
  };
}
