/** How the tools of the workflow are declared, and how they answer. */

import * as z from "zod";
import { word } from "../../src/plain_text.ts";
import type { CallContext } from "../../src/plugin/context.ts";
import type { SchemaSource } from "../../src/plugin/schema.ts";
import { defineTool, type InputOf, type Tool, type ToolDefinition } from "../../src/plugin/tool.ts";
import { type TextResult, withText } from "../../src/plugin/result.ts";
import { fileFailure } from "./failures.ts";
import type { Step } from "./next.ts";
import type { SpecFolder } from "./folders.ts";

/** The name is that without `ralph_`. It is listed in projects that use Ralph, or as declared. */
interface RalphTool<Source extends SchemaSource>
  extends Pick<ToolDefinition<Source>, "name" | "title" | "description" | "input" | "listed"> {
  /** Whether it only reads, or may delete something. */
  readonly effect?: "reads" | "destroys";
  /** The fields of its answer, in addition to those of every answer. */
  readonly output: Readonly<Record<string, z.ZodType>>;
  /** Whether its text is instructions, which are a field of the data, too. */
  readonly instructs?: boolean;
  run(input: InputOf<Source>, context: CallContext): Answer | Promise<Answer>;
}

export interface Answer {
  /** The spec that the answer is about: agents may work on several. */
  readonly spec?: Pick<SpecFolder, "name">;
  /** What happened: a sentence without a final period. */
  readonly message?: string;
  /** Facts, one per line; empty ones are left out. */
  readonly facts?: readonly (string | null | undefined)[];
  /** Instructions or a table. */
  readonly body?: string | undefined;
  readonly step: Step;
  readonly warnings?: readonly string[];
  /** The fields that `output` declares. */
  readonly data: Readonly<Record<string, unknown>>;
}

export const specName: z.ZodOptional<z.ZodString> = z.string().optional()
  .describe("Default: current");

export function ralphTool<Source extends SchemaSource>(tool: RalphTool<Source>): Tool {
  const { effect, output, instructs = false, run, ...declared } = tool;
  const name = `ralph_${tool.name}`;
  const texts = instructs
    ? { instructions: z.string() }
    : { message: z.string(), todo: z.string() };
  return defineTool<Source>({
    listed: { with: ["ralph"] },
    ...declared,
    name,
    annotations: effect === "reads"
      ? { readOnlyHint: true, openWorldHint: false }
      : { destructiveHint: effect === "destroys", openWorldHint: false },
    writes: effect === "reads" ? false : "specs",
    output: z.object({
      spec_name: z.string(),
      ...output,
      ...texts,
      warnings: z.array(z.unknown()),
    }).partial().extend({ next: z.string() }),
    run: async (input, context) => {
      try {
        const answer = await run(input, context);
        if (effect !== "reads") context.log("info", name, { spec: answer.spec?.name });
        return resultOf(answer, instructs);
      } catch (error) {
        throw fileFailure(context.project.cwd, "write", error);
      }
    },
  });
}

/** An answer as text and data. */
function resultOf(answer: Answer, instructs: boolean): TextResult {
  const { spec, message, facts = [], body, step, warnings = [], data } = answer;
  const lines = [spec && `Spec: ${word(spec.name)}`, ...facts];
  lines.push(...warnings.map((warning) => `Note: ${warning}`));
  const list = lines.filter(Boolean).map((line) => `- ${line}`).join("\n");
  const parts = [message && `${message}.`, list, body, `Next: ${step.todo}.`];
  const text = parts.filter(Boolean).join("\n\n");
  const about = spec && { spec_name: spec.name };
  const texts = instructs ? { instructions: text } : { message, todo: step.todo };
  return withText(text, {
    ...about,
    ...data,
    next: step.next,
    ...texts,
    warnings: [...warnings],
  });
}
