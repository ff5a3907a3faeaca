/**
 * Fields that several tools take or give.
 *
 * @module
 */

import { z } from "zod";

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
