/**
 * `plan_triage`: what needs a decision.
 *
 * @module
 */

import { askPlugin } from "../commands.ts";
import { isBlocked } from "../queries/dependencies.ts";
import { TRIAGE_STEPS } from "../skills.ts";
import { groupIssues, type Issue } from "../tools/issues.ts";
import { dataOr, listOf, type PlanPrompt, say, waitingFor } from "./messages.ts";

/** The statuses of what nobody has looked at yet. */
const NEW = ["reported", "draft"];

/** The prompt. */
export const triage: PlanPrompt = {
  name: "plan_triage",
  title: "Triage the plan",
  description: "What is new, unplanned, blocked or broken, to be sorted.",
  messages: async ({ plugin, plan, context }) => {
    const open = plan.items.filter(({ type, finished }) =>
      !finished && (type === "work" || type === "bug")
    );
    const { issues } = await askPlugin<{ issues: Issue[] }>(plugin, "validate", {}, plan, context);
    const errors = groupIssues(issues.filter(({ severity }) => severity === "error"), 1)
      .map(({ type, count, message }) => `- ${type} ×${count}: ${message}`);
    const isUnplanned = (item: typeof open[number]) =>
      !item.entity.attributes["milestone"] && !NEW.includes(item.status) && !isBlocked(plan, item);
    return [
      say(`Triage this plan.\n\n${TRIAGE_STEPS}`),
      ...dataOr(
        "Nothing needs to be sorted: no new, blocked or unplanned items, and no errors.",
        listOf("New", open.filter(({ status }) => NEW.includes(status))),
        listOf("Blocked", open.filter((item) => isBlocked(plan, item)), waitingFor(plan)),
        listOf("Without a milestone", open.filter(isUnplanned)),
        errors.length === 0 ? "" : `Errors of plan.validate:\n${errors.join("\n")}`,
      ),
    ];
  },
};
