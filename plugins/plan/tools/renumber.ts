/** `plan_renumber`: changes an entity's id and all references. */

import { isShownAs, quotedName, word } from "../../../src/plain_text.ts";
import { resolve } from "node:path";
import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { unknownEntity } from "../store/failures.ts";
import { placeOf, uncheckedSentence } from "../queries/elsewhere.ts";
import { takenIds } from "../queries/taken_ids.ts";
import { openPlan, uriOf } from "../queries/access.ts";
import { knownClaims, takenError } from "../remote/mod.ts";
import { renumber } from "../write/renumber.ts";
import { duplicateError } from "../store/problems.ts";
import { checkId } from "../entity/values.ts";
import { uncheckedPlaces, writtenEntity } from "../tool_parts/fields.ts";
import { nextFreeId } from "./next_id.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";

const RELEASE_FIRST =
  "Let its owner release it (plan_claim with release: true), or take it over with";

const Output = z.object({
  ...writtenEntity,
  was: z.string(),
  changed: z.array(z.string()).describe("Files with changed references"),
  unchecked: uncheckedPlaces(),
});

export const renumberTool = writeTool({
  name: "plan_renumber",
  listed: { with: ["plan"], group: "repair" },
  title: "Renumber an entity",
  description: "Changes an entity's id in its tag, file name and every reference, in " +
    "text and code too. All or nothing.",
  annotations: { idempotentHint: false },
  input: {
    id: z.string().describe("Its present id"),
    file: z.string().optional().describe("If two files have the id"),
    to: z.string().optional().describe("Default: the next free"),
  },
  output: Output,
  run: async ({ id: given, file, to }, place): Promise<z.infer<typeof Output>> => {
    const { cwd, dir, store } = place;
    const [{ ids, unchecked, locked }, { claims, unknown = [] }] = await Promise.all([
      takenIds(place),
      knownClaims(place, 0),
    ]);
    unchecked.push(...unknown);
    return await locked(async (need) => {
      const plan = await openPlan(place);
      const id = plan.spelled(given);
      const found = plan.allOf(id);
      if (found.length === 0) throw unknownEntity(store, id);
      const files = found.map((one) => one.file);
      if (files.length > 1 && file === undefined) {
        throw duplicateError(id, found);
      }
      const slashed = file?.replaceAll("\\", "/");
      const own = found.find((one) =>
        slashed === undefined || isShownAs(file!, one.file) ||
        [dir, cwd].some((root) => resolve(root, slashed) === store.path(one.file))
      );
      if (own === undefined) {
        throw new RefraktError("NOT_FOUND", `${quotedName(file!)} does not contain ${word(id)}`, {
          hint: `Give the file relative to the plan: ${files.map(quotedName).join(", ")}.`,
        });
      }
      const { type } = own;
      if (type === "milestone") {
        throw new RefraktError("VALIDATION_ERROR", `A milestone has no number: ${word(id)}`, {
          hint: "Renumber work items, bugs, specs and decisions; rename a milestone by hand.",
        });
      }
      // A claim names an id. Of several files with it, it is unknown whose it is, and finished
      // items cannot be released.
      const claim = plan.find(id)?.finished ? undefined : claims.get(id);
      if (claim !== undefined && files.length === 1) {
        throw takenError(claim, RELEASE_FIRST);
      }
      if (to !== undefined) {
        checkId(to, type);
        const reserved = store.reserved().find((one) => one.id === to);
        const taken = plan.find(to)?.file ?? reserved?.file ?? placeOf(ids, to);
        if (taken !== undefined) throw idTaken(to, taken);
      }
      const free = to ?? (await nextFreeId(plan, type, ids)).nextId;
      need(free);
      const result = await renumber(plan, id, own.file, free);
      return {
        id: free,
        was: id,
        type,
        file: result.file,
        path: shownPath(cwd, store.path(result.file)),
        uri: uriOf({ id: free, type }),
        changed: [...result.changed],
        unchecked: uncheckedSentence(unchecked),
      };
    });
  },
});

function idTaken(id: string, place: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `The id ${word(id)} already exists: ${place}`, {
    hint: 'Omit "to" to get the next free one.',
  });
}
