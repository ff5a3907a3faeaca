/** The pages of a site, built with a theme, and what is wrong with each of them. */

import { messageOf, orElse } from "../../../../src/errors.ts";
import type { Turn } from "../../../../src/io/turns.ts";
import { type FinishedPage, openBuild } from "../pages/transform/build.ts";
import {
  buildFindings,
  idsIn,
  lostTextFindings,
  shownFacts,
} from "../pages/transform/build_findings.ts";
import { regionsOf, type SitePages } from "../pages/transform/site_pages.ts";
import { linkTargets } from "../pages/check/addresses.ts";
import { diagnosticsOf, partialCycles, withFollows } from "../pages/check/page_findings.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import { byPlace, type Diagnostic, diagnostic } from "../pages/read/diagnostics.ts";
import { notationFindings } from "../pages/check/foreign_notation.ts";
import { shownTree } from "../runes/example_page.ts";
import { iconsOf } from "../theme/theme.ts";
import type { ThemeConfig } from "../upstream/shapes.ts";
import type { SiteContext } from "../upstream/site.ts";

export type BuiltSite = Awaited<ReturnType<typeof openBuiltSite>>;

export interface PageResult {
  readonly page: ParsedPage;
  readonly diagnostics: readonly Diagnostic[];
  /** Absent if the page cannot be built. */
  readonly finished?: FinishedPage;
}

/** Builds a site of these pages, layouts and partials. */
export async function openBuiltSite(
  site: SiteContext,
  pages: SitePages,
  parsed: readonly ParsedPage[],
  theme: ThemeConfig,
  turn: Turn,
) {
  const icons = iconsOf(site, theme);
  const built = parsed.filter(({ file }) => file.kind === "page");
  const cycles = partialCycles(parsed);
  // The build of a partial that includes itself would never end.
  const buildable = parsed.filter(({ file }) => !cycles.has(file.path));
  const build = await openBuild(site, pages, buildable, icons, turn);
  const targets = linkTargets(site, pages.content, parsed, {
    idsOf: (page) => {
      // Layouts, partials and pages that cannot be built have the ids of their source.
      if (page.file.kind !== "page" || cycles.has(page.file.path)) return page.facts.ids;
      return orElse(() => shownFacts(site, build.finish(page), theme).ids, page.facts.ids);
    },
    layoutIdsOf: (page) => {
      if (page.file.kind !== "page") return [];
      return site.memo([page, icons, theme, "ids of layouts"], () => {
        const regions = orElse(() => [...regionsOf(site, pages, page, icons).values()], []);
        return regions.flatMap(({ content }) => idsIn(shownTree(site, theme, content)));
      });
    },
  });
  const finishedResult = (page: ParsedPage, finished: FinishedPage, alone: Diagnostic[]) => {
    const messages = buildFindings(site, page, [...build.messages, ...finished.messages]);
    const lost = lostTextFindings(site, page, shownFacts(site, finished, theme).lost);
    const tree = page.foreign.length > 0 && shownTree(site, theme, finished.page.renderable);
    const foreign = notationFindings(page.foreign, tree);
    const all = [...alone, ...messages, ...lost, ...foreign];
    const diagnostics = withFollows(all.sort(byPlace), page);
    return { page, finished, diagnostics };
  };
  return {
    build,
    /** The pages that are built: without layouts and partials. */
    built,
    icons,
    result(page: ParsedPage): PageResult {
      const alone = diagnosticsOf(site, page, targets);
      const cyclic = cycles.get(page.file.path) ?? [];
      if (cyclic.length > 0) return { page, diagnostics: [...alone, ...cyclic].sort(byPlace) };
      try {
        return finishedResult(page, build.finish(page), alone);
      } catch (error) {
        const failed = diagnostic("render-failed", messageOf(error).split("\n")[0]!);
        const foreign = notationFindings(page.foreign);
        return { page, diagnostics: withFollows([failed, ...alone, ...foreign], page) };
      }
    },
    /** The page that a hook makes at an address. */
    made(address: string): PageResult | undefined {
      const finished = build.contributed(address);
      if (finished === undefined) return undefined;
      const { route, frontmatter } = finished.page;
      const file = {
        path: "",
        displayPath: address,
        relative: address.slice(1),
        kind: "page",
      } as const;
      return finishedResult({ ...pages.draft(file, ""), route, frontmatter }, finished, []);
    },
  };
}
