/** `plan_list`: filters, searches and sorts entities. */

import * as z from "zod";
import { examinedPlaces } from "../queries/elsewhere_rows.ts";
import { listEntities } from "../queries/listing.ts";
import { listFilters, uncheckedPlaces } from "../tool_parts/fields.ts";
import { readTool } from "../tool_parts/plan_tool.ts";

export const listTool = readTool({
  name: "plan_list",
  title: "List entities",
  description: "Finds issues (tickets, tasks, todos), bugs and specs of the plan's backlog. " +
    "refrakt_query counts, groups, filters by anything else.",
  input: (vocabulary) => ({
    ...listFilters(vocabulary),
    branches: z.boolean().optional().describe("Adds states elsewhere"),
    fields: z.array(z.string()).optional().describe(
      "Attributes, type, path, uri, criteria, dependencies, referencedBy, blockedBy, blocks, modified",
    ),
    sort: z.string().optional().describe('Such as "priority,-modified"'),
    limit: z.int().min(1).max(1000).optional().describe("Rows"),
    cursor: z.string().optional().describe("nextCursor"),
    dir: z.string().optional().describe("Another plan's folder, as in every plan tool"),
  }),
  output: z.object({
    total: z.int(),
    columns: z.array(z.string()).describe("rank: of open work, such as high 0/3"),
    same: z.record(z.string(), z.unknown()).optional().describe(
      "Columns that are equal in all rows",
    ),
    rows: z.array(z.array(z.unknown())).describe(
      "Cells by columns; those left out at the end are empty",
    ),
    nextCursor: z.string().optional(),
    branches: examinedPlaces.optional(),
    note: z.string().optional(),
    unchecked: uncheckedPlaces(),
  }),
  run: (input, plan) => listEntities(plan, input),
});
