/** `plan.renumber`: changes an entity's id and all references. */

import { resolve } from "node:path";
import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { shownPath } from "../../../src/io/paths.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import { unknownEntity } from "../store/failures.ts";
import { idsElsewhere, placeOf, sentenceOf } from "../queries/ids_elsewhere.ts";
import { existingPlan, withPlanLock } from "../store/place.ts";
import { openPlan, uriOf } from "../queries/access.ts";
import { renumber } from "../write/renumber.ts";
import { duplicateError } from "../store/problems.ts";
import { checkId } from "../entity/values.ts";
import { dirArgument, uncheckedPlaces, WRITES, writtenEntity } from "./fields.ts";
import { planTool } from "./plan_tool.ts";
import { nextFreeId } from "./next.ts";

const Input = z.strictObject({
  id: z.string(),
  file: z.string().optional().describe("If two files have the id"),
  to: z.string().optional().describe("Default: the next free id"),
  dir: dirArgument(),
});

const Output = z.object({
  ...writtenEntity,
  was: z.string(),
  changed: z.array(z.string()).describe("Files with changed references"),
  stillNamed: z.int().optional().describe("Texts that still contain the old id"),
  unreadable: z.array(z.string()).optional(),
  unchecked: uncheckedPlaces(),
});

export function renumberTool(plugin: PlanPlugin): Tool {
  return planTool(plugin, {
    name: "plan.renumber",
    title: "Renumber an entity",
    description: "Changes an entity's id in its tag, file name and every reference, in " +
      "plain text and code too. All or nothing.",
    annotations: { ...WRITES, idempotentHint: false },
    input: Input,
    output: Output,
    run: async ({ id: given, file, to, dir }, context): Promise<z.infer<typeof Output>> => {
      const { signal, project: { cwd } } = context;
      const place = existingPlan(context, dir);
      const elsewhere = await idsElsewhere(plugin.storeOf(cwd, place), signal);
      return await withPlanLock(place, signal, async () => {
        const plan = await openPlan(context, dir, plugin);
        const id = plan.state.spelled(given);
        const found = plan.state.allOf(id);
        if (found.length === 0) throw unknownEntity(plan.store, id);
        const files = found.map((one) => one.file);
        if (files.length > 1 && file === undefined) throw duplicateError(id, files);
        const slashed = file?.replaceAll("\\", "/");
        const own = found.find((one) =>
          slashed === undefined ||
          [place, cwd].some((root) => resolve(root, slashed) === plan.store.path(one.file))
        );
        if (own === undefined) throw otherFile(id, file!, files);
        const { type } = own.entity;
        if (type === "milestone") throw notNumbered(id);
        const ids = elsewhere.ids;
        const free = to ?? (await nextFreeId(plugin, type, plan, context, ids)).nextId;
        const reserved = plan.store.reserved().find((one) => one.id === free);
        const taken = plan.find(free)?.entity.file ?? reserved?.file ?? placeOf(ids, free);
        if (taken !== undefined) throw idTaken(free, taken);
        const result = await renumber(plan, id, own.file, checkId(free, type));
        const { stillNamed, changed } = result;
        const [unreadable, { unchecked }] = [plan.store.unreadable(), elsewhere];
        return {
          id: free,
          was: id,
          type,
          file: result.file,
          path: shownPath(cwd, plan.store.path(result.file)),
          uri: uriOf({ id: free, type }),
          changed: [...changed],
          ...(files.length > 1 ? { stillNamed } : {}),
          ...(unreadable.length === 0 ? {} : { unreadable: [...unreadable] }),
          ...(unchecked.length === 0 ? {} : { unchecked: sentenceOf(unchecked) }),
        };
      });
    },
  });
}

function notNumbered(id: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `A milestone has no number: ${id}`, {
    hint: "Renumber work items, bugs, specs and decisions; rename a milestone by hand.",
  });
}

function otherFile(id: string, file: string, files: readonly string[]): RefraktError {
  return new RefraktError(
    "NOT_FOUND",
    `${JSON.stringify(file.slice(0, 200))} does not contain ${id}`,
    {
      hint: `Give the file relative to the plan: ${files.join(", ")}.`,
    },
  );
}

function idTaken(id: string, place: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `The id ${id} already exists: ${place}`, {
    hint: 'Omit "to" to get the next free one.',
  });
}
