/** `plan_rename`: gives a tag, a milestone, an assignee or an id another name. */

import { isShownAs, quotedName, word } from "../../../src/plain_text.ts";
import { resolve } from "node:path";
import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import type { Entity } from "../entity/entity.ts";
import { dependenciesOf } from "../store/relations.ts";
import { unknownEntity } from "../store/failures.ts";
import { placeOf, uncheckedSentence } from "../queries/elsewhere.ts";
import { takenIds } from "../queries/taken_ids.ts";
import { openPlan, type PlanView } from "../queries/access.ts";
import { checkValue } from "../queries/values.ts";
import { type KnownClaims, knownClaims, takenError } from "../remote/mod.ts";
import type { PlanPlace } from "../store/place.ts";
import { withPlanLock } from "../store/place.ts";
import { checkDependencies } from "../write/dependency_check.ts";
import { NAME_KINDS, type Rename, rename } from "../write/rename.ts";
import { duplicateError } from "../store/problems.ts";
import { checkAttributes, checkId } from "../entity/values.ts";
import { uncheckedPlaces, unlisted } from "../tool_parts/fields.ts";
import { nextFreeId } from "./next_id.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";

const RELEASE_FIRST =
  "Let its owner release it (plan_claim with release: true), or take it over with";

/** How many entities an answer names. */
const MOST_NAMED = 20;

const Output = z.object({
  from: z.string(),
  to: z.string(),
  path: z.string().optional().describe("The file of the entity with the name"),
  uses: z.int().describe("Attributes and references"),
  changed: z.int().describe("How many files"),
  in: z.string().optional().describe("What changed"),
  mentions: z.string().optional().describe("Where text or code still has the old name"),
  preview: z.boolean().optional(),
  unchecked: uncheckedPlaces(),
});

const input = {
  kind: z.enum(NAME_KINDS).describe("Of the name"),
  from: z.string().describe("The name now"),
  to: z.string().optional().describe("Of an id default: the next free"),
  references: z.boolean().optional().describe("Only what points to the id from: to another's"),
  /** If two files have the id, as the error says. */
  file: unlisted(z.string()),
  preview: z.boolean().optional().describe("Writes nothing"),
};

type Input = z.infer<z.ZodObject<typeof input>>;

export const renameTool = writeTool({
  name: "plan_rename",
  title: "Rename in the plan",
  description: "Renames in every attribute and reference, all or nothing; texts stay.",
  annotations: { idempotentHint: false },
  input,
  output: Output,
  run: async (input, place): Promise<z.infer<typeof Output>> => {
    const { kind, to, preview = false, references = false } = input;
    if (to === undefined && (kind !== "id" || references)) {
      throw invalid('"to": required', "Pass the new name.");
    }
    if (references && kind !== "id") throw invalid('"references" is for ids', 'Pass kind: "id".');
    if (kind === "assignee") await requireNoClaims(place, input.from);
    if (kind === "tag" || kind === "assignee" || references) {
      return await withPlanLock(place, async () => {
        const plan = await openPlan(place);
        const change = references ? movedReferences(plan, input) : renamedValue(plan, input);
        return answer(plan, change, await rename(plan, change, preview), preview);
      });
    }
    return await renameEntity(input, place);
  },
});

/** A tag or an assignee with another name. */
function renamedValue(plan: PlanView, { kind, from, to = "" }: Input): Rename {
  const field = kind === "tag" ? "tags" : "assignee";
  if (to.trim() === "" || kind === "tag" && to.includes(",")) {
    throw invalid(`Invalid ${kind}: ${quotedName(to)}`, "Pass one name.");
  }
  checkAttributes({ [field]: to });
  return { kind, from: checkValue(plan, field, from), to };
}

/** What points to one entity points to another, and both stay. */
function movedReferences(plan: PlanView, { from, to = "" }: Input): Rename {
  const [first, second] = [from, to].map((id) => onlyOne(plan, id, undefined));
  if (first === second) throw invalid(`${word(from)} is the same entity`, "Name two entities.");
  const { id: name } = second!;
  for (const item of plan.entities) {
    if (item === second || !dependenciesOf(item).includes(first!.id)) continue;
    checkDependencies(plan, item.id, { dependsOn: item.id === name ? [] : [name], blocks: [] });
  }
  return { kind: "id", from: first!.id, to: name, except: [second!] };
}

/** Gives an entity another id, or a milestone another name. */
async function renameEntity(
  { kind, from, to, file, preview = false }: Input,
  place: PlanPlace,
): Promise<z.infer<typeof Output>> {
  const [taken, remote] = await Promise.all([takenIds(place), knownClaims(place, 0)]);
  const { ids, unchecked, locked } = taken;
  unchecked.push(...remote.unknown ?? []);
  const run = async (need: (...ids: string[]) => void) => {
    const plan = await openPlan(place);
    const entity = onlyOne(plan, from, file);
    const { id, type } = entity;
    if ((type === "milestone") !== (kind === "milestone")) {
      throw new RefraktError("VALIDATION_ERROR", `${word(id)} is a ${type}`, {
        hint: `Pass kind: "${type === "milestone" ? "milestone" : "id"}".`,
      });
    }
    const isShared = plan.allOf(id).length > 1;
    if (!isShared) requireUnclaimed(plan, entity, remote);
    if (to !== undefined) requireFree(plan, checkId(to, type), ids);
    const free = to ?? (await nextFreeId(plan, type, ids)).nextId;
    if (type !== "milestone") need(free);
    const change: Rename = { kind, from: id, to: free, entity, isShared };
    const renamed = await rename(plan, change, preview);
    return { ...answer(plan, change, renamed, preview), unchecked: uncheckedSentence(unchecked) };
  };
  return await (preview ? run(() => {}) : locked(run));
}

function answer(
  { cwd, store, files }: PlanView,
  { from, to }: Rename,
  { uses, files: changed, mentions, file }: Awaited<ReturnType<typeof rename>>,
  isPreview: boolean,
): z.infer<typeof Output> {
  const listed = (names: readonly string[]) =>
    names.length === 0 ? undefined : shortList(
      names.map((name) => word(files.find(({ file }) => file === name)?.parsed.entity?.id ?? name)),
      MOST_NAMED,
    );
  return {
    from,
    to,
    path: file === undefined ? undefined : shownPath(cwd, store.path(file)),
    uses,
    changed: changed.length,
    in: listed(changed),
    mentions: listed(mentions),
    preview: isPreview || undefined,
  };
}

/** The entity with an id; of several, that of a file. */
function onlyOne(plan: PlanView, name: string, file: string | undefined): Entity {
  const { cwd, dir, store } = plan;
  const id = plan.spelled(name);
  const all = plan.allOf(id);
  if (all.length === 0) throw unknownEntity(store, id);
  if (all.length > 1 && file === undefined) throw duplicateError(id, all);
  const slashed = file?.replaceAll("\\", "/");
  const entity = all.find((item) =>
    slashed === undefined || isShownAs(file!, item.file) ||
    [dir, cwd].some((root) => resolve(root, slashed) === store.path(item.file))
  );
  if (entity !== undefined) return entity;
  throw new RefraktError("NOT_FOUND", `${quotedName(file!)} does not contain ${word(id)}`, {
    hint: `Give the file relative to the plan: ${
      all.map((item) => quotedName(item.file)).join(", ")
    }.`,
  });
}

/** A claim on the remote keeps the name of its owner, who could not finish the item any more. */
async function requireNoClaims(place: PlanPlace, name: string): Promise<void> {
  const { claims } = await knownClaims(place, 0);
  const claim = claims.values().find(({ owner }) => owner === name);
  if (claim !== undefined) throw takenError(claim, RELEASE_FIRST);
}

/** A claim names an id, and finished items cannot be released. */
function requireUnclaimed(plan: PlanView, { id }: Entity, { claims }: KnownClaims): void {
  const claim = plan.find(id)?.finished ? undefined : claims.get(id);
  if (claim !== undefined) throw takenError(claim, RELEASE_FIRST);
}

function requireFree(plan: PlanView, id: string, ids: ReadonlyMap<string, string>): void {
  const reserved = plan.store.reserved().find((item) => item.id === id);
  const taken = plan.find(id)?.file ?? reserved?.file ?? placeOf(ids, id);
  if (taken === undefined) return;
  throw new RefraktError("VALIDATION_ERROR", `The id ${word(id)} already exists: ${taken}`, {
    hint:
      'Use another name; { kind: "id", references: true } moves what points to one to the other.',
  });
}

function invalid(message: string, hint: string): RefraktError {
  return new RefraktError("INVALID_ARGS", message, { hint });
}
