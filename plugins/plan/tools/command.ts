/** Declares plan tools, typed by their schemas. */

import { z } from "zod";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/tools/plugin.ts";
import type { ZodSchema } from "../../../src/tools/schema.ts";

export { present } from "../queries/access.ts";

export interface PlanCommandDefinition<Input, Output>
  extends Pick<CliPluginCommand, "name" | "title" | "description" | "annotations" | "_meta"> {
  readonly input: ZodSchema<Input>;
  readonly output: ZodSchema<Output>;
  run(input: Input, context: McpHandlerContext): Output | Promise<Output>;
}

export function planCommand<Input, Output>(
  definition: PlanCommandDefinition<Input, Output>,
): CliPluginCommand {
  const { input: inputSchema, output: outputSchema, run: mcpHandler, ...described } = definition;
  return { ...described, inputSchema, outputSchema, mcpHandler };
}

export const READS = { readOnlyHint: true, openWorldHint: false } as const;

export const WRITES = {
  readOnlyHint: false,
  destructiveHint: false,
  openWorldHint: false,
} as const;

export const namedEntity = {
  id: z.string(),
  title: z.string().optional(),
  status: z.string().optional(),
};

export const readyItem = {
  ...namedEntity,
  type: z.string(),
  priority: z.string(),
  complexity: z.string(),
};

export const writtenEntity = {
  id: z.string(),
  type: z.string(),
  file: z.string(),
  path: z.string(),
  uri: z.string(),
};

/** A text whose schema lists values without rejecting others. */
export const listedText = (values: readonly string[]) => z.string().meta({ enum: values });

export const oneOrMore = (values?: readonly string[]) => {
  const one = values === undefined ? z.string() : listedText(values);
  return z.union([one, z.array(one)], { error: "must be a string or a list of strings" })
    .optional();
};

export const criteriaArgument = () =>
  z.union([z.string(), z.int(), z.array(z.union([z.string(), z.int()]))], {
    error: "must be a string, a number or a list of them",
  }).optional();

export const idsArgument = (description: string) =>
  z.array(z.string()).max(50).optional().describe(description);

export const dirArgument = () => z.string().optional();

export const detailArgument = () => z.enum(["short", "full"]).optional();

export const namedEntities = () => z.array(z.object(namedEntity)).optional();

/** Where a new id may be taken, because it was not checked there. */
export const uncheckedPlaces = () => z.array(z.string()).optional();
