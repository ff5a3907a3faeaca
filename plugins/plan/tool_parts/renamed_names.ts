/** The arguments of `plan_rename`, and which names they mean. */

import { resolve } from "node:path";
import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { isShownAs, quotedName, word } from "../../../src/plain_text.ts";
import type { Entity } from "../entity/entity.ts";
import { checkAttributes, invalidArguments, validationError } from "../entity/values.ts";
import type { PlanView } from "../queries/access.ts";
import { placeOf } from "../queries/taken_ids.ts";
import { checkValue } from "../queries/fields.ts";
import { type KnownClaims, knownClaims, takenError } from "../remote/claims.ts";
import type { PlanPlace } from "../store/place.ts";
import { duplicateError, unknownEntity } from "../store/problems.ts";
import { dependenciesOf } from "../store/plan.ts";
import { checkDependencies } from "../write/dependency_check.ts";
import { NAME_KINDS, type Rename } from "../write/rename.ts";
import { unlisted } from "./fields.ts";

export const renameArguments = {
  kind: z.enum(NAME_KINDS).describe("Of the name"),
  from: z.string().describe("The name now"),
  to: z.string().optional().describe("Of an id default: the next free"),
  references: z.boolean().optional().describe("Only what points to the id from: to another's"),
  /** If two files have the id, as the error says. */
  file: unlisted(z.string()),
  preview: z.boolean().optional().describe("Writes nothing"),
};

export type RenameArguments = z.infer<z.ZodObject<typeof renameArguments>>;

const RELEASE_FIRST =
  "Let its owner release it (plan_claim with release: true), or take it over with";

/** Requires arguments that mean something together. */
export function requireRenameArguments({ kind, to, references = false }: RenameArguments): void {
  if (to === undefined && (kind !== "id" || references)) {
    throw invalidArguments('"to": required', "Pass the new name.");
  }
  if (references && kind !== "id") {
    throw invalidArguments('"references" is for ids', 'Pass kind: "id".');
  }
}

/** A tag or an assignee with another name. */
export function renamedValue(plan: PlanView, { kind, from, to = "" }: RenameArguments): Rename {
  const field = kind === "tag" ? "tags" : "assignee";
  if (to.trim() === "" || kind === "tag" && to.includes(",")) {
    throw invalidArguments(`Invalid ${kind}: ${quotedName(to)}`, "Pass one name.");
  }
  checkAttributes({ [field]: to });
  return { kind, from: checkValue(plan, field, from), to };
}

/** Moves the references to one entity to another; both stay. */
export function movedReferences(plan: PlanView, { from, to = "" }: RenameArguments): Rename {
  const first = onlyOne(plan, from, undefined);
  const second = onlyOne(plan, to, undefined);
  if (first === second) {
    throw invalidArguments(`${word(from)} is the same entity`, "Name two entities.");
  }
  const { id: name } = second;
  for (const item of plan.entities) {
    if (item === second || !dependenciesOf(item).includes(first.id)) continue;
    checkDependencies(plan, item.id, { dependsOn: item.id === name ? [] : [name], blocks: [] });
  }
  return { kind: "id", from: first.id, to: name, except: [second] };
}

/** The entity with an id; of several, that of a file. */
export function onlyOne(plan: PlanView, name: string, file: string | undefined): Entity {
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

/** Requires an id that nothing has. */
export function requireUnused(plan: PlanView, id: string, ids: ReadonlyMap<string, string>): void {
  const reserved = plan.store.reserved().find((item) => item.id === id);
  const taken = plan.find(id)?.file ?? reserved?.file ?? placeOf(ids, id);
  if (taken === undefined) return;
  throw validationError(
    `The id ${word(id)} already exists: ${taken}`,
    'Use another name; { kind: "id", references: true } moves what points to one to the other.',
  );
}

/** A claim on the remote keeps the name of its owner, who could not finish the item any more. */
export async function requireNoClaims(place: PlanPlace, name: string): Promise<void> {
  const { claims } = await knownClaims(place, 0);
  const claim = claims.values().find(({ owner }) => owner === name);
  if (claim !== undefined) throw takenError(claim, RELEASE_FIRST);
}

/** A claim names an id, and finished items cannot be released. */
export function requireUnclaimed(plan: PlanView, { id }: Entity, { claims }: KnownClaims): void {
  const claim = plan.find(id)?.finished ? undefined : claims.get(id);
  if (claim !== undefined) throw takenError(claim, RELEASE_FIRST);
}
