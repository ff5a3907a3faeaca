/** The arguments of `plan_update`, and the changes that they mean for each entity. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { defineSchema } from "../../../src/plugin/schema.ts";
import { openPlan, type PlanView } from "../queries/access.ts";
import { listEntities } from "../queries/listing.ts";
import { gitUser } from "../remote/scratch.ts";
import { unknownEntity } from "../store/failures.ts";
import type { PlanPlace } from "../store/place.ts";
import { NEWEST } from "../upstream/listed_version.ts";
import type { Vocabulary } from "../upstream/vocabulary.ts";
import { ownerOf } from "../write/claim_item.ts";
import type { EntityChange } from "../write/edit_entities.ts";
import { addNote } from "../write/edits/notes.ts";
import type { Editable } from "../write/edits/splices.ts";
import { type ChangeArguments, changeArguments, wantedChange } from "./entity_change.ts";
import { listFilters } from "./fields.ts";

/** How many entities a call changes at most. */
const MOST_ENTITIES = 100;

export const updateArguments = (vocabulary: Vocabulary) => ({
  id: z.string().optional().describe("One entity"),
  ids: z.array(z.string()).min(1).max(MOST_ENTITIES).optional().describe("Several alike"),
  where: z.looseObject({}).optional().describe("In place of ids: filters of plan_list"),
  changes: z.array(z.looseObject({ id: z.string() })).min(1).max(MOST_ENTITIES).optional()
    .describe("Several, each with id and its own arguments"),
  ...changeArguments(vocabulary),
  preview: z.boolean().optional().describe("Writes nothing"),
});

type Input = z.infer<z.ZodObject<ReturnType<typeof updateArguments>>>;

/** The changes of a call, for each entity. */
export async function updatedEntities(input: Input, place: PlanPlace): Promise<EntityChange[]> {
  const { id, ids, where, changes, preview: _preview, ...change } = input;
  const ways = [id, ids, where, changes].filter((way) => way !== undefined);
  if (ways.length !== 1) {
    throw invalid(
      'Give one of "id", "ids", "where" and "changes"',
      '"id" is one entity; "ids" or "where" make the same change in several; "changes" has ' +
        "different ones.",
    );
  }
  const plan = await openPlan(place);
  if (changes !== undefined) {
    const [other] = Object.keys(change);
    if (other !== undefined) {
      throw invalid(
        `"changes" and "${other}" exclude each other`,
        `Give each change its "${other}".`,
      );
    }
    const { vocabulary = NEWEST } = place.plugin;
    const schema = z.strictObject({ id: z.string(), ...changeArguments(vocabulary) });
    const parsed = await defineSchema(z.strictObject({ changes: z.array(schema) })).parse({
      changes,
    });
    const all = parsed["changes"] as z.infer<typeof schema>[];
    requireKnown(plan, all.map(({ id }) => id));
    return (await Promise.all(all.map(({ id, ...input }) => changesOf(plan, [id], input)))).flat();
  }
  const targets = id !== undefined ? [id] : ids ?? await idsWhere(plan, where!);
  const single = ["title", "blocks"].find((name) => name in change);
  if (id === undefined && single !== undefined) {
    throw invalid(`"${single}" is for one entity`, 'Pass it with "id", or in "changes".');
  }
  requireKnown(plan, targets);
  return await changesOf(plan, [...new Set(targets.map(plan.spelled))], change);
}

/** The same change of several entities. */
async function changesOf(
  plan: PlanView,
  ids: readonly string[],
  input: ChangeArguments,
): Promise<EntityChange[]> {
  const { note } = input;
  const { edits = [], ...change } = wantedChange(input, plan.cwd);
  const by = note === undefined ? "" : input.by ?? await signerOf(plan, ids);
  const signed = note === undefined ? [] : [(document: Editable) => addNote(note, by, document)];
  return ids.map((id) => ({ ...change, id, edits: [...edits, ...signed] }));
}

/** The entities that pass filters of `plan_list`. */
async function idsWhere(plan: PlanView, where: Record<string, unknown>): Promise<string[]> {
  const { vocabulary = NEWEST } = plan.plugin;
  const filters = await defineSchema(z.strictObject(listFilters(vocabulary)), {}, true).parse(
    where,
  );
  if (Object.keys(filters).length === 0) {
    throw invalid('"where": no filter', 'Pass filters of plan_list, such as { "tag": "search" }.');
  }
  const { total, columns, rows } = await listEntities(plan, { ...filters, limit: MOST_ENTITIES });
  const column = columns.indexOf("id");
  if (total > 0 && total <= MOST_ENTITIES) return rows.map((row) => String(row[column]));
  throw invalid(
    total === 0 ? 'No entity matches "where"' : `${total} entities match "where"`,
    total === 0
      ? "Nothing was written. plan_list with the same filters shows what there is."
      : `Nothing was written. At most ${MOST_ENTITIES} are changed at once: add a filter.`,
  );
}

/** Who signs a note: who works on the item, else the name in git's configuration. */
async function signerOf(plan: PlanView, ids: readonly string[]): Promise<string> {
  const [owner, ...others] = new Set(ids.flatMap((id) => plan.find(id) ?? []).map(ownerOf));
  if (owner && others.length === 0) return owner;
  return await gitUser(plan.git);
}

/** A single entity may be moved just now: its edit waits for it. */
function requireKnown(plan: PlanView, ids: readonly string[]): void {
  const unknown = ids.filter((id) => plan.allOf(plan.spelled(id)).length === 0);
  if (unknown.length > 1) throw unknownEntity(plan.store, ...unknown);
}

function invalid(message: string, hint: string): RefraktError {
  return new RefraktError("INVALID_ARGS", message, { hint });
}
