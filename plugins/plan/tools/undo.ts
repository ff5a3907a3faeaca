/** `plan.undo`: gives back what a write has replaced. */

import * as z from "zod";
import { undoWrite } from "../write/undo.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";

export const undoTool = writeTool({
  name: "plan.undo",
  title: "Undo a write",
  description: "Undoes a write of this session by its undo, if nobody has changed the files since.",
  annotations: { destructiveHint: true, idempotentHint: false },
  input: {
    token: z.string(),
    preview: z.boolean().optional(),
  },
  output: z.object({
    tool: z.string(),
    files: z.array(z.string()),
    preview: z.boolean().optional(),
  }),
  run: async ({ token, preview = false }, place) => ({
    ...await undoWrite(place, token, preview),
    preview: preview || undefined,
  }),
});
