/**
 * The engine of the site tools: loads, parses and renders with the packages of the project's sites,
 * and with its own code (local runes, themes) if the user trusts that. Results may share objects with
 * the engine, so callers must not change them.
 */

import { originOf } from "../../../src/packages/package.ts";
import { packageVersion } from "../../../src/packages/versions.ts";
import { chooseSite, siteWith } from "../sites.ts";
import { renderPage } from "./methods/render_page.ts";
import { previewOf } from "./methods/preview.ts";
import { previewFile } from "./methods/preview_file.ts";
import { movePage } from "./methods/move_page.ts";
import { renameUses } from "./methods/rename_uses.ts";
import { checkPages } from "./methods/check_pages.ts";
import { findingTable, pageTable, runeTable } from "./methods/page_tables.ts";
import { attributeTable, headingRows } from "./methods/rendered_tables.ts";
import { describeRunes, extractTexts, listRunes } from "./methods/describe_runes.ts";
import { contractFor } from "./runes/example_page.ts";
import { inspectRune } from "./runes/inspect_rune.ts";
import { lintPackage, type PackageInput } from "./runes/lint_package.ts";
import type { SiteContext } from "./upstream/site.ts";
import { siteOf } from "./upstream/site_cache.ts";
import { auditStyles } from "./runes/audit_styles.ts";
import { validateTheme } from "./theme/validate_theme.ts";
import type { CallContext } from "../../../src/plugin/context.ts";
import { diagnoseSite } from "./methods/diagnose.ts";

/** Optional if the project has one site, or one that has the path. */
interface OfSite {
  readonly site?: string | undefined;
  /** A page that may tell which. */
  readonly path?: string | undefined;
}

type InProject = Pick<CallContext, "project">;

export const engine = {
  runeNames: onSite(({ names }) => [...names.keys()]),
  listRunes: onSite(listRunes),
  inspectRune: onSite(inspectRune),
  renderPage: onSite(renderPage),
  preview: onSite(previewOf),
  previewFile: onSite(previewFile),
  checkPages: onSite(checkPages),
  movePage: onSite(movePage),
  renameUses: onSite(renameUses),
  pageTable: onSite(pageTable),
  headingRows: onSite(headingRows),
  attributeTable: onSite(attributeTable),
  runeTable: onSite(runeTable),
  findingTable: onSite(findingTable),
  contract: onSite(contractFor),
  describeRunes: onSite(describeRunes),
  auditStyles: onSite(auditStyles),
  validateTheme: onSite(validateTheme),
  i18nKeys: onSite(extractTexts),
  lintPackage: (input: PackageInput, { project }: InProject) => lintPackage(project, input),
  diagnose: ({ site }: OfSite, { project }: InProject) => diagnoseSite(project, site),
  /** Prepares the sites for the first call. A site's error is reported when a tool uses it. */
  warm: async ({ project }: InProject): Promise<void> => {
    await Promise.allSettled((project.site?.names ?? []).map(async (name) => {
      // Do not download plugins in advance: some are large and never used.
      const { plugins } = chooseSite(project, name);
      const origins = plugins.map((plugin) => originOf(packageVersion(project, plugin)));
      if (origins.includes("registry")) return;
      // The first rendering fills caches that all renderings share.
      await inspectRune(await siteOf(project, name), { rune: "hint" });
    }));
  },
};

function onSite<Input, Result>(
  work: (site: SiteContext, input: Input, call: CallContext) => Result | Promise<Result>,
): (input: OfSite & Input, call: CallContext) => Promise<Result> {
  return async (input, call) => {
    const { site, path } = input;
    const wanted = site ?? (path === undefined ? undefined : siteWith(call.project, path));
    return await work(await siteOf(call.project, wanted), input, call);
  };
}
