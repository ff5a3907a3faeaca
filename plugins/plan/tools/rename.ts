/** `plan_rename`: gives a tag, a milestone, an assignee or an id another name. */

import * as z from "zod";
import { word } from "../../../src/plain_text.ts";
import { checkId, validationError } from "../entity/values.ts";
import { openPlan } from "../queries/access.ts";
import { uncheckedSentence } from "../queries/elsewhere.ts";
import { takenIds } from "../queries/taken_ids.ts";
import { knownClaims } from "../remote/claims.ts";
import { type PlanPlace, withPlanLock } from "../store/place.ts";
import { uncheckedPlaces } from "../tool_parts/fields.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";
import {
  movedReferences,
  onlyOne,
  type RenameArguments,
  renameArguments,
  renamedValue,
  requireNoClaims,
  requireRenameArguments,
  requireUnclaimed,
  requireUnused,
} from "../tool_parts/renamed_names.ts";
import { type Rename, rename } from "../write/rename.ts";
import { nextFreeId } from "../write/draft.ts";

export const renameTool = writeTool({
  name: "plan_rename",
  title: "Rename in the plan",
  description: "Renames in every attribute and reference, all or nothing; texts stay.",
  annotations: { idempotentHint: false },
  input: renameArguments,
  output: z.object({
    from: z.string(),
    to: z.string(),
    path: z.string().optional().describe("The file of the entity with the name"),
    uses: z.int().describe("Attributes and references"),
    changed: z.int().describe("How many files"),
    in: z.string().optional().describe("What changed"),
    mentions: z.string().optional().describe("Where text or code still has the old name"),
    preview: z.boolean().optional(),
    unchecked: uncheckedPlaces(),
  }),
  run: async (input, place) => {
    const { kind, preview = false, references = false } = input;
    requireRenameArguments(input);
    if (kind === "assignee") await requireNoClaims(place, input.from);
    if (kind === "tag" || kind === "assignee" || references) {
      return await withPlanLock(place, async () => {
        const plan = await openPlan(place);
        const change = references ? movedReferences(plan, input) : renamedValue(plan, input);
        return await rename(plan, change, preview);
      });
    }
    return await renameEntity(input, place);
  },
});

/** Gives an entity another id, or a milestone another name. */
async function renameEntity(
  { kind, from, to, file, preview = false }: RenameArguments,
  place: PlanPlace,
) {
  const [taken, remote] = await Promise.all([takenIds(place), knownClaims(place, 0)]);
  const { ids, unchecked, locked } = taken;
  unchecked.push(...remote.unknown);
  const run = async (need: (...ids: string[]) => void) => {
    const plan = await openPlan(place);
    const entity = onlyOne(plan, from, file);
    const { id, type } = entity;
    if ((type === "milestone") !== (kind === "milestone")) {
      const hint = `Pass kind: "${type === "milestone" ? "milestone" : "id"}".`;
      throw validationError(`${word(id)} is a ${type}`, hint);
    }
    const isShared = plan.allOf(id).length > 1;
    if (!isShared) requireUnclaimed(plan, entity, remote);
    const isRespelled = to !== id && plan.find(checkId(to ?? id, type)) === entity;
    if (to !== undefined && !isRespelled) requireUnused(plan, to, ids);
    const free = to ?? (await nextFreeId(plan, type, ids)).nextId;
    if (type !== "milestone") need(free);
    const change: Rename = { kind, from: id, to: free, entity, isShared };
    const renamed = await rename(plan, change, preview);
    return { ...renamed, unchecked: uncheckedSentence(unchecked) };
  };
  return await (preview ? run(() => {}) : locked(run));
}
