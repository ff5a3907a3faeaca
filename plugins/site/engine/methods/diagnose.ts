/**
 * Loads every package of a site separately and reports its version, its source, and why it fails.
 */

import { messageOf, RefraktError } from "../../../../src/errors.ts";
import { defined } from "../../../../src/io/json.ts";
import { shownPath } from "../../../../src/io/paths.ts";
import { loadVersion } from "../../../../src/packages/load.ts";
import { isPackageName } from "../../../../src/packages/names.ts";
import { packageReport, type PackageVersion } from "../../../../src/packages/package.ts";
import type { PackageReport } from "../../../../src/plugin/detection.ts";
import { packageVersion } from "../../../../src/packages/versions.ts";
import type { Project } from "../../../../src/plugin/project.ts";
import { chooseSite } from "../../sites.ts";
import type { SitePackage } from "../../../../src/plugin/detection.ts";
import { findPluginExport } from "../upstream/load_plugin.ts";
import { siteTheme } from "../theme/theme.ts";
import { requireSupported } from "../upstream/upstream.ts";
import { contentVersion, upstreamVersions } from "../upstream/package_versions.ts";

export async function diagnoseSite(project: Project, wanted?: string) {
  const site = chooseSite(project, wanted);
  const versions = upstreamVersions(project);
  const { name } = versions.runes;
  const core = [
    attempt(project, "core", name, () => versions.runes, undefined, requireSupported),
    attempt(project, "core", versions.transform.name, () => versions.transform),
    // Only pages need it.
    ...(project.site?.isTheme
      ? []
      : [attempt(project, "core", "@refrakt-md/content", () => contentVersion(project))]),
    attempt(project, "core", versions.markdoc.name, () => versions.markdoc),
  ];
  const theme = siteTheme({ site });
  const themes = theme === undefined || !isPackageName(theme)
    ? []
    : [attempt(project, "theme", theme, () => packageVersion(project, theme), "transform")];
  const runes = [...new Set(site.plugins)].map((name) =>
    attempt(project, "runes", name, () => packageVersion(project, name), undefined, hasRunes)
  );
  return { site: site.name, packages: await Promise.all([...core, ...themes, ...runes]) };
}

async function attempt(
  project: Project,
  role: SitePackage["role"],
  name: string,
  versionOf: () => PackageVersion,
  subpath?: string,
  check: (module: Record<string, unknown>, version: PackageVersion) => void = () => {},
): Promise<SitePackage> {
  let resolvedVersion: PackageVersion | undefined;
  const report = ({ path, ...facts }: PackageReport) =>
    defined({ name, role, ...facts, path: path && shownPath(project.cwd, path) });
  try {
    resolvedVersion = versionOf();
    const { module, ...facts } = await loadVersion(resolvedVersion, subpath);
    check(module, { ...resolvedVersion, version: facts.version });
    return report(facts);
  } catch (error) {
    return defined({
      ...resolvedVersion === undefined ? { name, role } : report(packageReport(resolvedVersion)),
      problem: messageOf(error).split("\n")[0]!,
      hint: error instanceof RefraktError ? error.hint : undefined,
    });
  }
}

function hasRunes(module: Record<string, unknown>): void {
  if (findPluginExport(module) !== undefined) return;
  throw new RefraktError("PLUGIN_LOAD_FAILED", "The package exports no plugin object with runes", {
    hint: 'Remove it from the site\'s "plugins", or update it.',
  });
}
