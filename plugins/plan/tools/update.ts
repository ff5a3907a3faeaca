/** `plan_update`: changes an entity. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { gitUser } from "../remote/git_remote.ts";
import { isFinished } from "../entity/lifecycle.ts";
import { openPlan, unlessEmpty } from "../queries/access.ts";
import { type Confirmation, requireOwnClaims } from "../remote/mod.ts";
import { unknownEntity } from "../store/failures.ts";
import { type PlanPlace, withPlanLock } from "../store/place.ts";
import { attributesOf, changeArguments, editsOf } from "../tool_parts/entity_change.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";
import { changeLines, updateOutput, writtenAnswer } from "../tool_parts/update_answer.ts";
import type { Vocabulary } from "../upstream/vocabulary.ts";
import { ownerOf } from "../write/claim_item.ts";
import { editEntities } from "../write/edit_entities.ts";
import { freeingClaims } from "../write/free_claims.ts";

/** How many entities a call changes at most. */
const MOST_IDS = 100;

const inputFor = (vocabulary: Vocabulary) => ({
  id: z.string().optional().describe("One entity"),
  ids: z.array(z.string()).min(1).max(MOST_IDS).optional().describe("Several"),
  ...changeArguments(vocabulary),
  preview: z.boolean().optional().describe("Writes nothing"),
});

type Input = z.infer<z.ZodObject<ReturnType<typeof inputFor>>>;

export const updateTool = writeTool({
  name: "plan_update",
  listed: { with: ["plan"], rank: 3 },
  title: "Update an entity",
  description: 'Changes entities, all or nothing. "" removes an attribute.',
  annotations: { idempotentHint: false },
  withdrawn: { "criteria.move": "Pass the section in the new order in sections." },
  input: inputFor,
  output: updateOutput,
  run: async (input, place): Promise<z.infer<typeof updateOutput>> => {
    const { id, blocks, preview = false } = input;
    const ids = await idsOf(input, place);
    const edits = editsOf(input, place.cwd);
    if (input.note !== undefined) {
      edits.push({ kind: "note", text: input.note, by: input.by ?? await signerOf(place, ids) });
    }
    const { status } = attributesOf(input);
    const remote = preview || status === undefined
      ? undefined
      : await confirmFinish(place, ids, status);
    const changes = ids.map((id) => ({ id, edits, condition: input.if, blocks }));
    const edit = () => editEntities(place, changes, preview);
    const { value: all, staying } = await freeingClaims(place, () => withPlanLock(place, edit));
    const isAll = [input.check].flat().includes("all");
    const answers = all.map((one) => writtenAnswer(place, one, isAll, ids));
    const answer: z.infer<typeof updateOutput> = id === undefined
      ? changeLines(answers)
      : answers[0]!;
    return {
      ...answer,
      warnings: unlessEmpty([...answer.warnings ?? [], ...staying]),
      preview: preview || undefined,
      remote,
    };
  },
});

/** Who signs a note: who works on the item, else the name in git's configuration. */
async function signerOf(place: PlanPlace, ids: readonly string[]): Promise<string> {
  const plan = await openPlan(place);
  const [owner, ...others] = new Set(ids.flatMap((id) => plan.find(id) ?? []).map(ownerOf));
  if (owner && others.length === 0) return owner;
  return await gitUser(place.git);
}

/** Whoever lost an item to another clone learns it before finishing it. */
async function confirmFinish(
  place: PlanPlace,
  ids: readonly string[],
  status: string,
): Promise<Confirmation | undefined> {
  if (place.context.project.remote === undefined) return undefined;
  const plan = await openPlan(place);
  const items = ids.flatMap((id) => plan.find(id) ?? [])
    .filter(({ type }) => isFinished(type, status, true));
  const claims = items.map((item) => ({ id: item.id, assignee: ownerOf(item) }));
  return await requireOwnClaims(place, claims);
}

/** The entities to change, each once. */
async function idsOf(
  { id, ids, title, blocks }: Input,
  { store, signal }: PlanPlace,
): Promise<readonly string[]> {
  if ((id === undefined) === (ids === undefined)) {
    throw new RefraktError("INVALID_ARGS", 'Give either "id" or "ids"', {
      hint: 'Pass "id" for one entity, or "ids" to make the same change in several.',
    });
  }
  const single = title !== undefined ? "title" : blocks !== undefined ? "blocks" : undefined;
  if (ids === undefined) return [id!];
  if (single !== undefined) {
    throw new RefraktError("INVALID_ARGS", `"${single}" is for one entity`, {
      hint: 'Pass it with "id".',
    });
  }
  const plan = await store.read(signal);
  const unknown = ids.filter((one) => plan.allOf(plan.spelled(one)).length === 0);
  // A single one may be moved just now: its edit waits for it.
  if (unknown.length > 1) throw unknownEntity(store, ...unknown);
  return [...new Set(ids.map(plan.spelled))];
}
