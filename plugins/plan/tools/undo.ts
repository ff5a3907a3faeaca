/** `plan_undo`: takes back a write of this run of the server, or what a commit did to the plan. */

import * as z from "zod";
import { invalidArguments } from "../entity/values.ts";
import { undoWrite } from "../../../src/io/undo.ts";
import { freeingClaims } from "../write/spent_refs.ts";
import { undoCommit } from "../write/undo_commit.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";
import { unlessEmpty } from "../../../src/io/json.ts";

/** The replacement of withdrawn arguments that named a person or a time. */
const BY_GIT =
  "plan_history with by, since and workingTree: true shows what somebody has changed; " +
  "commit takes one of the commits back, and plan_update changes the rest.";

export const undoTool = writeTool({
  name: "plan_undo",
  title: "Undo a write",
  description: "Takes back a write of this session, or what a commit did to the plan.",
  annotations: { destructiveHint: true, idempotentHint: false },
  input: {
    token: z.string().optional().describe("undo of a write"),
    commit: z.string().optional().describe("What was changed since stays"),
    ids: z.array(z.string()).optional().describe("With commit: only these"),
    preview: z.boolean().optional().describe("Writes nothing"),
  },
  withdrawn: { by: BY_GIT, since: BY_GIT },
  output: z.object({
    tool: z.string().optional(),
    files: z.array(z.string()).optional(),
    lines: z.array(z.string()).optional().describe("id: what changed"),
    kept: z.array(z.string()).optional().describe("id: what stays, and why"),
    warnings: z.array(z.string()).optional(),
    preview: z.boolean().optional(),
  }),
  run: async ({ token, commit, ids, preview = false }, place) => {
    const isPreview = preview || undefined;
    if (token !== undefined && commit === undefined && ids === undefined) {
      const { context: { project }, signal } = place;
      return { ...await undoWrite(project, token, preview, signal), preview: isPreview };
    }
    if (token !== undefined || commit === undefined) {
      const hint = "A write's answer has the token; plan_history has the hashes of commits.";
      throw invalidArguments('Give either "token" or "commit"', hint);
    }
    const undo = () => undoCommit(place, commit, ids, preview);
    const { value: { lines, kept }, staying } = await freeingClaims(place, undo);
    return {
      lines,
      kept: unlessEmpty(kept),
      warnings: unlessEmpty(staying),
      preview: isPreview,
    };
  },
});
