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

/** What the user should know, in every answer. */
export const warnings: z.ZodArray<z.ZodString> = z.array(z.string())
  .describe("What is odd or missing, none of it fatal");

/** The next tool, in every answer. */
export const next: z.ZodString = z.string().describe("The next tool to call");

/** The arguments of the next tool. */
export const nextArgs: z.ZodRecord<z.ZodString, z.ZodUnknown> = z.record(z.string(), z.unknown())
  .describe("Its arguments");

/** A row about a spec. */
export const row: z.ZodObject<{
  name: z.ZodString;
  current: z.ZodBoolean;
  phase: z.ZodString;
  status: z.ZodString;
  done: z.ZodNumber;
  total: z.ZodNumber;
  artifacts: z.ZodArray<z.ZodString>;
  awaitingApproval: z.ZodBoolean;
  quick: z.ZodBoolean;
  next: z.ZodString;
  nextArgs: z.ZodRecord<z.ZodString, z.ZodUnknown>;
}> = z.object({
  name: z.string(),
  current: z.boolean(),
  phase: z.string().describe("A phase; or cancelled, corrupt, unknown"),
  status: z.string()
    .describe("active, awaiting-approval, complete, cancelled, corrupt or no-state"),
  done: z.number().describe("Ticked tasks"),
  total: z.number().describe("All tasks"),
  artifacts: z.array(z.string()),
  awaitingApproval: z.boolean(),
  quick: z.boolean(),
  next,
  nextArgs,
});
