/**
 * `plan.init`: makes a plan.
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

/** Declares `plan.init`. */
export function initCommand(plugin: PlanPlugin): CliPluginCommand {
  return planCommand({
    name: "init",
    title: "Initialise the plan",
    description: "Makes a plan where there is none: folders, instructions and examples. An " +
      "established plan keeps what it has. It writes only there, unless agent is given or a no… " +
      "option is false.",
    annotations: { ...WRITES, idempotentHint: true },
    input: Input,
    output: Output,
    run: (input, context) =>
      withPlanLock(
        planPlace(context, input.dir),
        context.signal,
        () => initPlan(input, context, plugin),
      ),
  });
}
