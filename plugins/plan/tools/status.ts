/** `plan_status`: a summary of the plan or of one milestone. */

import * as z from "zod";
import { planStatus } from "../queries/status.ts";
import {
  detailArgument,
  namedEntities,
  namedEntity,
  readyItem,
  uncheckedPlaces,
} from "../tool_parts/fields.ts";
import { issueGroup } from "../store/problems.ts";
import { readTool } from "../tool_parts/plan_tool.ts";

export const statusTool = readTool({
  name: "plan_status",
  title: "Show the plan's status",
  description:
    "Summarizes the plan or a milestone: counts, progress, ready, blocked, done, warnings.",
  input: { milestone: z.string().optional().describe("Only this one"), detail: detailArgument() },
  output: z.object({
    milestone: z.object({
      name: z.string(),
      status: z.string().optional(),
      target: z.string().optional(),
      done: z.int(),
      total: z.int(),
    }).optional(),
    counts: z.record(
      z.string(),
      z.object({ total: z.int(), byStatus: z.record(z.string(), z.int()) }),
    ),
    inProgress: namedEntities(),
    ready: z.array(z.object(readyItem)),
    /** How many ready items are not offered; `note` says why. */
    withheld: z.int().optional(),
    note: z.string().optional(),
    unchecked: uncheckedPlaces(),
    blocked: z.array(z.object({
      ...namedEntity,
      blockedBy: z.array(z.string()),
      note: z.string().optional(),
    })),
    done: z.array(
      z.object({ ...namedEntity, date: z.string().optional(), pr: z.string().optional() }),
    ),
    totals: z.record(z.string(), z.int()).optional(),
    warnings: z.array(
      issueGroup.partial({ count: true, ids: true }).extend({
        source: z.string().optional(),
        target: z.string().optional(),
      }),
    ),
    review: z.record(z.string(), z.int()).optional()
      .describe("What plan_review finds about the milestone, by kind"),
  }),
  run: async (asked, plan) => Object(await planStatus(plan, asked)),
});
