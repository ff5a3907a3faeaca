/**
 * `plan.init` as it is declared: also where no plan is, and the plugin not loaded.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import type { PlanPlugin } from "../commands.ts";
import { initPlan } from "../init.ts";
import { withPlanLock } from "../lock.ts";
import { planPlace } from "../place.ts";
import { dirArgument, planCommand, WRITES } from "./command.ts";

const Input = z.strictObject({
  dir: dirArgument(),
  projectRoot: z.string().optional().describe("Where files beside the plan go"),
  agent: z.enum(["claude", "cursor", "copilot", "windsurf", "cline", "none"]).optional().describe(
    "Also write this agent's instructions",
  ),
  noPackageJson: z.boolean().optional(),
  noHooks: z.boolean().optional(),
  noWrapper: z.boolean().optional(),
  noConfig: z.boolean().optional(),
});

const Output = z.object({
  dir: z.string(),
  created: z.array(z.string()),
  alreadyEstablished: z.boolean(),
});

/**
 * Describes `plan.init`.
 *
 * @param hasPlan Whether the project has a plan already.
 */
export function describeInit(hasPlan: boolean) {
  return {
    name: "init",
    title: "Initialise the plan",
    description: hasPlan
      ? "Scaffolds the plan's folder; an established plan keeps what it has. It writes only " +
        "there, unless agent is given or a no… option is false."
      : "This project has no plan: this makes one, with folders, instructions and examples. It " +
        "writes only there, unless agent is given or a no… option is false.",
    annotations: { ...WRITES, idempotentHint: true },
    input: Input,
    output: Output,
  };
}

/** Declares `plan.init` of a loaded plugin. */
export function initCommand(plugin: PlanPlugin): CliPluginCommand {
  return planCommand({
    ...describeInit(true),
    run: (input, context) =>
      withPlanLock(
        planPlace(context, input.dir),
        context.signal,
        () => initPlan(input, context, plugin),
      ),
  });
}
