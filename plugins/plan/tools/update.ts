/** `plan_update`: changes one entity, several alike, or several differently. */

import { orOtherwise } from "../../../src/errors.ts";
import { isFinished } from "../entity/lifecycle.ts";
import { lastPlan, openPlan, type PlanView } from "../queries/access.ts";
import { isOwnClaim, remoteSide, takenError } from "../remote/claims.ts";
import { type PlanPlace, withPlanLock } from "../store/place.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";
import { updateAnswer, updateOutput } from "../tool_parts/written_answers.ts";
import { updateArguments, updatedEntities } from "../tool_parts/update_changes.ts";
import { editEntities, type EntityChange } from "../write/edit_entities.ts";
import { freeingClaims } from "../write/spent_refs.ts";
import { unlessEmpty } from "../../../src/io/json.ts";
import { ownerOf } from "../entity/entity.ts";

export const updateTool = writeTool({
  name: "plan_update",
  listed: { with: ["plan"], rank: 3 },
  title: "Update an entity",
  description: 'Changes entities, all or nothing. "" removes an attribute.',
  annotations: { idempotentHint: false },
  withdrawn: { "criteria.move": "Pass the section in the new order in sections." },
  input: updateArguments,
  output: updateOutput,
  run: async (input, place) => {
    const { preview = false } = input;
    const changesIn = (plan: PlanView) => updatedEntities(input, plan);
    // The remote confirms these changes, without the lock; without one, they are made under it.
    const isRemote = !preview && place.context.project.remote !== undefined;
    const changes = isRemote ? await changesIn(await openPlan(place)) : undefined;
    const remote = changes && await confirmFinish(place, changes);
    const edit = () => editEntities(place, changes ? () => changes : changesIn, preview);
    const { value: all, staying } = await freeingClaims(place, () => withPlanLock(place, edit));
    const answer = updateAnswer(place, all, input.id !== undefined);
    return {
      ...answer,
      warnings: unlessEmpty([...answer.warnings ?? [], ...staying]),
      preview: preview || undefined,
      remote,
    };
  },
});

/**
 * Checks on the remote that items which are about to be finished still belong to their assignees in
 * this clone; whoever lost one learns it before.
 *
 * @throws {RefraktError} `CONFLICT` with the new owner.
 */
async function confirmFinish(
  place: PlanPlace,
  changes: readonly EntityChange[],
): Promise<"confirmed" | "unconfirmed" | undefined> {
  const plan = lastPlan(place);
  const items = changes.flatMap(({ id, attributes }) => {
    const status = attributes?.["status"];
    const item = plan.find(id);
    return item && status !== undefined && isFinished(item.type, status, true) ? [item] : [];
  });
  if (items.length === 0) return undefined;
  const side = await orOtherwise(place.signal, () => remoteSide(place), (error) => {
    if (!error.code.startsWith("REMOTE_")) throw error;
    return undefined;
  });
  for (const item of items) {
    const claim = side?.items.get(item.id)?.claim;
    if (claim !== undefined && !isOwnClaim(claim, ownerOf(item))) throw takenError(claim);
  }
  return side === undefined ? "unconfirmed" : "confirmed";
}
