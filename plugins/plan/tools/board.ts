/** `plan_board`: counts by status and type, and the data of the board's view. */

import { basename } from "node:path";
import * as z from "zod";
import { counted, sizesOf } from "../../../src/plugin/counted.ts";
import { blobHash } from "../../../src/io/git_objects.ts";
import { withContent, withText } from "../../../src/plugin/result.ts";
import { branchOf } from "../git/refs.ts";
import { boardData } from "../queries/board_data.ts";
import { groupItems } from "../queries/select.ts";
import { uncheckedPlaces } from "../tool_parts/fields.ts";
import { unreadableIn } from "../store/problems.ts";
import { readTool } from "../tool_parts/plan_tool.ts";

const VIEW = "ui://refrakt/plan-board";

/** The key in `_meta` for the data that a view requests. */
const BOARD_META = "refrakt/board";

const BoardOutput = z.object({
  total: z.int(),
  columns: z.array(z.object({
    status: z.string(),
    count: z.int(),
    types: z.record(z.string(), z.int()),
  })),
  stamp: z.string(),
  project: z.string(),
  branch: z.string().optional(),
  unchecked: uncheckedPlaces(),
});

export const boardTool = readTool({
  name: "plan_board",
  title: "Show the plan's board",
  description: "Counts by status and type; a board in hosts with views.",
  listed: { to: "views" },
  input: {
    // For views; the data is in `_meta`.
    show: z.enum(["headers", "cards", "now", "today", "difference"]).optional().describe(
      "A part of it",
    ),
    entity: z.string().optional().describe("Id"),
    filter: z.record(z.string(), z.string()).optional().describe("For the view"),
  },
  output: BoardOutput,
  saysUnreadable: true,
  run: async ({ show, entity, filter = {} }, plan) => {
    const columns = groupItems(plan, plan.entities, "status").map(([status, items]) => ({
      status,
      count: items.length,
      types: sizesOf(groupItems(plan, items, "type")),
    }));
    // Changes with the plan's files, so that a view knows when to update.
    const stamps = plan.files.map(({ file, mtime, parsed: { hash } }) => [file, mtime, hash]);
    const unreadable = unreadableIn(plan.store);
    const board = {
      total: plan.entities.length,
      columns,
      stamp: blobHash(JSON.stringify(stamps), 64).slice(0, 16),
      project: basename(plan.cwd),
      branch: branchOf(plan.dir),
      unreadable,
    };
    const unread = unreadable && `Some of the plan could not be read: ${unreadable}`;
    const textOf = (unchecked?: string) =>
      [statusTable(board), unread, unchecked].filter(Boolean).join("\n\n");
    if (show === undefined && entity === undefined) return withText(textOf(), board);
    const { unchecked, ...data } = await boardData(plan, show, entity, filter);
    return withContent([{ type: "text", text: textOf(unchecked) }], { ...board, unchecked }, {
      [BOARD_META]: data,
    });
  },
  _meta: { ui: { resourceUri: VIEW }, "ui/resourceUri": VIEW },
});

/** A Markdown table: a row per status, a column per type. */
function statusTable({ total, columns, branch }: z.infer<typeof BoardOutput>): string {
  const types = [...new Set(columns.flatMap(({ types }) => Object.keys(types)))];
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [
    counted(total, "entity") + (branch === undefined ? "" : `, branch ${branch}`),
    "",
    row(["status", "all", ...types]),
    row(["---", "---", ...types.map(() => "---")]),
    ...columns.map(({ status, count, types: counts }) =>
      row([status, count, ...types.map((type) => counts[type] ?? 0)])
    ),
  ].join("\n");
}
