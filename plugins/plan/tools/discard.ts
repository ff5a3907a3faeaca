/** `plan.discard`: undoes `plan.create` if the new file is unchanged. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { readIfExists } from "../../../src/io/read.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import type { CreatedEntity } from "../write/create.ts";
import { existingPlan, withPlanLock } from "../store/place.ts";
import { dirArgument, WRITES } from "./fields.ts";
import { planTool } from "./plan_tool.ts";

/** Entities created by this server, by path. */
type Created = Map<string, Pick<CreatedEntity, "id" | "document">>;

/** Keyed by plugin, so that two workspaces in a process do not share them. */
const CREATED = new WeakMap<PlanPlugin, Created>();

/** Records an entity that `plan.create` wrote. */
export function rememberCreated(plugin: PlanPlugin, { id, path, document }: CreatedEntity): void {
  const created: Created = CREATED.get(plugin) ?? new Map();
  CREATED.set(plugin, created.set(path, { id, document }));
}

const Input = z.strictObject({ id: z.string(), dir: dirArgument() });

const Output = z.object({ id: z.string(), file: z.string() });

export function discardTool(plugin: PlanPlugin): Tool {
  return planTool(plugin, {
    name: "plan.discard",
    title: "Discard a new entity",
    description: "Removes an entity that this server created, while its file is unchanged.",
    annotations: { ...WRITES, destructiveHint: true, idempotentHint: false },
    listed: { with: ["plan"], to: "views" },
    input: Input,
    output: Output,
    // Hosts let views call the tool and hide it from models.
    _meta: { ui: { visibility: ["app"] } },
    run: async ({ id, dir: given }, context): Promise<z.infer<typeof Output>> => {
      const dir = existingPlan(context, given);
      return await withPlanLock(dir, context.signal, async () => {
        const file = (await plugin.storeOf(context.project.cwd, dir).allOf(id, context.signal))[0]
          ?.file;
        const path = file === undefined ? "" : plugin.storeOf(context.project.cwd, dir).path(file);
        const created = CREATED.get(plugin)?.get(path);
        if (file === undefined || created?.id !== id) {
          throw new RefraktError("NOT_FOUND", `This server did not create ${id}`, {
            hint: "Only entities that plan.create made in this session can be discarded.",
          });
        }
        if (readIfExists(context.project.cwd, path, "plan") !== created.document.source) {
          throw new RefraktError("CONFLICT", `${id} was changed after it was created`, {
            hint: "Nothing was removed. Read it with plan.get, then set a final status.",
          });
        }
        Deno.removeSync(path);
        CREATED.get(plugin)!.delete(path);
        return { id, file: shownPath(dir, path) };
      });
    },
  });
}
