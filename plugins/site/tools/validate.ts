/** `refrakt_validate` and `refrakt_package_validate`: checks of themes and rune packages. */

import * as z from "zod";
import { defineTool, type Tool } from "../../../src/plugin/tool.ts";
import { siteEngine } from "../engine/lazy.ts";
import { READS, SITE_NAME } from "../fields.ts";

const VALIDATED_FINDINGS = z.array(z.object({
  document: z.string(),
  path: z.string(),
  message: z.string(),
}));
const DOCUMENT = z.object({ source: z.string(), valid: z.boolean() });

const VALIDATION = z.object({
  projectValid: z.boolean().describe("Whether the project has nothing to fix"),
  errors: VALIDATED_FINDINGS,
  warnings: VALIDATED_FINDINGS.optional(),
  valid: z.boolean().describe("Whether there are no errors, as refrakt validate counts"),
  packages: z.record(
    z.string(),
    z.object({ errors: VALIDATED_FINDINGS, warnings: VALIDATED_FINDINGS }),
  )
    .optional().describe("Findings about published packages"),
  config: DOCUMENT.optional(),
  manifest: DOCUMENT.nullable().optional(),
});

export const validateTool: Tool = defineTool({
  name: "refrakt_validate",
  title: "Validate theme",
  description: "Validates the theme's config and manifest, or other files.",
  input: z.strictObject({
    config: z.string().optional().describe("A JSON file or module"),
    manifest: z.string().optional().describe("A JSON file"),
    site: SITE_NAME,
  }),
  output: VALIDATION,
  ...READS,
  run: async (input, call) => await (await siteEngine()).validateTheme(input, call),
});

const LINT_FINDINGS = z.array(z.object({ path: z.string(), message: z.string() }));

const LINT = z.object({
  valid: z.boolean(),
  pluginName: z.string().optional(),
  source: z.string().optional(),
  errors: LINT_FINDINGS,
  warnings: LINT_FINDINGS.optional(),
});

export const packageValidateTool: Tool = defineTool({
  name: "refrakt_package_validate",
  title: "Validate a rune package",
  description: "Lints a rune package, by default the project's, running its code.",
  input: z.strictObject({
    package: z.string().optional().describe("Its name"),
    dir: z.string().optional().describe("Or its folder"),
  }),
  output: LINT,
  // Importing the package's modules runs them, and they may do anything.
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  // Not read-only because it runs code, but it writes nothing itself.
  writes: false,
  listed: { with: ["site", "plugin"] },
  run: async (input, call) => await (await siteEngine()).lintPackage(input, call),
});
