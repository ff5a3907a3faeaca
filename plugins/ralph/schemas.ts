/**
 * The parts that the schemas of several tools share.
 *
 * @module
 */

import { z } from "zod";
import type { PHASES } from "./phases.ts";

/** The spec that a call is about. */
export const specName: z.ZodOptional<z.ZodString> = z.string().min(1).optional()
  .describe("Spec name (defaults to the current spec)");

/** How documents are given to the model. */
export const contextMode: z.ZodDefault<z.ZodEnum<{ inline: "inline"; paths: "paths" }>> = z
  .enum(["inline", "paths"]).default("inline")
  .describe("Documents as capped text, or as paths to read");

/** A phase. */
export const phase: z.ZodEnum<{ [P in typeof PHASES[number]]: P }> = z.enum([
  "research",
  "requirements",
  "design",
  "tasks",
  "execution",
]);

// What a tool promises to return is kept short, because every client is sent it with the list
// of tools: the fields that others build on, without descriptions. Answers may hold more.

/** A phase in an answer. */
export const phaseName: z.ZodString = z.string();

/** What every answer has: the next tool, its arguments, and what is odd but not fatal. */
export const follow: {
  next: z.ZodString;
  nextArgs: z.ZodObject<Record<never, never>>;
  warnings: z.ZodArray<z.ZodString>;
} = {
  next: z.string(),
  nextArgs: z.object({}),
  warnings: z.array(z.string()),
};

/** A row about a spec; the other fields are those of `SpecRow`. */
export const row: z.ZodObject<{
  name: z.ZodString;
  phase: z.ZodString;
  status: z.ZodString;
  done: z.ZodNumber;
  total: z.ZodNumber;
  artifacts: z.ZodArray<z.ZodString>;
  next: z.ZodString;
}> = z.object({
  name: z.string(),
  phase: phaseName,
  status: z.string(),
  done: z.number(),
  total: z.number(),
  artifacts: z.array(z.string()),
  next: z.string(),
});
