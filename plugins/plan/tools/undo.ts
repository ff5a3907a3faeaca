/** `plan_undo`: takes back a write of this run of the server. */

import * as z from "zod";
import { undoWrite } from "../../../src/io/undo.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";

/** What does the job of arguments that name a person, entities or a time. */
const BY_GIT =
  "plan_history with by, since and workingTree: true shows what somebody has changed; " +
  "git revert takes a commit back, and plan_update changes the rest.";

export const undoTool = writeTool({
  name: "plan_undo",
  title: "Undo a write",
  description: "Takes back a write of this session.",
  annotations: { destructiveHint: true, idempotentHint: false },
  input: {
    token: z.string().describe("undo of a write"),
    preview: z.boolean().optional().describe("Writes nothing"),
  },
  withdrawn: { ids: BY_GIT, by: BY_GIT, since: BY_GIT },
  output: z.object({
    tool: z.string(),
    files: z.array(z.string()),
    preview: z.boolean().optional(),
  }),
  run: async ({ token, preview = false }, { context, signal }) => ({
    ...await undoWrite(context.project, token, preview, signal),
    preview: preview || undefined,
  }),
});
