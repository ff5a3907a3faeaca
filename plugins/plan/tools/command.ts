/**
 * A plan tool as a declaration: typed by its schemas, both ways.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/tools/plugin.ts";
import type { ZodSchema } from "../../../src/tools/schema.ts";

export { present } from "../queries/access.ts";

/** A command whose input and answer are typed by Zod. */
export interface PlanCommandDefinition<Input, Output>
  extends Pick<CliPluginCommand, "name" | "title" | "description" | "annotations" | "_meta"> {
  readonly input: ZodSchema<Input>;
  readonly output: ZodSchema<Output>;
  run(input: Input, context: McpHandlerContext): Output | Promise<Output>;
}

/** Declares a plan command. */
export function planCommand<Input, Output>(
  definition: PlanCommandDefinition<Input, Output>,
): CliPluginCommand {
  const { input: inputSchema, output: outputSchema, run: mcpHandler, ...described } = definition;
  return { ...described, inputSchema, outputSchema, mcpHandler };
}

/** Annotations of a command that reads. */
export const READS = { readOnlyHint: true, openWorldHint: false } as const;

/** Annotations of a command that writes. */
export const WRITES = {
  readOnlyHint: false,
  destructiveHint: false,
  openWorldHint: false,
} as const;

/** An entity beside others. */
export const namedEntity = {
  id: z.string(),
  title: z.string().optional(),
  status: z.string().optional(),
};

/** An item as a list of what is ready has it. */
export const readyItem = {
  ...namedEntity,
  type: z.string(),
  priority: z.string(),
  complexity: z.string(),
};

/** What every answer about an entity that was written begins with. */
export const writtenEntity = {
  id: z.string(),
  type: z.string(),
  file: z.string(),
  path: z.string(),
  uri: z.string(),
};

/** A text, for which the schema lists values without refusing others. */
export const listedText = (values: readonly string[]) => z.string().meta({ enum: values });

/** One value, or several. */
export const oneOrMore = (values?: readonly string[]) => {
  const one = values === undefined ? z.string() : listedText(values);
  return z.union([one, z.array(one)], { error: "must be a text or a list of texts" }).optional();
};

/** Criteria by text or number, one or several. */
export const criteriaArgument = () =>
  z.union([z.string(), z.int(), z.array(z.union([z.string(), z.int()]))], {
    error: "must be a text, a number or a list of them",
  }).optional();

/** Ids of entities. */
export const idsArgument = (description: string) =>
  z.array(z.string()).max(50).optional().describe(description);

/** The plan's directory, where it is not the config's. */
export const dirArgument = () => z.string().optional();

/** How much an answer says. */
export const detailArgument = () => z.enum(["short", "full"]).optional();

/** Entities beside others: id, title, status. */
export const namedEntities = () => z.array(z.object(namedEntity)).optional();
