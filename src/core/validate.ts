/**
 * `refrakt.validate`: whether the site's theme configuration and manifest are well
 * formed. What is wrong is the answer, not an error.
 *
 * @module
 */

import { z } from "zod";
import { messageOf, RefraktError } from "../errors.ts";
import type { Project } from "../project/project.ts";
import { defineTool, type Tool } from "../surface/tool.ts";
import { parseJson, readProjectFile } from "./json_files.ts";
import { importLocal } from "./local_modules.ts";
import { type SiteContext, siteContext, warningsOf } from "./site_context.ts";
import { BASE_THEME, requireNamed, siteTheme, themeConfig, themeManifest } from "./theme.ts";
import type { ValidationResult } from "./upstream.ts";

/** What {@linkcode validate} takes. */
export interface ValidateInput {
  /** A theme configuration: a JSON file or a module of the project. */
  readonly config?: string | undefined;
  /** A theme manifest: a JSON file of the project. */
  readonly manifest?: string | undefined;
  /** The site. */
  readonly site?: string | undefined;
}

/** The findings about one document. */
interface Check extends ValidationResult {
  /** What was validated: a file, or how it was assembled. */
  readonly source: string;
}

/**
 * Validates the site's assembled theme configuration and its theme's manifest, or
 * the files that the call names.
 *
 * @throws {RefraktError} `NOT_FOUND` for a missing file, `VALIDATION_ERROR` for one that is not
 * JSON, `PERMISSION_DENIED` for one outside the project, and the errors of the site.
 */
export async function validate(
  project: Project,
  input: ValidateInput,
): Promise<Record<string, unknown>> {
  const context = await siteContext(project, input.site);
  const notes: string[] = [];
  const config = await checkConfig(context, input.config, notes);
  const manifest = await checkManifest(context, input.manifest, notes);
  const checks = { config, ...(manifest === undefined ? {} : { manifest }) };
  const collect = (kind: "errors" | "warnings") =>
    Object.entries(checks).flatMap(([document, check]) =>
      check[kind].map((finding) => ({ document, ...finding }))
    );
  return {
    valid: config.valid && (manifest?.valid ?? true),
    errors: collect("errors"),
    warnings: [
      ...collect("warnings"),
      ...(warningsOf(context) ?? []).concat(notes)
        .map((message) => ({ document: "project", path: "", message })),
    ],
    config: { source: config.source, valid: config.valid },
    manifest: manifest === undefined ? null : { source: manifest.source, valid: manifest.valid },
  };
}

async function checkConfig(
  context: SiteContext,
  file: string | undefined,
  notes: string[],
): Promise<Check> {
  const { validateThemeConfig } = context.upstream.transform;
  if (file !== undefined) {
    const value = /\.[cm]?[jt]sx?$/.test(file)
      ? await configModule(context, file)
      : readJson(context.project, file, "The theme config");
    return { source: file, ...validateThemeConfig(value) };
  }
  const theme = siteTheme(context);
  const parts = ["core", ...context.site.plugins];
  if (theme !== undefined) {
    try {
      const config = await themeConfig(context, theme);
      return { source: [theme, ...parts.slice(1)].join(" + "), ...validateThemeConfig(config) };
    } catch (error) {
      notes.push(`${messageOf(error)}; the configuration was validated without the theme`);
    }
  }
  const config = await themeConfig(context, BASE_THEME);
  return { source: parts.join(" + "), ...validateThemeConfig(config) };
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
  const found = await themeManifest(context, theme);
  if (found === undefined) {
    notes.push(`Theme "${theme}" has no manifest that could be read`);
    return undefined;
  }
  return { source: found.source, ...validateManifest(found.manifest) };
}

/** The configuration that a module exports, by one of the names that are in use. */
async function configModule(context: SiteContext, file: string): Promise<unknown> {
  requireNamed(context, file, "The theme config");
  const { exports } = await importLocal(context.project, file, "The theme config");
  return exports["themeConfig"] ?? exports["config"] ?? exports["default"] ?? { ...exports };
}

function readJson(project: Project, file: string, what: string): unknown {
  const hint = "Leave it out to validate what the site uses.";
  const { shown, text } = readProjectFile(project, file, what, () => hint);
  const value = parseJson(text, shown);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new RefraktError("VALIDATION_ERROR", `"${shown}" must be a JSON object`, { hint });
}

/** The tool of this file. */
export const validateTool: Tool = defineTool({
  name: "refrakt.validate",
  title: "Validate theme",
  description:
    "Validates the theme configuration that a site is built with (core, plugins, theme) and the " +
    "theme's manifest, or the files given. Errors and warnings are data: valid says which.",
  input: z.strictObject({
    config: z.string().min(1).optional().describe(
      "A theme config in the project: JSON or a module",
    ),
    manifest: z.string().min(1).optional().describe("A theme manifest in the project: JSON"),
    site: z.string().optional().describe("Needed where the project has several sites"),
  }),
  annotations: { readOnlyHint: true, idempotentHint: true },
  needs: ["site"],
  run: (input, { project }) => validate(project, input),
});
