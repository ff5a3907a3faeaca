/** `plan_list`: filters, searches and sorts entities. */

import * as z from "zod";
import { claimRow } from "../queries/claims.ts";
import { elsewhereState, examinedPlaces } from "../queries/elsewhere_rows.ts";
import { listEntities } from "../queries/listing.ts";
import { namedEntity, oneOrMore, uncheckedPlaces } from "../tool_parts/fields.ts";
import { typesIn } from "../upstream/vocabulary.ts";
import { readTool } from "../tool_parts/plan_tool.ts";

/** A claim that the remote has confirmed. */
const remoteClaim = z.object({
  owner: z.string(),
  clone: z.string(),
  since: z.string().optional(),
  age: z.string().optional(),
  branch: z.string().optional(),
});

const Output = z.object({
  total: z.int(),
  items: z.array(z.looseObject({
    ...namedEntity,
    type: z.string().optional(),
    milestone: z.string().optional(),
    priority: z.string().optional(),
    rank: z.string().optional().describe(
      "Of open work: priority and ticked criteria, such as high 0/3",
    ),
    criteria: z.string().optional().describe("Ticked/all, such as 1/3"),
    blockedBy: z.array(z.string()).optional(),
    withheldBy: z.array(z.string()).optional(),
    taken: z.string().optional(),
    note: z.string().optional(),
    dependencies: z.array(z.string()).optional(),
    referencedBy: z.array(z.object({ id: z.string(), kind: z.string() })).optional(),
    path: z.string().optional(),
    uri: z.string().optional(),
    modified: z.string().optional(),
    line: z.int().optional().describe("Of the text that was found"),
    text: z.string().optional().describe("Absent if it is the title"),
    claim: claimRow.optional(),
    remoteClaim: remoteClaim.optional(),
    elsewhere: z.array(elsewhereState).optional(),
    onlyElsewhere: z.boolean().optional(),
  })),
  nextCursor: z.string().optional(),
  branches: examinedPlaces.optional(),
  note: z.string().optional(),
  unchecked: uncheckedPlaces(),
});

export const listTool = readTool({
  name: "plan_list",
  title: "List entities",
  description: "Finds issues (tickets, tasks, todos), bugs and specs of the plan's backlog. " +
    "refrakt_query counts, groups, filters by anything else.",
  input: (vocabulary) => ({
    type: oneOrMore(typesIn(vocabulary)).describe("Filter"),
    status: oneOrMore().describe("Filter"),
    open: z.boolean().optional().describe("Not finished"),
    milestone: oneOrMore().describe('"none": without'),
    tag: oneOrMore().describe("Filter"),
    assignee: oneOrMore().describe("Filter"),
    priority: oneOrMore(vocabulary.values["priority"]).describe("Filter"),
    text: z.string().optional().describe('All words, or "a phrase"'),
    claimed: z.boolean().optional().describe("By whom, since when"),
    branches: z.boolean().optional().describe("Adds states elsewhere"),
    fields: z.array(z.string()).optional().describe(
      "Attributes, type, path, uri, criteria, dependencies, referencedBy, blockedBy, modified",
    ),
    sort: z.string().optional().describe('Such as "priority,-modified"'),
    limit: z.int().min(1).max(1000).optional().describe("Rows"),
    cursor: z.string().optional().describe("nextCursor"),
  }),
  output: Output,
  run: (input, plan) => listEntities(plan, input),
});
