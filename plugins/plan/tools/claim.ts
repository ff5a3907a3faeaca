/** `plan_claim`: assigns an item to an agent, so that no two agents work on the same one. */

import { meantBy } from "../../../src/plain_text.ts";
import * as z from "zod";
import { remoteAge } from "../git/refs.ts";
import { remoteSide } from "../remote/claims.ts";
import { pruneFinished } from "../write/spent_refs.ts";
import { releaseOne } from "../write/claim_item.ts";
import { entityNamed, openPlan, rowOf } from "../queries/access.ts";
import { uncheckedSentence } from "../queries/elsewhere.ts";
import { checkAttributes, invalidArguments } from "../entity/values.ts";
import {
  type ClaimAnswer,
  claimNext,
  claimOne,
  claimOutput,
  takenByOthers,
} from "../tool_parts/claim_answer.ts";
import { unlisted } from "../tool_parts/fields.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";
import { requireSignature } from "../write/edits/notes.ts";
import { ownerOf } from "../entity/entity.ts";

const input = {
  assignee: z.string().trim().min(1).optional().describe(
    "Your name, always the same; default: your client's",
  ),
  id: z.string().optional().describe("Default: the first item of plan_next"),
  type: z.enum(["work", "bug", "all"]).optional().describe("Default: all"),
  milestone: z.string().optional().describe("Filter"),
  tag: z.string().optional().describe("Filter"),
  release: z.boolean().optional().describe("With id: returns it to ready"),
  takeOver: z.string().optional().describe("With id: its owner"),
  note: z.string().optional().describe("With release or takeOver: a handover line"),
  localOnly: z.boolean().optional().describe("Without the remote"),
  /** Even without git, as the error says. */
  anyway: unlisted(z.boolean()),
};

type ClaimInput = z.infer<z.ZodObject<typeof input>>;

export const claimTool = writeTool({
  name: "plan_claim",
  listed: { with: ["plan"], rank: 8 },
  title: "Claim an item",
  description: "Takes the next ready item, or the given one, unless somebody else was faster.",
  annotations: { idempotentHint: false },
  dropsEmpty: true,
  input,
  output: claimOutput,
  run: async (input, place) => {
    const { id, release, takeOver: from, note, localOnly = false, type, milestone, tag } = input;
    requireClaimArguments(input);
    const plan = await openPlan(place);
    if (id !== undefined) entityNamed(plan, id);
    const owners = plan.entities.map(ownerOf);
    const name = input.assignee ?? place.context.agent;
    const assignee = meantBy(name, owners) ?? name;
    if (!owners.includes(assignee)) checkAttributes({ assignee });
    if (note !== undefined) requireSignature(assignee);
    const remote = localOnly ? undefined : await remoteSide(place);
    const others = release ? undefined : await takenByOthers(plan, assignee, input);
    const names = [...owners, ...others?.owners?.values() ?? []];
    const takeOver = from && (meantBy(from, names) ?? from);
    const claiming = { ...place, assignee, takeOver, note, remote };
    const answer: ClaimAnswer = release
      ? { items: [], released: rowOf(await releaseOne(claiming, id!)) }
      : id === undefined
      ? await claimNext(claiming, { type, milestone, tag }, others!)
      : await claimOne(claiming, id, others!);
    if (input.assignee === undefined) answer.assignee = assignee;
    answer.unchecked = uncheckedSentence(others?.unchecked ?? []);
    if (place.context.project.remote === undefined) {
      // Nothing else shows claims on a remote.
      const asksAge = others !== undefined && others.failed === undefined;
      const age = asksAge ? await remoteAge(place.git).catch(() => undefined) : "";
      const warning = age && `${age}; claims since then are unknown`;
      return { ...answer, note: [answer.note, warning].filter(Boolean).join(". ") || undefined };
    }
    answer.remote = remote === undefined ? "unconfirmed" : "confirmed";
    if (remote !== undefined) await pruneFinished(await openPlan(place), remote);
    return answer;
  },
});

/** Rejects arguments that have no meaning together. */
function requireClaimArguments({ id, release = false, takeOver, note }: ClaimInput): void {
  const isHandover = release || takeOver !== undefined;
  if (id === undefined && isHandover) {
    const hint = 'plan_list { "claimed": true } lists what is claimed.';
    throw invalidArguments('"release" and "takeOver" need an id', hint);
  }
  if (release && takeOver !== undefined) {
    const hint = "To free an item of another owner, take it over first.";
    throw invalidArguments('"release" and "takeOver" exclude each other', hint);
  }
  if (note === undefined || isHandover) return;
  const hint = "Write other notes with plan_update.";
  throw invalidArguments('"note" is for "release" and "takeOver"', hint);
}
