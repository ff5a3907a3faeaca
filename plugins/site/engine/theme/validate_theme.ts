/** Validates a theme's config and manifest with the packages' own functions. */

import { quotedName, word } from "../../../../src/plain_text.ts";
import { messageOf, RefraktError } from "../../../../src/errors.ts";
import { asObject, isObject } from "../../../../src/io/json.ts";
import type { Project } from "../../../../src/plugin/project.ts";
import { parseJson, readProjectFile } from "./json_files.ts";
import { importLocal } from "../upstream/local_modules.ts";
import { CORE_PACKAGE, type SiteContext, warningsOf } from "../upstream/site.ts";
import { isPath, requireNamed, siteTheme, themeConfig, themeManifest } from "./theme.ts";
import type { PathFinding, ValidationResult } from "../upstream/shapes.ts";

interface ValidateInput {
  readonly config?: string | undefined;
  readonly manifest?: string | undefined;
}

type Located = PathFinding & { readonly document: "config" | "manifest" | "project" };
type ThemeFindings = Record<"errors" | "warnings", Located[]>;

const PROJECT = "project";

/** What is validated, and its file or packages. */
interface Document {
  readonly source: string;
  readonly value: unknown;
}

/** Validates the site's assembled configuration and its theme's manifest, or the files given. */
export async function validateTheme(context: SiteContext, input: ValidateInput) {
  const { runes, transform } = context.upstream;
  const notes: string[] = [];
  const config = await configOf(context, input.config, notes);
  const manifest = await manifestOf(context, input.manifest, notes);
  const byOwner = new Map<string, ThemeFindings>();
  const findingsOf = (owner: string) =>
    byOwner.getOrInsertComputed(owner, () => ({ errors: [], warnings: [] }));
  const project = findingsOf(PROJECT);
  const validate = (
    document: Located["document"],
    { errors, warnings }: Omit<ValidationResult, "valid">,
    ownerOf: (path: string) => string,
  ) => {
    for (const each of errors) findingsOf(ownerOf(each.path)).errors.push({ document, ...each });
    for (const each of warnings) {
      findingsOf(ownerOf(each.path)).warnings.push({ document, ...each });
    }
  };
  const checked = transform.validateThemeConfig(config.value);
  if (input.config === undefined) {
    // The CLI validates the core alone; here the theme may have replaced it.
    const paths = new Set(checked.errors.map(({ path }) => path));
    const core = transform.validateThemeConfig(runes.baseConfig);
    const errors = core.errors.filter(({ path }) => !paths.has(path));
    validate("config", { errors, warnings: [] }, () => CORE_PACKAGE);
    validate("config", checked, (path) => configOwner(context, path));
  } else {
    validate("config", checked, () => PROJECT);
  }
  const theme = siteTheme(context);
  const checkedManifest = manifest && transform.validateManifest(manifest.value);
  if (checkedManifest !== undefined) {
    const isOfPackage = input.manifest === undefined && theme !== undefined && !isPath(theme);
    validate("manifest", checkedManifest, () => isOfPackage ? theme : PROJECT);
  }
  for (const message of [...warningsOf(context) ?? [], ...notes]) {
    project.warnings.push({ document: "project", path: "", message });
  }
  const valid = [...byOwner.values()].every(({ errors }) => errors.length === 0);
  byOwner.delete(PROJECT);
  return {
    projectValid: project.errors.length === 0,
    ...project,
    valid,
    packages: Object.fromEntries(byOwner),
    config: { source: config.source, valid: checked.valid },
    manifest: manifest ? { source: manifest.source, valid: checkedManifest!.valid } : null,
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

async function configOf(
  context: SiteContext,
  file: string | undefined,
  notes: string[],
): Promise<Document> {
  if (file !== undefined) {
    const subject = "The theme config";
    if (!/\.[cm]?[jt]sx?$/.test(file)) {
      return { source: file, value: readJson(context.project, file, subject) };
    }
    requireNamed(context, file, subject);
    const { exports } = await importLocal(context.project, file, subject);
    const value = exports["themeConfig"] ?? exports["config"] ?? exports["default"] ?? exports;
    return { source: file, value };
  }
  const theme = siteTheme(context);
  const sourceOf = (base: string) => [base, ...context.site.plugins].map(word).join(" + ");
  if (theme !== undefined) {
    try {
      return { source: sourceOf(theme), value: await themeConfig(context, theme) };
    } catch (error) {
      notes.push(`${messageOf(error)}; the configuration was validated without the theme`);
    }
  }
  return { source: sourceOf("core"), value: context.config };
}

async function manifestOf(
  context: SiteContext,
  file: string | undefined,
  notes: string[],
): Promise<Document | undefined> {
  if (file !== undefined) {
    return { source: file, value: readJson(context.project, file, "The manifest") };
  }
  const theme = siteTheme(context);
  if (theme === undefined) return undefined;
  const manifest = await themeManifest(context, theme);
  if (manifest === undefined) notes.push(`Theme ${quotedName(theme)} has no readable manifest`);
  return manifest;
}

function readJson(project: Project, file: string, subject: string): unknown {
  const hint = "Omit it to validate the site's own.";
  const { displayPath, text } = readProjectFile(project, file, subject, hint);
  const value = parseJson(text, displayPath);
  if (isObject(value)) return value;
  const message = `${quotedName(displayPath)} must be a JSON object`;
  throw new RefraktError("VALIDATION_ERROR", message, { hint });
}
