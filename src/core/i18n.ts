/**
 * `refrakt.i18n_extract`: the texts of a site's runes that can be translated.
 * Refrakt has it since 0.29; with older packages the tool does not exist.
 *
 * @module
 */

import { z } from "zod";
import { RefraktError } from "../errors.ts";
import type { Project } from "../project/project.ts";
import { defineTool, type Tool } from "../surface/tool.ts";
import { siteContext, withWarnings } from "./site_context.ts";
import { upstreamVersions } from "./upstream.ts";

/** Whether the project's packages can extract texts, by their version. */
export function hasI18n(project: Project): boolean {
  if (project.site === null) return false;
  const { version } = upstreamVersions(project).transform;
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 0 || Number(minor) >= 29;
}

/** The tool of this file. */
export const i18nTool: Tool = defineTool({
  name: "refrakt.i18n_extract",
  title: "Extract translatable texts",
  description: "The keys and default texts that the runes of a site show to readers.",
  input: z.strictObject({
    site: z.string().optional().describe("Needed where the project has several sites"),
  }),
  annotations: { readOnlyHint: true, idempotentHint: true },
  needs: ["site"],
  run: async ({ site }, { project }) => {
    const context = await siteContext(project, site);
    const { extractI18nKeys } = context.upstream.transform;
    if (extractI18nKeys === undefined) {
      throw new RefraktError("TOOL_FAILED", "The installed refrakt packages cannot extract texts", {
        hint: "Upgrade @refrakt-md/transform to 0.29 or newer.",
      });
    }
    const keys = extractI18nKeys(context.config);
    return withWarnings(
      context,
      typeof keys === "object" && keys !== null && !Array.isArray(keys)
        ? { ...keys as Record<string, unknown> }
        : { keys },
    );
  },
});
