/** Schemas of inputs and outputs that several site tools share. */

import * as z from "zod";
import { RefraktError } from "../errors.ts";

/** Annotations of tools that only read a site. */
export const READS = {
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  requires: ["site"],
} as const;

/** The same for tools about its pages. */
export const READS_PAGES = { ...READS, requires: ["pages"] } as const;

/** Required if the project has several sites; the error lists their names. */
export const SITE: z.ZodOptional<z.ZodString> = z.string().optional();

export const WARNINGS: z.ZodOptional<z.ZodArray<z.ZodString>> = z.array(z.string()).optional();

/** The values are texts, numbers or booleans; the JSON schema omits that. */
export const ATTRIBUTES: z.ZodOptional<
  z.ZodType<Readonly<Record<string, string | number | boolean>>>
> = z.unknown().pipe(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])))
  .meta({ type: "object" }).optional();

export function startOf(cursor: string | undefined, tool: string): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new RefraktError("INVALID_ARGS", `"cursor" is not a cursor of ${tool}`, {
    hint: "Pass the nextCursor of the previous result, or omit it.",
  });
}
