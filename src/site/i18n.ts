/**
 * `refrakt.i18n_extract`: the texts of a site's runes that can be translated.
 * Refrakt has it since 0.29; with older packages the tool does not exist.
 *
 * @module
 */

import { z } from "zod";
import type { Project } from "../project/project.ts";
import { defineTool, type Tool } from "../tools/tool.ts";
import type { SiteEngine } from "./engine/client.ts";
import { upstreamVersions } from "./engine/upstream_versions.ts";
import { SITE, WARNINGS } from "./fields.ts";

/** Whether the project's packages can extract texts, by their version. */
export function hasI18n(project: Project): boolean {
  if (project.site === null) return false;
  const { version } = upstreamVersions(project).transform;
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 0 || Number(minor) >= 29;
}

/** What the tool answers: keys with their texts. */
const KEYS = z.looseObject({ warnings: WARNINGS });

/** Declares the tool. */
export function i18nTool(engine: SiteEngine): Tool {
  return defineTool({
    name: "refrakt.i18n_extract",
    title: "Extract translatable texts",
    description: "The keys and default texts that the runes of a site show to readers.",
    input: z.strictObject({ site: SITE }),
    output: KEYS,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    requires: ["site"],
    run: (input, call) => engine.ask("i18nKeys", input, call),
  });
}
