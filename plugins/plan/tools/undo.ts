/** `plan.undo`: takes back a write, or what has happened to entities or by an author. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { unlessEmpty } from "../queries/access.ts";
import { undoWrite } from "../write/undo.ts";
import { undoChanges } from "../write/undo_changes.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";

/** How far back changes are undone by default. */
const SINCE = "1d";

export const undoTool = writeTool({
  name: "plan.undo",
  title: "Undo changes",
  description: "Undoes a write of this session by its undo; or what ids or an author changed " +
    "since a time, committed or not. left: what others changed since.",
  annotations: { destructiveHint: true, idempotentHint: false },
  input: {
    token: z.string().optional().describe("undo of a write"),
    ids: z.array(z.string()).min(1).optional(),
    by: z.string().min(1).optional().describe("An author or assignee"),
    since: z.string().optional().describe(`14d, a date, commit or branch; default ${SINCE}`),
    preview: z.boolean().optional(),
  },
  output: z.object({
    tool: z.string().optional(),
    files: z.array(z.string()),
    entities: z.array(z.object({
      id: z.string(),
      file: z.string(),
      text: z.string(),
      left: z.array(z.string()).optional(),
    })).optional(),
    warnings: z.array(z.string()).optional(),
    preview: z.boolean().optional(),
  }),
  run: async ({ token, ids, by, since, preview = false }, place) => {
    const isChanges = ids !== undefined || by !== undefined;
    if (
      (token !== undefined) === (isChanges || since !== undefined) ||
      token === undefined && !isChanges
    ) {
      throw new RefraktError("INVALID_ARGS", 'Pass either "token", or "ids" or "by"', {
        hint: "token is the undo of a write of this session; ids and by are with since.",
      });
    }
    const done = token !== undefined
      ? await undoWrite(place, token, preview)
      : await undoChanges(place, { ids, by, since: since ?? SINCE }, preview);
    const warnings = "warnings" in done ? unlessEmpty(done.warnings) : undefined;
    return { ...done, warnings, preview: preview || undefined };
  },
});
