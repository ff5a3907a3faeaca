/** Validates a theme's config and manifest with the packages' own functions. */

import { quotedName, word } from "../../../../src/plain_text.ts";
import { messageOf, RefraktError } from "../../../../src/errors.ts";
import { asObject } from "../../../../src/io/json.ts";
import type { Project } from "../../../../src/plugin/project.ts";
import { parseJson, readProjectFile } from "./json_files.ts";
import { importLocal } from "../upstream/local_modules.ts";
import { CORE_PACKAGE, type SiteContext, warningsOf } from "../upstream/site.ts";
import {
  BASE_THEME,
  isPath,
  requireNamed,
  siteTheme,
  themeConfig,
  themeManifest,
} from "./theme.ts";
import type { PathFinding, ValidationResult } from "../upstream/shapes.ts";

interface ValidateInput {
  readonly config?: string | undefined;
  readonly manifest?: string | undefined;
}

type Located = PathFinding & { readonly document: "config" | "manifest" | "project" };
type Findings = { errors: Located[]; warnings: Located[] };

const PROJECT = "project";

interface Check extends ValidationResult {
  readonly source: string;
}

/** Validates the site's assembled configuration and its theme's manifest, or the files given. */
export async function validateTheme(
  context: SiteContext,
  input: ValidateInput,
) {
  const notes: string[] = [];
  const config = await checkConfig(context, input.config, notes);
  const manifest = await checkManifest(context, input.manifest, notes);
  const projectFindings: Findings = { errors: [], warnings: [] };
  const packages: Record<string, Findings> = {};
  const sort = (document: Located["document"], check: Check, ownerOf: (path: string) => string) => {
    for (const kind of ["errors", "warnings"] as const) {
      for (const finding of check[kind]) {
        const owner = ownerOf(finding.path);
        const findings = owner === PROJECT
          ? projectFindings
          : packages[owner] ??= { errors: [], warnings: [] };
        findings[kind].push({ document, ...finding });
      }
    }
  };
  // The CLI validates the core alone; here the theme may have replaced it.
  const { errors: core } = input.config === undefined
    ? context.upstream.transform.validateThemeConfig(context.upstream.runes.baseConfig)
    : { errors: [] };
  const seen = new Set(config.errors.map(({ path }) => path));
  const hidden = core.filter(({ path }) => !seen.has(path));
  sort("config", { ...config, errors: hidden, warnings: [] }, () => CORE_PACKAGE);
  sort(
    "config",
    config,
    (path) => input.config === undefined ? configOwner(context, path) : PROJECT,
  );
  const theme = siteTheme(context);
  const manifestOwner = input.manifest === undefined && theme !== undefined && !isPath(theme)
    ? theme
    : PROJECT;
  if (manifest !== undefined) sort("manifest", manifest, () => manifestOwner);
  for (const message of [...warningsOf(context) ?? [], ...notes]) {
    projectFindings.warnings.push({ document: "project", path: "", message });
  }
  return {
    projectValid: projectFindings.errors.length === 0,
    ...projectFindings,
    valid: [projectFindings, ...Object.values(packages)].every(({ errors }) => errors.length === 0),
    packages,
    config: { source: config.source, valid: config.valid },
    manifest: manifest === undefined ? null : { source: manifest.source, valid: manifest.valid },
  };
}

/** Returns the package that a finding belongs to. */
function configOwner(context: SiteContext, path: string): string {
  const [field = "", name = ""] = path.split(".");
  const { merged, site, upstream } = context;
  if (Object.hasOwn(asObject(site.raw[field]), name)) return PROJECT;
  const plugin = merged?.plugins?.find(({ theme }) =>
    Object.hasOwn(asObject(theme?.[field]), name)
  );
  if (plugin !== undefined) {
    return site.plugins.find((name) => name.split("/").at(-1) === plugin.name) ?? plugin.name;
  }
  if (Object.hasOwn(asObject(upstream.runes.baseConfig[field]), name)) return CORE_PACKAGE;
  const theme = siteTheme(context);
  return theme === undefined ? CORE_PACKAGE : isPath(theme) ? PROJECT : theme;
}

async function checkConfig(
  context: SiteContext,
  file: string | undefined,
  notes: string[],
): Promise<Check> {
  const { validateThemeConfig } = context.upstream.transform;
  if (file !== undefined) {
    const what = "The theme config";
    if (!/\.[cm]?[jt]sx?$/.test(file)) {
      return { source: file, ...validateThemeConfig(readJson(context.project, file, what)) };
    }
    requireNamed(context, file, what);
    const { exports } = await importLocal(context.project, file, what);
    const value = exports["themeConfig"] ?? exports["config"] ?? exports["default"] ??
      { ...exports };
    return { source: file, ...validateThemeConfig(value) };
  }
  const theme = siteTheme(context);
  const parts = ["core", ...context.site.plugins];
  if (theme !== undefined) {
    try {
      const config = await themeConfig(context, theme);
      return {
        source: [theme, ...parts.slice(1)].map(word).join(" + "),
        ...validateThemeConfig(config),
      };
    } catch (error) {
      notes.push(`${messageOf(error)}; the configuration was validated without the theme`);
    }
  }
  const config = await themeConfig(context, BASE_THEME);
  return { source: parts.map(word).join(" + "), ...validateThemeConfig(config) };
}

async function checkManifest(
  context: SiteContext,
  file: string | undefined,
  notes: string[],
): Promise<Check | undefined> {
  const { validateManifest } = context.upstream.transform;
  if (file !== undefined) {
    return { source: file, ...validateManifest(readJson(context.project, file, "The manifest")) };
  }
  const theme = siteTheme(context);
  if (theme === undefined) return undefined;
  const manifestFile = await themeManifest(context, theme);
  if (manifestFile === undefined) {
    notes.push(`Theme ${quotedName(theme)} has no readable manifest`);
    return undefined;
  }
  return { source: manifestFile.source, ...validateManifest(manifestFile.manifest) };
}

function readJson(project: Project, file: string, what: string): unknown {
  const hint = "Omit it to validate the site's own.";
  const { displayPath, text } = readProjectFile(project, file, what, hint);
  const value = parseJson(text, displayPath);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new RefraktError("VALIDATION_ERROR", `${quotedName(displayPath)} must be a JSON object`, {
    hint,
  });
}
