/**
 * Loads every package of a site separately and reports its version, its source, and why it fails.
 */

import { messageOf, RefraktError } from "../../../../src/errors.ts";
import { defined } from "../../../../src/io/json.ts";
import { shownPath } from "../../../../src/io/paths.ts";
import { loadVersion } from "../../../../src/packages/load.ts";
import { isPackageName } from "../../../../src/packages/names.ts";
import { packageReport, type PackageVersion } from "../../../../src/packages/package.ts";
import { packageVersion } from "../../../../src/packages/versions.ts";
import type { Project } from "../../../../src/plugin/project.ts";
import { chooseSite } from "../../sites.ts";
import type { PackageReport, SitePackage } from "../../../../src/plugin/detection.ts";
import { findPluginExport } from "../upstream/load_plugin.ts";
import { siteTheme } from "../theme/theme.ts";
import { requireSupported } from "../upstream/upstream.ts";
import { contentVersion, upstreamVersions } from "../upstream/package_versions.ts";

export async function diagnoseSite(project: Project, wanted?: string) {
  const site = chooseSite(project, wanted);
  const { runes, transform, markdoc } = upstreamVersions(project);
  const packages = [
    loadReport(project, "core", runes.name, () => runes, undefined, requireSupported),
    loadReport(project, "core", transform.name, () => transform),
  ];
  // Only pages need the content package.
  if (!project.site?.isTheme) {
    packages.push(
      loadReport(project, "core", "@refrakt-md/content", () => contentVersion(project)),
    );
  }
  packages.push(loadReport(project, "core", markdoc.name, () => markdoc));
  const theme = siteTheme({ site });
  if (theme !== undefined && isPackageName(theme)) {
    const version = () => packageVersion(project, theme);
    packages.push(loadReport(project, "theme", theme, version, "transform"));
  }
  for (const name of new Set(site.plugins)) {
    const version = () => packageVersion(project, name);
    packages.push(loadReport(project, "runes", name, version, undefined, hasRunes));
  }
  return { site: site.name, packages: await Promise.all(packages) };
}

async function loadReport(
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
