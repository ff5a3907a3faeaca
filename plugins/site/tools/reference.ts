/** `refrakt_reference` and `refrakt_i18n_extract`: what runes are and which texts they show. */

import * as z from "zod";
import { withText } from "../../../src/plugin/result.ts";
import { defineTool, type Tool } from "../../../src/plugin/tool.ts";
import { siteEngine } from "../engine/lazy.ts";
import { READS, SITE_NAME, WARNINGS } from "../fields.ts";

const REFERENCE = z.looseObject({
  name: z.string().optional(),
  example: z.string().optional(),
  exampleNote: z.string().optional().describe("Why it is not the package's example"),
  runes: z.union([z.int(), z.array(z.looseObject({}))]).optional(),
  signatures: z.record(z.string(), z.array(z.string())).optional().describe("By package"),
  universal: z.array(z.string()).optional().describe("Attributes of every rune"),
  warnings: WARNINGS,
});

export const referenceTool: Tool = defineTool({
  name: "refrakt_reference",
  listed: { rank: 7 },
  title: "Look up runes",
  description:
    "How to write runes: attributes, content, example; without rune and runes a line each.",
  input: z.strictObject({
    rune: z.string().optional().describe("Whole"),
    runes: z.array(z.string()).max(20).optional().describe("Several"),
    format: z.enum(["json", "markdown"]).optional().describe("Default: json"),
    plugin: z.string().optional().describe("Only its runes"),
    universal: z.boolean().optional().describe("Attributes of every rune"),
    site: SITE_NAME,
    detail: z.literal("full").optional().describe("All runes, whole"),
  }),
  output: REFERENCE,
  ...READS,
  run: async (input, call) => {
    const { text, data } = await (await siteEngine()).describeRunes(input, call);
    return text === undefined ? data : withText(text, data);
  },
});

const KEYS = z.looseObject({ warnings: WARNINGS });

export const i18nTool: Tool = defineTool({
  name: "refrakt_i18n_extract",
  title: "Extract translatable texts",
  description: "The keys and default texts that the runes of a site show to readers.",
  input: z.strictObject({ site: SITE_NAME }),
  output: KEYS,
  ...READS,
  // Not listed: it is a step of a build.
  listed: { to: "none" },
  run: async (input, call) => await (await siteEngine()).i18nKeys(input, call),
});
