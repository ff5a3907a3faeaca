/**
 * Fields that several tools take or give.
 *
 * @module
 */

import { z } from "zod";
import { RefraktError } from "../errors.ts";

/** A tool that looks at a site of the project, and changes nothing. */
export const READS = {
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  requires: ["site"],
} as const;

/** The site that a call means; where there are several, a call without it is told their names. */
export const SITE: z.ZodOptional<z.ZodString> = z.string().optional();

/** What the caller should know beside the answer. */
export const WARNINGS: z.ZodOptional<z.ZodArray<z.ZodString>> = z.array(z.string()).optional();

/** One finding about a page. */
export const DIAGNOSTIC: z.ZodObject = z.object({
  line: z.int().optional(),
  column: z.int().optional(),
  severity: z.enum(["error", "warning", "hint"]),
  code: z.string(),
  message: z.string(),
  fix: z.object({ line: z.int(), column: z.int(), length: z.int(), text: z.string() }).optional(),
});

/** Attributes of a rune by name: texts, numbers or booleans, which the schema leaves out. */
export const ATTRIBUTES: z.ZodOptional<
  z.ZodType<Readonly<Record<string, string | number | boolean>>>
> = z.unknown().pipe(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])))
  .meta({ type: "object" }).optional();

/** Several values; a single one is accepted as well, which the schema does not say. */
export const SEVERAL: z.ZodOptional<z.ZodType<readonly string[]>> = z.unknown().pipe(
  z.union([z.string().transform((value) => [value]), z.array(z.string())], {
    error: "must be a text or a list of texts",
  }),
).meta({ type: "array", items: { type: "string" } }).optional();

/** Where a list goes on, as an answer before has said. */
export function startOf(cursor: string | undefined, tool: string): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new RefraktError("INVALID_ARGS", `"cursor" is not one of ${tool}`, {
    hint: "Give the nextCursor of the answer before, or leave it out.",
  });
}
