/**
 * `plan_triage`: what needs a decision.
 *
 * @module
 */

import type { Prompt } from "../../../src/tools/prompt.ts";
import { askPlugin, type PlanPlugin } from "../commands.ts";
import { waitsFor } from "../queries/dependencies.ts";

import { groupIssues, type Issue } from "../tools/issues.ts";
import { dataOr, listOf, ofPlan, say } from "./messages.ts";

/** Declares the prompt. */
export function triagePrompt(plugin: PlanPlugin): Prompt {
  return {
    name: "plan_triage",
    title: "Triage the plan",
    description: "What is new, unplanned, blocked or broken, to be sorted.",
    requires: ["plan"],
    render: (_args, context) =>
      ofPlan(plugin, context, async ({ plan, context: handler }) => {
        const open = plan.items.filter(({ type, finished }) =>
          !finished && (type === "work" || type === "bug")
        );
        const { issues } = await askPlugin<{ issues: Issue[] }>(
          plugin,
          "validate",
          {},
          plan,
          handler,
        );
        const errors = groupIssues(issues.filter(({ severity }) => severity === "error"))
          .map(({ type, count, message }) => `- ${type} ×${count}: ${message}`);
        return [
          say(
            "Triage this plan. For each item below propose a priority or severity, a milestone " +
              "and the next status, or that it be closed; ask before you change anything with " +
              "plan.update. plan.get reads an item.",
          ),
          ...dataOr(
            "Nothing needs to be sorted: no new, blocked or unplanned items, and no errors.",
            listOf("New", open.filter(({ status }) => ["reported", "draft"].includes(status))),
            listOf(
              "Blocked",
              open.filter(({ status }) => status === "blocked"),
              (item) => `waits for ${waitsFor(plan, item).join(", ") || "nothing that is named"}`,
            ),
            listOf(
              "Without a milestone",
              open.filter(({ entity, status }) =>
                !entity.attributes["milestone"] &&
                !["reported", "draft", "blocked"].includes(status)
              ),
            ),
            errors.length === 0 ? "" : `Errors of plan.validate:\n${errors.join("\n")}`,
          ),
        ];
      }),
  };
}
